import {
  Cookie,
  defaultPath,
  domainMatch,
  getPublicSuffix,
  pathMatch,
} from "tough-cookie";
import { isLoopback } from "../base/values/loopback.ts";
import {
  namesCredential,
  namesSessionCookie,
} from "../language/source/credentials.ts";
import type { ResolvedUrl } from "../wire/net/url.ts";

/** Where a cookie goes, by what name; the jars of all VUs share it. */
interface Place {
  readonly name: string;
  /** The host that set it, or the domain it is for. */
  readonly domain: string;
  /** It goes to that host alone, and not to those below it. */
  readonly hostOnly: boolean;
  readonly path: string;
  readonly secure: boolean;
  /** Whether it is named like a credential. */
  readonly secret: boolean;
}

/** A cookie as it is kept (RFC 6265 section 5.3). */
interface Kept {
  readonly place: Place;
  /** As it is sent: `name=value`. */
  readonly pair: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
  /** Rises from one cookie that its jar took to the next. */
  readonly nth: number;
}

/** As many as browsers keep of one site; the one that was set longest ago makes room. */
const MOST_COOKIES = 180;
const MOST_MADE = 2;
/** Of name and value; browsers keep no longer one. */
const LONGEST = 4_096;

/** A shorter value, such as `yes`, lets no one in. */
const LEAST_SECRET = 8;

/** A thing that was made of a `Cookie` field, and its maker. */
interface Made {
  readonly by: object;
  readonly field: string;
}

/** The cookies of a request. */
export type Cookies = Pick<CookieJar, "field">;

/**
 * The cookies of a virtual user (RFC 6265). The library reads what a response says,
 * and knows domains, paths and public suffixes; its own jar takes 1 KB a cookie and
 * several microseconds a request.
 */
export class CookieJar {
  /** Cookies with the longest path first, as they are sent (section 5.4). */
  #cookies: readonly Kept[] = NONE;
  #made: readonly Made[] = NOTHING_MADE;
  #taken = 0;
  #secrets: string[] | undefined;

  /** @param wall milliseconds since the epoch */
  constructor(readonly wall: () => number) {}

  clear(): void {
    this.#cookies = NONE;
    this.#made = NOTHING_MADE;
    this.#secrets = undefined;
  }

