import {
  badInValue,
  type HeaderList,
  TOKEN,
} from "../../base/values/headers.ts";
import { WireError } from "../net/wire_error.ts";

/** A request that must not be put on the wire. */
export class RequestError extends WireError {
  override readonly name = "RequestError";

  constructor(message: string) {
    super("request", message);
  }
}

// deno-lint-ignore no-control-regex
const NOT_IN_TARGET = /[\x00-\x20\x7f]|[^\x00-\x7f]/;

/**
 * The head of a request (RFC 9112 section 3): request line, then the fields in
 * exactly the given order, then the empty line. The caller passes `Host` first.
 * A field without a value is not sent.
 *
 * @param target origin form, `path?query`, already percent-encoded
 * @throws {RequestError} when a part could break out of its place: a method or
 *   field name that is no token, a space in the target, a control character in a value
 */
export function requestHead(
  method: string,
  target: string,
  headers: HeaderList,
): string {
  checkMethod(method);
  checkTarget(target);
  for (const [name, value] of headers) checkField(name, value);
  return headText(method, target, headers);
}

/** The same of parts that are checked. */
export function headText(
  method: string,
  target: string,
  headers: HeaderList,
): string {
  let head = `${method} ${target} HTTP/1.1\r\n`;
  for (const [name, value] of headers) {
    if (value !== "") head += `${name}: ${value}\r\n`;
  }
  return head + "\r\n";
}

/** @throws {RequestError} when it is no token */
export function checkMethod(method: string): void {
  if (TOKEN.test(method)) return;
  throw new RequestError(
    `${JSON.stringify(method)} is not a method: expected a word such as GET`,
  );
}

/** @throws {RequestError} when it is empty, or not percent-encoded */
export function checkTarget(target: string): void {
  if (target !== "" && !NOT_IN_TARGET.test(target)) return;
  throw new RequestError(
    `${JSON.stringify(target)} is not a request target: ${
      target === ""
        ? "it is empty"
        : "it holds a character that must be percent-encoded"
    }`,
  );
}

/**
 * Refuses a field that could forge another one; one without a value is not sent.
 *
 * @throws {RequestError} naming the field; never showing its value, which may
 *   be a credential
 */
export function checkField(name: string, value: string): void {
  if (value === "") return;
  checkName(name);
  checkValue(name, value);
}

/** @throws {RequestError} when it is no token */
export function checkName(name: string): void {
  if (TOKEN.test(name)) return;
  throw new RequestError(
    `${JSON.stringify(name)} is not a header name: only letters, digits and ` +
      "!#$%&'*+-.^_`|~ are allowed in one",
  );
}

/** @throws {RequestError} when it holds a control character; it does not show the value */
export function checkValue(name: string, value: string): void {
  const bad = badInValue(value);
  if (bad === undefined) return;
  throw new RequestError(
    `The value of the header \`${name}\` holds ${bad}, which never goes on the wire`,
  );
}

/**
 * Reads `Retry-After` (RFC 9110 section 10.2.3): delta-seconds or an HTTP date, which
 * is of the same clock as the response's `Date`.
 *
 * @param nowMs milliseconds since the epoch, for a response without a `Date`
 * @returns milliseconds to wait, never negative; undefined when it is absent or says neither
 */
export function retryAfter(
  response: { header(name: string): string | undefined },
  nowMs: number,
): number | undefined {
  const text = response.header("retry-after")?.trim();
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return Number(text) * 1_000;
  const at = httpDate(text, nowMs);
  if (at === undefined) return undefined;
  const sent = httpDate(response.header("date")?.trim() ?? "", nowMs) ?? nowMs;
  return Math.max(0, at - sent);
}

const TIME = "(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)";
const ZONE = " (?:GMT|UTC)";

/** The three forms of an HTTP date (RFC 9110 section 5.6.7), all of them UTC. */
const FORMS: readonly RegExp[] = [
  // IMF-fixdate
  `[a-z]{3}, (?<day>\\d\\d) (?<month>[a-z]{3}) (?<year>\\d{4}) ${TIME}${ZONE}`,
  // RFC 850
  `[a-z]{6,9}, (?<day>\\d\\d)-(?<month>[a-z]{3})-(?<year>\\d\\d) ${TIME}${ZONE}`,
  // asctime, which names no zone
  `[a-z]{3} (?<month>[a-z]{3}) (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})(?:${ZONE})?`,
].map((form) => new RegExp(`^${form}$`, "i"));

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

/** Milliseconds since the epoch; undefined when it is no HTTP date. */
function httpDate(text: string, nowMs: number): number | undefined {
  for (const form of FORMS) {
    const parts = form.exec(text)?.groups;
    if (!parts) continue;
    const month = MONTHS.indexOf(parts["month"]!.toLowerCase());
    const numbers = [parts["day"], parts["hour"], parts["minute"]].map(Number);
    const [day = 0, hour = 0, minute = 0] = numbers;
    const written = Number(parts["year"]);
    const year = parts["year"]!.length === 2
      ? fullYear(written, nowMs)
      : written;
    if (month < 0) return undefined;
    return Date.UTC(year, month, day, hour, minute, Number(parts["second"]));
  }
  return undefined;
}

/** Two digits are never more than 50 years ahead (RFC 9110 section 5.6.7). */
function fullYear(digits: number, nowMs: number): number {
  const thisYear = new Date(nowMs).getUTCFullYear();
  const year = thisYear - thisYear % 100 + digits;
  return year > thisYear + 50 ? year - 100 : year;
}
