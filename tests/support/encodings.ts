import { Buffer } from "node:buffer";
import { deflateSync, gzipSync } from "node:zlib";
import { characterEntities } from "character-entities";

/** Writes a text as a serializer, a URL, markup or mail would. */
export type Encoder = (text: string) => string;

const utf8 = (text: string) => Buffer.from(text);
const unicode = (unit: string) =>
  `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
const upperUnicode = (unit: string) =>
  `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const bytes = (text: string, each: (hex: string) => string) =>
  [...utf8(text)].map((byte) => each(byte.toString(16).padStart(2, "0")))
    .join("");
const percent = (text: string) => bytes(text, (hex) => `%${hex}`);

/** PHP's `htmlentities` with ENT_HTML5, and the like: a name wherever there is one. */
const NAMES = new Map(
  Object.entries(characterEntities).map(([name, text]) => [text, name]),
);

/** Escapes: every character stands by itself, so that they go on from text to text. */
export const ESCAPES: Readonly<Record<string, Encoder>> = {
  "as it is": (text) => text,
  "encodeURIComponent": encodeURIComponent,
  "encodeURIComponent, lower case": (text) =>
    encodeURIComponent(text).replaceAll(/%../g, (each) => each.toLowerCase()),
  "encodeURI": encodeURI,
  "unreserved only": (text) =>
    encodeURIComponent(text).replaceAll(/[!'()*]/g, percent),
  "only what a URL forbids": (text) =>
    text.replaceAll(/[^\w\-.~:/?#[\]@!$&'()*+,;=%]/gu, percent),
  "a value in a path": (text) =>
    text.replaceAll(/[^\w\-.~!$&'()*+,;=:@/]/gu, percent),
  "every byte percent-encoded": percent,
  "form": (text) => new URLSearchParams({ k: text }).toString().slice(2),
  "JSON": json,
  "JSON with escaped slashes": (text) => json(text).replaceAll("/", "\\/"),
  "JSON of Python": (text) =>
    json(text).replaceAll(/[\u007f-\uffff]/g, unicode),
  "JSON of Gson": (text) => json(text).replaceAll(/[<>&='\u2028]/g, unicode),
  "JSON of Go": (text) => json(text).replaceAll(/[<>&\u2028\u2029]/g, unicode),
  "JSON of .NET": (text) =>
    json(text).replaceAll('\\"', "\\u0022").replaceAll(
      /[<>&'+`\u007f-\uffff]/g,
      upperUnicode,
    ),
  "JSON, every character": (text) => text.replaceAll(/[^]/g, unicode),
  "braces of JavaScript": (text) =>
    text.replaceAll(
      /[^a-z0-9]/giu,
      (each) => `\\u{${each.codePointAt(0)!.toString(16)}}`,
    ),
  "escape of JavaScript": (text) =>
    text.replaceAll(/[^\w*@.+/-]/g, (unit) => {
      const code = unit.charCodeAt(0);
      return code < 0x100
        ? `%${code.toString(16).toUpperCase().padStart(2, "0")}`
        : `%u${code.toString(16).toUpperCase().padStart(4, "0")}`;
    }),
  "JSON of JSON": (text) => json(json(text)),
  "repr of Python's bytes": (text) =>
    bytes(text, (hex) => {
      const unit = parseInt(hex, 16);
      return unit >= 0x20 && unit < 0x7f && unit !== 0x5c && unit !== 0x27
        ? String.fromCharCode(unit)
        : `\\x${hex}`;
    }),
  "octal": (text) =>
    [...utf8(text)].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`)
      .join(""),
  "HTML": (text) =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(
      ">",
      "&gt;",
    ).replaceAll('"', "&quot;").replaceAll("'", "&#39;"),
  "HTML, decimal": (text) =>
    text.replaceAll(/[^]/gu, (each) => `&#${each.codePointAt(0)};`),
  "HTML, hexadecimal": (text) =>
    text.replaceAll(
      /[^a-z0-9]/giu,
      (each) => `&#x${each.codePointAt(0)!.toString(16).toUpperCase()};`,
    ),
  "HTML, every name": (text) =>
    text.replaceAll(/[^a-z0-9]/giu, (each) => {
      const name = NAMES.get(each);
      return name === undefined ? each : `&${name};`;
    }),
  "HTML, leading zeros": (text) =>
    text.replaceAll(
      /[^]/gu,
      (each) => `&#${String(each.codePointAt(0)).padStart(7, "0")};`,
    ),
  "CSS": (text) =>
    text.replaceAll(
      /[^a-z0-9]/giu,
      (each) => `\\${each.codePointAt(0)!.toString(16)} `,
    ),
  "CSS, six digits": (text) =>
    text.replaceAll(
      /[^]/gu,
      (each) => `\\${each.codePointAt(0)!.toString(16).padStart(6, "0")}`,
    ),
  "quoted-printable": (text) =>
    bytes(text, (hex) => {
      const unit = parseInt(hex, 16);
      return unit > 0x20 && unit < 0x7f && unit !== 0x3d
        ? String.fromCharCode(unit)
        : `=${hex.toUpperCase()}`;
    }).replaceAll(/((?:=..|[^=]){7})/g, "$1=\r\n"),
};

/** RFC 4648 section 6. */
function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0"))
    .join("");
  const digits = (bits.match(/.{1,5}/g) ?? []).map((five) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[parseInt(five.padEnd(5, "0"), 2)]
  ).join("");
  return digits.padEnd(Math.ceil(digits.length / 8) * 8, "=");
}

/** Runs: what stands beside the text changes what stands for it. */
export const RUNS: Readonly<Record<string, Encoder>> = {
  "base64": (text) => utf8(text).toString("base64"),
  "base64 without padding": (text) =>
    utf8(text).toString("base64").replaceAll("=", ""),
  "base64url": (text) => utf8(text).toString("base64url"),
  "base64 of mail": (text) =>
    utf8(text).toString("base64").replaceAll(/.{16}/g, "$&\r\n"),
  "hex": (text) => utf8(text).toString("hex"),
  "hex, mixed case": (text) =>
    utf8(text).toString("hex").replaceAll(
      /(.)(.)/g,
      (_, a, b) => a.toUpperCase() + b,
    ),
  "hex with colons": (text) =>
    utf8(text).toString("hex").replaceAll(/..(?!$)/g, "$&:"),
  "hex of .NET": (text) =>
    utf8(text).toString("hex").toUpperCase().replaceAll(/..(?!$)/g, "$&-"),
  "base32": (text) => base32(utf8(text)),
  "base32, lower case": (text) => base32(utf8(text)).toLowerCase(),
  "Buffer of Node": (text) => JSON.stringify(utf8(text)),
  "a list of bytes": (text) => `[${[...utf8(text)].join(", ")}]`,
  "bytes with spaces": (text) => [...utf8(text)].join(" "),
  "bytes beside a larger number": (text) => `300 ${[...utf8(text)].join(" ")}`,
  "hex in 0x": (text) => bytes(text, (hex) => `0x${hex}, `).slice(0, -2),
  "base64 of UTF-16": (text) => Buffer.from(text, "utf16le").toString("base64"),
  "hex of UTF-16": (text) =>
    Buffer.from(text, "utf16le").swap16().toString("hex"),
  "zlib in base64url": (text) => deflateSync(utf8(text)).toString("base64url"),
  "zlib, best, in base64": (text) =>
    deflateSync(utf8(text), { level: 9 }).toString("base64"),
  "gzip in hex": (text) => gzipSync(utf8(text)).toString("hex"),
  "gzip in base64": (text) => gzipSync(utf8(text)).toString("base64"),
  "UTF-16 LE": (text) => Buffer.from(text, "utf16le").toString("latin1"),
  "UTF-16 BE": (text) =>
    Buffer.from(text, "utf16le").swap16().toString("latin1"),
  "UTF-8 read as Latin-1": (text) => utf8(text).toString("latin1"),
};

/** In other letters; what is encoded in them is not the same any more. */
export const CASES: Readonly<Record<string, Encoder>> = {
  "upper case": (text) => text.toUpperCase(),
  "lower case": (text) => text.toLowerCase(),
};

export const ENCODERS: Readonly<Record<string, Encoder>> = {
  ...ESCAPES,
  ...CASES,
  ...RUNS,
};