  /** An iteration begins with what is kept. */
  renew(): void {
    this.#secrets = undefined;
    for (const each of this.#cookies) this.#noteSecret(each);
  }

  /** The values since then, or since it was empty, that are credentials by the names of their cookies. */
  get secrets(): readonly string[] | undefined {
    return this.#secrets;
  }

  #noteSecret({ place: { name, secret }, pair }: Kept): void {
    if (!secret) return;
    const value = pair.slice(name.length + 1).replace(/^"(.*)"$/s, "$1");
    if (value.length < LEAST_SECRET || this.#secrets?.includes(value)) return;
    (this.#secrets ??= []).push(value);
  }

  /**
   * The thing that `make` makes of a field; the same again as long as the field is the same.
   * A few are kept, so that a virtual user stays small.
   *
   * @param by who asks
   */
  made<What extends Made>(
    by: What["by"],
    field: string,
    make: (by: What["by"], field: string) => What,
  ): What {
    const known = this.#made.find((each) => each.by === by);
    if (known?.field === field) return known as What;
    const what = make(by, field);
    const others = this.#made.filter((each) => each !== known);
    this.#made = [what, ...others.slice(0, MOST_MADE - 1)];
    return what;
  }

  /** Takes what a response of `from` sets. */
  take(lines: readonly string[], from: ResolvedUrl): void {
    for (const line of lines) {
      const kept = keptOf(line, from, this.wall(), this.#taken++);
      if (kept) this.#keep(kept);
    }
  }

  /**
   * The `Cookie` field of a request; empty when no cookie goes there.
   *
   * @param own the cookies that the step sends itself: by name they take the place of these
   */
  field(to: ResolvedUrl, own = ""): string {
    const all = this.#cookies;
    if (all.length === 0) return own;
    const names = own === "" ? undefined : namesIn(own);
    let field = own;
    for (const each of all) {
      if (!this.#goesTo(each, to) || names?.has(each.place.name)) continue;
      field = field === "" ? each.pair : `${field}; ${each.pair}`;
    }
    return field;
  }

  #goesTo({ place, until }: Kept, { origin, path }: ResolvedUrl): boolean {
    const { domain } = place;
    const { host } = origin;
    return (host === domain ||
      !place.hostOnly && domainMatch(host, domain, false) === true) &&
      (place.path === "/" || pathMatch(path, place.path)) &&
      (!place.secure || origin.family === "https" || isLoopback(host)) &&
      (until === Infinity || until > this.wall());
  }

  /** One of the same name, domain and path is replaced, and goes where the old one was. */
  #keep(kept: Kept): void {
    const now = this.wall();
    const { name, domain, path } = kept.place;
    const old = this.#cookies.findIndex(({ place }) =>
      name === place.name && domain === place.domain && path === place.path
    );
    const expired = kept.until <= now;
    if (!expired) this.#noteSecret(kept);
    if (old >= 0) {
      this.#cookies = expired
        ? this.#cookies.toSpliced(old, 1)
        : this.#cookies.with(old, kept);
    } else if (!expired) {
      const all = this.#withRoom(now);
      const next = all.findIndex(({ place }) =>
        place.path.length < path.length
      );
      this.#cookies = all.toSpliced(next < 0 ? all.length : next, 0, kept);
    }
  }

  /** Expired cookies make room, or else the one that was set longest ago (section 5.3). */
  #withRoom(now: number): readonly Kept[] {
    if (this.#cookies.length < MOST_COOKIES) return this.#cookies;
    const valid = this.#cookies.filter(({ until }) => until > now);
    if (valid.length < MOST_COOKIES) return valid;
    const oldest = Math.min(...valid.map(({ nth }) => nth));
    return valid.filter(({ nth }) => nth !== oldest);
  }
}

const NONE: readonly Kept[] = [];
const NOTHING_MADE: readonly Made[] = [];

/** The cookie to keep of one line of `Set-Cookie`; undefined when there is none to keep. */
function keptOf(
  line: string,
  { origin: { host, family }, path: at }: ResolvedUrl,
  now: number,
  nth: number,
): Kept | undefined {
  if (line.length > 2 * LONGEST) return;
  const read = Cookie.parse(line);
  if (!read || read.key.length + read.value.length > LONGEST) return;
  const { key: name, value, secure } = read;
  // Browsers take `Secure` cookies from this machine without TLS, and send them to it.
  if (secure && family !== "https" && !isLoopback(host)) return;
  const domain = read.domain && read.domain !== host ? read.domain : undefined;
  if (domain !== undefined && !mayCover(host, domain)) return;
  const path = read.path ?? defaultPath(at);
  if (name.startsWith("__Secure-") && !secure) return;
  const own = secure && read.domain === null && read.path === "/";
  if (name.startsWith("__Host-") && !own) return;
  const place = shared({
    name,
    domain: domain ?? host,
    hostOnly: read.domain === null || !mayCover(host, host),
    path,
    secure,
    secret: namesSessionCookie(name) || namesCredential(name),
  });
  const pair = ownText(`${name}=${value}`);
  return { place, pair, until: untilOf(read, now), nth };
}

const places = new Map<string, Place>();
const MOST_PLACES = 1_000;

function shared(place: Place): Place {
  const { name, domain, hostOnly, path, secure } = place;
  const key = `${name};${domain};${hostOnly};${path};${secure}`;
  const known = places.get(key);
  if (known) return known;
  if (places.size >= MOST_PLACES) places.clear();
  places.set(key, place);
  return place;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** A part of a text keeps the whole in memory: here, the line it came in. */
function ownText(part: string): string {
  return decoder.decode(encoder.encode(part));
}

function untilOf({ maxAge, expires }: Cookie, now: number): number {
  // It goes before `Expires` (section 5.3).
  if (maxAge !== null) {
    return Number(maxAge) > 0 ? now + Number(maxAge) * 1_000 : 0;
  }
  return expires instanceof Date ? expires.getTime() : Infinity;
}

const covered = new Map<string, boolean>();
const MOST_COVERED = 1_000;

/** Whether a host may set cookies for a domain: one it lies below, and no public suffix. */
function mayCover(host: string, domain: string): boolean {
  if (!domainMatch(host, domain)) return false;
  let may = covered.get(domain);
  if (may === undefined) {
    const known = { allowSpecialUseDomain: true, ignoreError: true };
    may = getPublicSuffix(domain, known) !== undefined;
    if (covered.size >= MOST_COVERED) covered.clear();
    covered.set(domain, may);
  }
  return may;
}

function namesIn(field: string): ReadonlySet<string> {
  return new Set(field.split(";").map((pair) => pair.split("=", 1)[0]!.trim()));
}
