import { nearest } from "../../base/text/suggest.ts";
import { type Origin, parseOrigin, splitUrl, writtenOrigin } from "./origin.ts";

/** One entry of `base_urls`. */
export interface BaseUrl {
  readonly origin: Origin;
  /** As sent, without a trailing slash: empty or such as `/api`. */
  readonly path: string;
}

/** A URL ready for the wire. */
export interface ResolvedUrl {
  readonly origin: Origin;
  /** As sent; starts with `/`. */
  readonly path: string;
  /** As sent, without the `?`; empty when there is none. */
  readonly query: string;
}

/**
 * Reads a base URL: absolute, no userinfo, no query, no fragment.
 *
 * @throws {SyntaxError} when it is not such a URL
 * @throws {RangeError} when its port is out of range
 */
export function parseBaseUrl(text: string): BaseUrl {
  const origin = parseOrigin(text);
  const { rest } = splitUrl(text)!;
  const extra = /[?#]/.exec(rest)?.[0];
  if (extra !== undefined) {
    throw new SyntaxError(
      `A base URL must not hold a ${
        extra === "?" ? "query" : "fragment"
      }: remove everything from \`${extra}\` on in \`${text}\``,
    );
  }
  return { origin, path: encodePath(rest).replace(/\/+$/, "") };
}

/**
 * Makes a rendered URL ready for the wire (RFC 3986). A relative one (empty, or
 * beginning with `/` or `?`) is `base` with its path in front; an absolute one
 * stands for itself. Characters the RFC forbids are percent-encoded as UTF-8;
 * existing escapes and dot segments stay as written; the fragment is dropped.
 *
 * `//host/path` would name another host without saying so and is refused.
 *
 * @throws {SyntaxError} when it is neither, has userinfo or an unusable host
 * @throws {RangeError} when its port is out of range
 */
export function resolveUrl(rendered: string, base: BaseUrl): ResolvedUrl {
  const first = rendered.charCodeAt(0);
  if (rendered === "" || first === 0x2f || first === 0x3f || first === 0x23) {
    if (rendered.startsWith("//")) {
      throw new SyntaxError(
        `\`${rendered}\` begins with \`//\`, which names another host: write the scheme too, or a single \`/\``,
      );
    }
    return finish(base.origin, base.path, rendered);
  }
  const split = splitUrl(rendered);
  if (!split) {
    throw new SyntaxError(
      `\`${rendered}\` is neither a path nor an absolute URL: begin with \`/\`, or with a scheme such as \`http://\``,
    );
  }
  const origin = rendered.startsWith(base.origin.key) &&
      rendered.length - split.rest.length === base.origin.key.length
    ? base.origin
    : parseOrigin(rendered);
  return finish(origin, "", split.rest);
}

/**
 * One query name or value as it is sent: everything but unreserved characters
 * (RFC 3986 section 2.3) is percent-encoded, a space as `%20`.
 */
export function encodeQueryValue(text: string): string {
  return escapeText(text)
    .replace(/[!'()*]/g, (each) => escapeByte(each.charCodeAt(0)));
}

/**
 * A value as it is in a path: everything but unreserved characters,
 * sub-delims, `:`, `@` and `/` is percent-encoded, `%` too.
 */
export function encodePathValue(text: string): string {
  return PATH_VALUE.test(text)
    ? text
    : text.replace(NOT_PATH_VALUE, escapeText);
}

function finish(origin: Origin, before: string, rest: string): ResolvedUrl {
  const hash = rest.indexOf("#");
  const whole = hash < 0 ? rest : rest.slice(0, hash);
  const mark = whole.indexOf("?");
  const path = before + encodePath(mark < 0 ? whole : whole.slice(0, mark));
  return {
    origin,
    path: path === "" ? "/" : path,
    query: mark < 0 ? "" : encodeQuery(whole.slice(mark + 1)),
  };
}

// pchar and "/" (RFC 3986 section 3.3); the query adds "?" (section 3.4).
const PATH = /^(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})*$/;
const QUERY = /^(?:[A-Za-z0-9._~!$&'()*+,;=:@/?-]|%[0-9A-Fa-f]{2})*$/;
const PATH_VALUE = /^[A-Za-z0-9._~!$&'()*+,;=:@/-]*$/;
const NOT_PATH_VALUE = /[^A-Za-z0-9._~!$&'()*+,;=:@/-]+/g;
const NOT_PATH = /%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9._~!$&'()*+,;=:@/%-]+/g;
const NOT_QUERY = /%(?![0-9A-Fa-f]{2})|[^A-Za-z0-9._~!$&'()*+,;=:@/?%-]+/g;

function encodePath(text: string): string {
  return PATH.test(text) ? text : text.replace(NOT_PATH, escapeText);
}

function encodeQuery(text: string): string {
  return QUERY.test(text) ? text : text.replace(NOT_QUERY, escapeText);
}

/** `encodeURIComponent` leaves some characters as they are, of which no text here has any. */
function escapeText(text: string): string {
  return encodeURIComponent(text.isWellFormed() ? text : text.toWellFormed());
}

function escapeByte(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
}

/** Origins that a refusal names. */
const MOST_NAMED = 5;

/** The origins a run may contact; asked before every name look-up. */
export class AllowList {
  /** Origins by key. */
  readonly #origins = new Map<string, Origin>();

  constructor(bases: readonly BaseUrl[]) {
    for (const { origin } of bases) {
      if (!this.permits(origin)) this.#origins.set(origin.key, origin);
    }
  }

  /** Whether the origin's family, host and port are those of a base URL. */
  permits(origin: Origin): boolean {
    return this.#origins.has(origin.key);
  }

  /** Why it may not be contacted, in words; undefined when it may. */
  refusal(origin: Origin): string | undefined {
    if (this.permits(origin)) return undefined;
    const permitted = this.#namesFor(origin);
    return `\`${
      writtenOrigin(origin)
    }\` is not on the target's allow-list: base_urls permits ${permitted}`;
  }

  /** Of many origins those that may have been meant; each failure repeats them. */
  #namesFor({ host }: Origin): string {
    const all = [...this.#origins.values()];
    const near = nearest(host, all.map((each) => each.host));
    const likeness = (each: Origin) =>
      each.host === host ? 2 : each.host === near ? 1 : 0;
    const others = all.length - MOST_NAMED;
    const names = all.toSorted((a, b) => likeness(b) - likeness(a))
      .slice(0, others > 1 ? MOST_NAMED : undefined)
      .map((each) => `\`${writtenOrigin(each)}\``).join(", ");
    return others > 1 ? `${names} and ${others} more` : names;
  }
}
