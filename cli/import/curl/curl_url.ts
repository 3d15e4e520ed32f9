import { Refused } from "../../../lib/base/errors/bench_error.ts";
import {
  beginsWithTemplate,
  literalsOf,
  shownText,
} from "../draft/template_text.ts";

/**
 * The URL that curl makes of what is written.
 *
 * @param added parameters that options add to its query
 * @param given the options
 * @throws {Refused} for a pattern
 */
export function wholeUrl(
  url: string,
  added: readonly string[],
  given: ReadonlyMap<string, string>,
): string {
  const absolute = /^[a-z][a-z\d+.-]*:\/\//i.test(url) ||
      beginsWithTemplate(url)
    ? url
    : `${given.get("proto-default") ?? "http"}://${url}`;
  const plain = literalsOf(absolute);
  if (
    !given.has("globoff") &&
    /\{[^{}]{0,1000},[^{}]{0,1000}\}|\[\w{1,20}-\w{1,20}(?::\d+)?\]/.test(plain)
  ) {
    throw new Refused(
      `\`${shownText(url)}\` is a pattern for several URLs`,
      "write them out, or add -g where braces and brackets are part of the URL",
    );
  }
  const whole = given.has("path-as-is") ? absolute : withoutDots(absolute);
  if (added.length === 0) return whole;
  const base = whole.split("#")[0]!;
  return base + (base.includes("?") ? "&" : "?") + added.join("&");
}

/** The URL without `.` and `..` in its path (RFC 3986 section 5.2.4). */
function withoutDots(url: string): string {
  const [, path = "", rest = ""] = /^([^?#]*)(.*)$/s.exec(url)!;
  const parts = path.split("/");
  if (!parts.some(isDots)) return url;
  const kept = parts.splice(0, beginsWithTemplate(url) ? 1 : 3);
  const hosts = kept.length;
  for (const each of parts) {
    if (!isDots(each)) kept.push(each);
    else if (each === ".." && kept.length > hosts) kept.pop();
  }
  return kept.join("/") + (isDots(parts.at(-1)!) ? "/" : "") + rest;
}

function isDots(part: string): boolean {
  return part === "." || part === "..";
}
