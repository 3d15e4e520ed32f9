import { badInValue, TOKEN } from "../../base/values/field_names.ts";
import type { HeaderList } from "../../base/values/headers.ts";

/** A request that must not be put on the wire. */
export class RequestError extends Error {
  override readonly name = "RequestError";
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
  if (!TOKEN.test(method)) {
    throw new RequestError(
      `${JSON.stringify(method)} is not a method: expected a word such as GET`,
    );
  }
  if (target === "" || NOT_IN_TARGET.test(target)) {
    throw new RequestError(
      `${JSON.stringify(target)} is not a request target: ${
        target === ""
          ? "it is empty"
          : "it holds a character that must be percent-encoded"
      }`,
    );
  }
  let head = `${method} ${target} HTTP/1.1\r\n`;
  for (const [name, value] of headers) {
    if (value === "") continue;
    checkField(name, value);
    head += `${name}: ${value}\r\n`;
  }
  return head + "\r\n";
}

/**
 * Refuses a field that could forge another one.
 *
 * @throws {RequestError} naming the field; never showing its value, which may
 *   be a credential
 */
function checkField(name: string, value: string): void {
  if (!TOKEN.test(name)) {
    throw new RequestError(
      `${
        JSON.stringify(name)
      } is not a header name: only letters, digits and ` +
        "!#$%&'*+-.^_`|~ are allowed in one",
    );
  }
  const bad = badInValue(value);
  if (bad !== undefined) {
    throw new RequestError(
      `The value of the header \`${name}\` holds ${bad}, which never goes on the wire`,
    );
  }
}
