import {
  compileAsText,
  type Names,
  NO_SCOPE,
  parseTemplate,
  quote,
  type Reference,
  type Scope,
  type TextPart,
  type TextTemplate,
} from "../language/expressions/template.ts";
import { RequestError } from "../wire/http1/request_head.ts";
import { encodePathValue, encodeQueryValue } from "../wire/net/url.ts";

/** A value of a URL, and the template it comes from. */
interface UrlValue {
  readonly reference: Reference;
  readonly value: TextPart;
}

/**
 * Compiles a URL with templates. The value of one that begins the URL is a URL
 * reference (RFC 3986 section 4.1) without its fragment: what a server gave as
 * the next place to go. Everywhere else a value is data, so that it can neither
 * end the path nor add a parameter.
 *
 * @throws {RequestError} when a value that is known already cannot be there
 */
export function compileUrl(text: string, names: Names): TextTemplate {
  const parts = parseTemplate(text).map((part) =>
    typeof part === "string"
      ? part
      : { reference: part, value: compileAsText(part, names) }
  );
  const render = (scope: Scope): string => {
    let url = "";
    for (let index = 0; index < parts.length; index++) {
      const part = parts[index]!;
      url += typeof part === "string"
        ? part
        : index === 0
        ? withoutFragment(urlText(part, scope))
        : asData(part, urlText(part, scope), url);
    }
    return url;
  };
  const known = parts.every((part) =>
    typeof part === "string" || typeof part.value === "string"
  );
  if (!known) return { render };
  const constant = render(NO_SCOPE);
  return { constant, render: () => constant };
}

function urlText({ value }: UrlValue, scope: Scope): string {
  return typeof value === "string" ? value : value(scope);
}

function withoutFragment(reference: string): string {
  const hash = reference.indexOf("#");
  return hash < 0 ? reference : reference.slice(0, hash);
}

/** Ends within the host and port. */
const IN_AUTHORITY = /^[a-z][a-z0-9+.-]*:\/\/[^/]*$/i;

/** A value as it is written behind `before`, the URL up to it. */
function asData(
  { reference }: UrlValue,
  text: string,
  before: string,
): string {
  if (before.includes("?")) return encodeQueryValue(text);
  if (!IN_AUTHORITY.test(before)) return encodePathValue(text);
  // Host and port stand as they are, and are compared with the allow-list.
  const slash = text.indexOf("/");
  const host = slash < 0 ? text : text.slice(0, slash);
  const bad = /[?#]/.exec(host)?.[0];
  if (bad === undefined) {
    return host + encodePathValue(text.slice(host.length));
  }
  throw new RequestError(
    `${
      quote(reference)
    } is where a URL has its host, and its value holds \`${bad}\``,
  );
}
