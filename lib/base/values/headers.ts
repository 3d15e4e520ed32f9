/**
 * Header fields in the order they travel. Names keep the case they were
 * written in; comparing them ignores case (RFC 9110 section 5.1).
 */
export type HeaderList = readonly (readonly [name: string, value: string])[];

/** Every value of the field `name`, in order. */
export function headerValues(headers: HeaderList, name: string): string[] {
  const lowerCase = name.toLowerCase();
  return headers.filter(([each]) => each.toLowerCase() === lowerCase)
    .map(([, value]) => value);
}

/** The lines of this field alone are values that no comma may join (RFC 6265 section 3). */
const UNJOINED = "set-cookie";

/**
 * The value of the field `name` over all of its lines: joined by commas
 * (RFC 9110 section 5.2), those of `Set-Cookie` as a list. Undefined without a line.
 */
export function fieldValue(
  name: string,
  lines: readonly string[],
): string | string[] | undefined {
  if (lines.length < 2) return lines[0];
  return name.toLowerCase() === UNJOINED ? [...lines] : lines.join(", ");
}

/** The first value of the field `name`, whatever case it is written in. */
export function headerValue(
  headers: HeaderList,
  name: string,
): string | undefined {
  const lowerCase = name.toLowerCase();
  return headers.find(([each]) => each.toLowerCase() === lowerCase)?.[1];
}

const OWN_CAPITALS: ReadonlyMap<string, string> = new Map([
  ["etag", "ETag"],
  ["www-authenticate", "WWW-Authenticate"],
]);

/** A name of the IR, which is in lower case, as most people write it. */
export function customaryName(name: string): string {
  return OWN_CAPITALS.get(name) ??
    name.replace(/(?:^|-)[a-z]/g, (each) => each.toUpperCase());
}

/** A token: RFC 9110 section 5.6.2. Field and cookie names are tokens. */
export const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/**
 * Fields that frame a message or belong to the connection, in lower case (RFC
 * 9110 sections 7.6.1 and 8.6, RFC 9112 section 6): the engine alone writes
 * them.
 */
export const FRAMING_FIELDS: ReadonlySet<string> = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** Fields that carry a credential and nothing else (RFC 9110 sections 11.6.2 and 11.7.2). */
const CREDENTIAL_FIELD = /^(?:proxy-)?authorization$/i;

/** Whether a header field carries a credential, whatever its value is. */
export function isCredentialField(name: string): boolean {
  return CREDENTIAL_FIELD.test(name);
}

/**
 * Whether a template behind `before` in a `Cookie` field is in the value of a
 * cookie, where a `;` would begin another one (RFC 6265 section 4.2.1).
 */
export function isInCookie(before: string): boolean {
  return /=[^;]*$/.test(before);
}

// deno-lint-ignore no-control-regex
const NOT_IN_VALUE = /[\x00-\x08\x0a-\x1f\x7f]/;
const NAMED: Readonly<Record<string, string>> = {
  "\r": "CR",
  "\n": "LF",
  "\0": "NUL",
};

/**
 * The first character that may not be in a field value (RFC 9110 section
 * 5.5: any control character but the tab), in words; undefined without one.
 */
export function badInValue(value: string): string | undefined {
  const bad = NOT_IN_VALUE.exec(value)?.[0];
  if (bad === undefined) return undefined;
  const code = bad.charCodeAt(0).toString(16).toUpperCase();
  return NAMED[bad] ?? `the control character U+${code.padStart(4, "0")}`;
}
