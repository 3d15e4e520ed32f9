import { hash } from "node:crypto";
import { basename } from "../../base/values/paths.ts";
import { concatenated } from "../../base/values/bytes.ts";
import { canonical } from "../../base/values/canonical.ts";
import type { JsonValue } from "../../base/values/json.ts";
import {
  compileText,
  joinedText,
  type Names,
  NO_SCOPE,
  partOf,
  type Scope,
  type TextPart,
  type TextTemplate,
} from "../../language/expressions/template.ts";
import { compilePayload } from "../../language/expressions/payload.ts";
import { RequestError } from "../../wire/http1/request_head.ts";
import type { OpenTools } from "../protocol.ts";
import {
  type BodyBlock,
  type FormField,
  type MultipartPart,
  readBodyFile,
} from "./body_fields.ts";

/** The body of a request, made ready. */
export interface RequestBody {
  /** Its media type, where the step declares none. */
  readonly type: string;
  /** The body, when it is the same for every attempt. */
  readonly constant?: string | Uint8Array;
  render(scope: Scope): string | Uint8Array;
  /** The text that traces show in place of its bytes. */
  shown?(bytes: Uint8Array): string;
}

const encoder = new TextEncoder();

/** A JSON text as a body. */
export function jsonBody(text: TextTemplate): RequestBody {
  return { type: "application/json", ...text };
}

/**
 * Compiles the body of a step; files are read here.
 *
 * @returns undefined without a body
 */
export async function compileBody(
  block: BodyBlock,
  tools: OpenTools,
): Promise<RequestBody | undefined> {
  const { names } = tools;
  const { body, form, multipart, text, file } = block;
  if (body !== undefined) return jsonBody(compilePayload(body, names));
  if (form) {
    return {
      type: "application/x-www-form-urlencoded",
      ...compileForm(form, names),
    };
  }
  if (text !== undefined) {
    return { type: "text/plain; charset=utf-8", ...compileText(text, names) };
  }
  if (file !== undefined) {
    const bytes = readBodyFile(file, tools.files);
    const type = await typeOf(file);
    return { type, constant: bytes, render: () => bytes };
  }
  return multipart && await compileMultipart(multipart, tools);
}

/** By the ending of the file; loaded by flows that send files. */
async function typeOf(path: string): Promise<string> {
  const { default: mime } = await import("mime");
  return mime.getType(path) ?? "application/octet-stream";
}

/** The serializer of WHATWG URL section 5.2. */
function compileForm(
  fields: readonly FormField[],
  names: Names,
): TextTemplate {
  return joinedText(fields.flatMap(({ name, value }, index): TextPart[] => [
    `${index > 0 ? "&" : ""}${encodeForm(name)}=`,
    mapped(compileText(value, names), encodeForm),
  ]));
}

/** Needs no escape in a form. */
const PLAIN = /^[A-Za-z0-9*._-]*$/;

function encodeForm(text: string): string {
  return PLAIN.test(text)
    ? text
    : new URLSearchParams([["", text]]).toString().slice(1);
}

function mapped(
  template: TextTemplate,
  change: (text: string) => string,
): TextPart {
  const part = partOf(template);
  return typeof part === "string"
    ? change(part)
    : (scope) => change(part(scope));
}

/**
 * RFC 7578. The boundary comes from the seed and the parts, so that the same run
 * sends the same bytes.
 */
async function compileMultipart(
  parts: readonly MultipartPart[],
  tools: OpenTools,
): Promise<RequestBody> {
  const said = canonical(parts as unknown as JsonValue);
  const digest = hash("sha256", `${tools.seed}\n${said}`);
  const boundary = `bench-${digest.slice(0, 32)}`;
  const pieces: (TextPart | Uint8Array)[] = [];
  for (const part of parts) {
    pieces.push(
      `--${boundary}\r\n`,
      ...await compilePart(part, tools, boundary),
    );
    pieces.push("\r\n");
  }
  pieces.push(`--${boundary}--\r\n`);
  const type = `multipart/form-data; boundary=${boundary}`;
  const shown = (bytes: Uint8Array) => describeParts(bytes, boundary);
  return { type, ...joinedBytes(pieces), shown };
}

async function compilePart(
  part: MultipartPart,
  { names, files }: OpenTools,
  boundary: string,
): Promise<(TextPart | Uint8Array)[]> {
  const text = (template: string, change: (text: string) => string) =>
    mapped(compileText(template, names), change);
  const inside = (value: string) => {
    if (!value.includes(boundary)) return value;
    throw new RequestError("a part has the boundary of its body in it");
  };
  const head = `Content-Disposition: form-data; name="${quoted(part.name)}"`;
  const type = (written: string) => text(written, oneLine);
  if ("value" in part) return [`${head}\r\n\r\n`, text(part.value, inside)];
  if ("text" in part) {
    const declared = part.type === undefined
      ? []
      : ["\r\nContent-Type: ", type(part.type)];
    return [head, ...declared, "\r\n\r\n", text(part.text, inside)];
  }
  const name = part.filename ?? basename(part.file);
  return [
    `${head}; filename="`,
    text(name, quoted),
    '"\r\nContent-Type: ',
    part.type === undefined ? await typeOf(part.file) : type(part.type),
    "\r\n\r\n",
    readBodyFile(part.file, files),
  ];
}

/** WHATWG HTML, multipart/form-data encoding algorithm: what ends a name is escaped. */
function quoted(name: string): string {
  return name.replaceAll(
    /["\r\n]/g,
    (each) => each === '"' ? "%22" : each === "\r" ? "%0D" : "%0A",
  );
}

function oneLine(type: string): string {
  if (!/[\r\n\0]/.test(type)) return type;
  throw new RequestError("the media type of a part has a line break in it");
}

/** Texts and bytes one after the other; text as long as there are no bytes. */
function joinedBytes(
  pieces: readonly (TextPart | Uint8Array)[],
): Pick<RequestBody, "constant" | "render"> {
  const isText = (each: TextPart | Uint8Array): each is TextPart =>
    !(each instanceof Uint8Array);
  const texts = pieces.filter(isText);
  if (texts.length === pieces.length) return joinedText(texts);
  const render = (scope: Scope) => {
    const all = pieces.map((each) =>
      each instanceof Uint8Array
        ? each
        : encoder.encode(typeof each === "string" ? each : each(scope))
    );
    return concatenated(all);
  };
  if (!texts.every((each) => typeof each === "string")) return { render };
  const constant = render(NO_SCOPE);
  return { constant, render: () => constant };
}

/** A line a part: its name, its file name, its type and its size. */
function describeParts(bytes: Uint8Array, boundary: string): string {
  // One character a byte, so that offsets are those of the bytes.
  const text = new TextDecoder("latin1").decode(bytes);
  const parts = text.split(`--${boundary}`).slice(1, -1);
  return parts.map((part) => {
    const [, head = "", body = ""] =
      /^\r\n([^]*?)\r\n\r\n([^]*)\r\n$/.exec(part) ?? [];
    const lines = head.split("\r\n").map((line) =>
      line.replace(/^Content-Disposition: form-data; |^Content-Type: /, "")
    );
    const utf8 = Uint8Array.from(
      lines.join("; "),
      (each) => each.charCodeAt(0),
    );
    const size = body.length === 1 ? "1 byte" : `${body.length} bytes`;
    return `${new TextDecoder().decode(utf8)}; ${size}`;
  }).join("\n");
}
