import { normalizeHost } from "./host.ts";

/** Where a request goes: scheme family, host and port (RFC 6454). */
export interface Origin {
  /** As it was written, in lower case; says nothing about what is equal. */
  readonly scheme: string;
  /** `ws` and `grpc` count as http, `wss` and `grpcs` as https. */
  readonly family: "http" | "https";
  /** In its one spelling; IPv6 without brackets. See `normalizeHost`. */
  readonly host: string;
  /** 1 to 65535. */
  readonly port: number;
  /** Equal for equal origins: `http://host:port`, the port always written. */
  readonly key: string;
  /** The `Host` field: `host[:port]`, the port only when it is not the default. */
  readonly hostHeader: string;
}

const FAMILIES: Readonly<Record<string, "http" | "https">> = {
  http: "http",
  ws: "http",
  grpc: "http",
  https: "https",
  wss: "https",
  grpcs: "https",
};

/** The default port of each family; gRPC addresses follow it too. */
const DEFAULT_PORTS = { http: 80, https: 443 } as const;

/** Scheme, host and port for a message, in the scheme the user wrote. */
export function writtenOrigin({ scheme, family, key }: Origin): string {
  return scheme + key.slice(family.length);
}

/** As a URL begins: `https://host`, the port only when it is not the default. */
export function originText({ family, hostHeader }: Origin): string {
  return `${family}://${hostHeader}`;
}

/** `scheme://authority` and what follows, split as RFC 3986 appendix B does. */
interface SplitUrl {
  readonly scheme: string;
  readonly authority: string;
  readonly rest: string;
}

/** Splits an absolute URL; undefined when the text has no `scheme://`. */
export function splitUrl(url: string): SplitUrl | undefined {
  const match = /^([A-Za-z][A-Za-z0-9+.-]*):\/\/([^/?#]*)/.exec(url);
  if (!match) return undefined;
  return {
    scheme: match[1]!.toLowerCase(),
    authority: match[2]!,
    rest: url.slice(match[0].length),
  };
}

/**
 * The origin of an absolute URL; path, query and fragment are not looked at.
 *
 * @throws {SyntaxError} when it is not absolute, names no usable host, has
 *   userinfo, or its scheme is unknown
 * @throws {RangeError} when the port is not 1 to 65535
 */
export function parseOrigin(url: string): Origin {
  const split = splitUrl(url);
  if (!split) {
    throw new SyntaxError(
      `\`${url}\` is not an absolute URL: expected scheme://host, such as http://localhost:8080`,
    );
  }
  const family = Object.hasOwn(FAMILIES, split.scheme)
    ? FAMILIES[split.scheme]
    : undefined;
  if (!family) {
    throw new SyntaxError(
      `\`${split.scheme}\` in \`${url}\` is not a usable scheme: expected ${
        Object.keys(FAMILIES).join(", ")
      }`,
    );
  }
  if (split.authority.includes("@")) {
    // The text is left out of the message: it may hold a password.
    throw new SyntaxError(
      "A URL must not hold userinfo (`user@` before the host): credentials belong to `auth`",
    );
  }
  const [host, port] = splitPort(split.authority);
  if (host === "") throw new SyntaxError(`\`${url}\` has no host`);
  // Of an address without brackets the last part is no port.
  const isWhole = host.includes(":") && !host.startsWith("[");
  return makeOrigin(
    split.scheme,
    family,
    normalizeHost(isWhole ? split.authority : host),
    port === "" ? DEFAULT_PORTS[family] : parsePort(port, url),
  );
}

/** Port text after the last colon outside brackets; empty when there is none. */
function splitPort(authority: string): [host: string, port: string] {
  const colon = authority.lastIndexOf(":");
  if (colon < 0 || colon < authority.lastIndexOf("]")) return [authority, ""];
  return [authority.slice(0, colon), authority.slice(colon + 1)];
}

function parsePort(text: string, url: string): number {
  if (!/^\d+$/.test(text)) {
    throw new SyntaxError(`\`${text}\` in \`${url}\` is not a port number`);
  }
  const port = Number(text);
  if (port < 1 || port > 65_535) {
    throw new RangeError(`Port ${text} in \`${url}\` is not in 1 to 65535`);
  }
  return port;
}

function makeOrigin(
  scheme: string,
  family: "http" | "https",
  host: string,
  port: number,
): Origin {
  const bracketed = host.includes(":") ? `[${host}]` : host;
  return {
    scheme,
    family,
    host,
    port,
    key: `${family}://${bracketed}:${port}`,
    hostHeader: port === DEFAULT_PORTS[family]
      ? bracketed
      : `${bracketed}:${port}`,
  };
}
