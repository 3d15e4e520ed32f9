import type { Diagnostic } from "../../base/text/diagnostic.ts";

/** What precedes a host, and what follows a path: a base URL has neither. */
const USER = "^[^/]*//[^/?#]*@";
const EXTRA = "[?#]";

/** A base URL to an editor, as far as one pattern can check. */
export const BASE_URL_FORM = {
  format: "uri",
  not: { pattern: `${USER}|${EXTRA}` },
} as const;

const SCHEMES = ["http:", "https:", "ws:", "wss:", "grpc:", "grpcs:"];

/** Checks one `base_urls` entry: an absolute URL of a host, without credentials. */
export function baseUrlError(text: string): Diagnostic<string> | undefined {
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(text)?.[1];
  if (!scheme) {
    return {
      at: text,
      code: "bad-base-url",
      message: `"${text}" is not an absolute URL`,
      hint: /^[\w.-]+(:\d+)?(\/|$)/.test(text)
        ? `did you mean "${likelyScheme(text)}://${text}"?`
        : 'for example "https://staging.example.com"',
    };
  }
  const protocol = `${scheme.toLowerCase()}:`;
  if (!SCHEMES.includes(protocol)) {
    return {
      at: scheme,
      code: "bad-base-url",
      message: `a base URL starts with http or https, not with \`${scheme}\``,
    };
  }
  // URL() drops tabs and line breaks and turns \ into /, so they could hide a host.
  // deno-lint-ignore no-control-regex
  const odd = /[\u0000-\u0020\\\u007f]/.exec(text)?.[0];
  let url: URL | undefined;
  try {
    // Other schemes are parsed as opaque, with fewer checks, by the URL standard.
    if (odd === undefined) {
      url = new URL(text.replace(/^(ws|grpc)(s?):/i, "http$2:"));
    }
  } catch {
    url = undefined;
  }
  if (!url || !isAuthority(text)) {
    return {
      at: text,
      code: "bad-base-url",
      message: `"${text}" is not a valid URL`,
    };
  }
  if (
    url.username !== "" || url.password !== "" ||
    new RegExp(USER).test(text)
  ) {
    return {
      at: text.slice(text.indexOf("//") + 2, text.indexOf("@")),
      code: "credentials-in-target",
      message:
        "a target file never carries credentials, but this URL has a user in it",
      hint: "put `auth` into the flow, with {{ env.* }} templates",
    };
  }
  const extra = new RegExp(`${EXTRA}.*$`).exec(text)?.[0];
  if (extra === undefined) return undefined;
  return {
    at: extra,
    code: "bad-base-url",
    message: `a base URL is a host and a path, without \`${extra}\``,
  };
}

/** A machine's own addresses seldom have a certificate. */
function likelyScheme(host: string): string {
  return /^(localhost(:|\/|$)|127\.)/i.test(host) ? "http" : "https";
}

/**
 * Whether the text names a host plainly. The URL standard forgives empty
 * labels, escapes and punctuation in a host; an allow-list must not.
 */
function isAuthority(text: string): boolean {
  const [, authority = ""] = /^[^/]*\/\/([^/?#]*)/.exec(text) ?? [];
  const hostPort = authority.slice(authority.lastIndexOf("@") + 1);
  const [, host = "", port] =
    /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(hostPort) ??
      [];
  const plain = host.startsWith("[") ||
    /^[\p{L}\p{M}\p{N}_-]+(\.[\p{L}\p{M}\p{N}_-]+)*\.?$/u.test(host);
  return plain && (!port || Number(port) >= 1);
}

/** Checks `host:port`, with an IPv6 host in brackets. */
export function hostPortError(text: string): Diagnostic<string> | undefined {
  const match = /^(\[[0-9A-Fa-f:.]+\]|[^\s:/@?#[\]]+):(\d{1,5})$/.exec(text);
  if (match && Number(match[2]) >= 1 && Number(match[2]) <= 65_535) return;
  const host = /^\w+:\/\/([^/]+)/.exec(text)?.[1];
  return {
    at: text,
    code: "bad-address",
    message: `\`agent_addr\` must be "host:port", but it is "${text}"`,
    hint: host
      ? `without the scheme: "${host.includes(":") ? host : `${host}:9090`}"`
      : /^[\w.-]+$/.test(text)
      ? `did you mean "${text}:9090"?`
      : 'for example "10.0.0.5:9090"',
  };
}
