/*
 * The spellings one secret can take on its way into a file. Each function adds
 * to a set, so that spellings that coincide are kept once.
 */

const UTF8 = new TextEncoder();
/** From this many bytes on, a secret is also looked for inside longer base64. */
const ALIGNED_FROM = 6;

/**
 * Every form of `value` that is searched for: itself, percent-encoded (strict,
 * `encodeURIComponent`, and as a URL sends it; upper and lower case hex),
 * form-encoded, JSON-escaped, hex, base64 and base64url with and without
 * padding, and from 6 bytes on the part of a longer base64 text that is the
 * same whatever stands around it (at each of the three alignments; up to two
 * base64 characters at either end mix with the neighbours and stay).
 */
export function formsOf(value: string): Set<string> {
  const bytes = UTF8.encode(value);
  const forms = new Set([value]);
  // Bytes read one to a character, as a decoded binary body is searched.
  forms.add(binary(bytes));
  for (const form of percentForms(value, bytes)) forms.add(form);
  for (const form of jsonForms(value)) {
    forms.add(form);
    // JSON carried as a string inside JSON is escaped twice.
    forms.add(jsonEscape(form));
  }
  for (const form of base64Forms(bytes)) {
    forms.add(form);
    if (form.includes("/")) forms.add(form.replaceAll("/", "\\/"));
  }
  const hex = bytes.toHex();
  forms.add(hex);
  forms.add(hex.toUpperCase());
  forms.delete("");
  return forms;
}

/** RFC 3986: the characters that never need encoding (section 2.3). */
const UNRESERVED = /[A-Za-z0-9\-._~]/;
/** What the engine leaves bare of a whole URL: every character RFC 3986 allows somewhere. */
const ALLOWED = /[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=%]/;
/** A value in the path of a URL: pchar (RFC 3986 section 3.3) and `/`. */
const PATH_BARE = /[A-Za-z0-9\-._~!$&'()*+,;=:@/]/;
/** `application/x-www-form-urlencoded` (WHATWG URL, section 1.3). */
const FORM_BARE = /[A-Za-z0-9*\-._]/;
/** What ECMAScript's encodeURIComponent leaves bare. */
const COMPONENT_BARE = /[A-Za-z0-9\-_.!~*'()]/;
const URI_BARE = /[A-Za-z0-9;,/?:@&=+$\-_.!~*'()#]/;

function percentForms(value: string, bytes: Uint8Array): string[] {
  const spellings = [
    UNRESERVED,
    ALLOWED,
    PATH_BARE,
    COMPONENT_BARE,
    URI_BARE,
    FORM_BARE,
  ].map((bare) => percent(bytes, bare));
  const forms = [
    ...spellings,
    ...spellings.map((each) => each.replaceAll("%20", "+")),
    // A query value of the engine keeps sub-delims; a space may be a plus anywhere.
    value.replaceAll(" ", "+"),
    percent(bytes, /[^\s\S]/),
  ];
  return [...forms, ...forms.map(lowerEscapes)];
}

function percent(bytes: Uint8Array, bare: RegExp): string {
  let out = "";
  for (const byte of bytes) {
    const character = String.fromCharCode(byte);
    out += byte < 0x80 && bare.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return out;
}

function lowerEscapes(text: string): string {
  return text.replaceAll(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase());
}

function jsonForms(value: string): string[] {
  const plain = jsonEscape(value);
  const slashed = plain.replaceAll("/", "\\/");
  const html = plain.replaceAll(/[<>&'\u2028\u2029]/g, unicodeEscape);
  const every = value.replaceAll(/[^]/g, unicodeEscape);
  const forms = [plain, slashed, html, every, html.replaceAll("+", "\\u002b")];
  for (const each of [plain, slashed, html]) {
    forms.push(each.replaceAll(/[^\0-\x7e]/g, unicodeEscape));
  }
  return [...forms, ...forms.map(upperEscapes)];
}

/** The text as it stands between the quotes of a JSON string. */
function jsonEscape(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function upperEscapes(text: string): string {
  return text.replaceAll(
    /\\u[0-9a-f]{4}/g,
    (escape) => `\\u${escape.slice(2).toUpperCase()}`,
  );
}

function base64Forms(bytes: Uint8Array): string[] {
  const forms: string[] = [];
  for (const alphabet of ["base64", "base64url"] as const) {
    forms.push(bytes.toBase64({ alphabet }));
    forms.push(bytes.toBase64({ alphabet, omitPadding: true }));
    if (bytes.length < ALIGNED_FROM) continue;
    for (const shift of [0, 1, 2]) forms.push(aligned(bytes, shift, alphabet));
  }
  return forms;
}

/** The base64 characters made of this secret's bits alone, `shift` bytes into a group of three. */
function aligned(
  bytes: Uint8Array,
  shift: number,
  alphabet: "base64" | "base64url",
): string {
  const padded = new Uint8Array(shift + bytes.length);
  padded.set(bytes, shift);
  return padded.toBase64({ alphabet, omitPadding: true }).slice(
    Math.ceil(shift * 8 / 6),
    Math.floor(padded.length * 8 / 6),
  );
}

function binary(bytes: Uint8Array): string {
  let out = "";
  for (const byte of bytes) out += String.fromCharCode(byte);
  return out;
}
