import type { HeaderList } from "../../base/values/headers.ts";
import { fieldText } from "../net/ascii.ts";
import { Http2Error } from "./frames/error.ts";
import type { HeaderField } from "./hpack/decoder.ts";

/** A header block of a response, checked: its head, an interim one, or its trailers. */
export interface FieldSection {
  /** -1 in trailers, which have none. */
  readonly status: number;
  /** In wire order, without the pseudo-header field. */
  readonly fields: HeaderList;
  /** -1 when none is given. */
  readonly contentLength: number;
}

/** Fields that belong to one connection of HTTP/1.1 (RFC 9113 section 8.2.2). */
const OF_A_CONNECTION = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
]);

// deno-lint-ignore no-control-regex -- RFC 9113 section 8.2.1
const BAD_NAME = /[\x00-\x20A-Z:\x7f-\xff]|^$/;
// deno-lint-ignore no-control-regex -- RFC 9113 section 8.2.1
const BAD_VALUE = /[\x00\r\n]|^[ \t]|[ \t]$/;

/**
 * Checks the fields of a block (RFC 9113 sections 8.2 and 8.3).
 *
 * @throws {Http2Error} for the stream, `PROTOCOL_ERROR`
 */
export function fieldSection(fields: readonly HeaderField[]): FieldSection {
  const [first] = fields;
  const hasStatus = first?.[0] === ":status";
  const regular = hasStatus ? fields.slice(1) : fields;
  let contentLength = -1;
  for (const [name, value] of regular) {
    checkField(name, value);
    if (name === "content-length") {
      contentLength = length(value, contentLength);
    }
  }
  return {
    status: hasStatus ? status(first[1]) : -1,
    // Not in the decoder: its table counts bytes.
    fields: regular.map(readable),
    contentLength,
  };
}

function readable(field: HeaderField): HeaderField {
  const [name, value] = field;
  const text = fieldText(value);
  return text === value ? field : [name, text];
}

function checkField(name: string, value: string): void {
  if (name.startsWith(":")) {
    throw malformed(
      `the pseudo-header field ${quoted(name)} is not expected there`,
    );
  }
  if (BAD_NAME.test(name)) {
    throw malformed(`${quoted(name)} is not a field name`);
  }
  if (BAD_VALUE.test(value)) {
    throw malformed(
      `the value of \`${name}\` has a character that is not allowed`,
    );
  }
  if (OF_A_CONNECTION.has(name)) {
    throw malformed(`the field \`${name}\` is not allowed in HTTP/2`);
  }
}

function status(value: string): number {
  if (/^[1-9]\d\d$/.test(value)) return Number(value);
  throw malformed(`${quoted(value)} is not a status`);
}

function length(value: string, before: number): number {
  const number = /^\d{1,15}$/.test(value) ? Number(value) : -1;
  if (number < 0) throw malformed(`${quoted(value)} is not a content-length`);
  if (before < 0 || before === number) return number;
  throw malformed(`content-length is both ${before} and ${number}`);
}

/** The server sent a response that is not one (RFC 9113 section 8.1.1). */
export function malformed(why: string): Http2Error {
  return new Http2Error(
    "PROTOCOL_ERROR",
    `the response is malformed: ${why}`,
    "stream",
  );
}

function quoted(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}
