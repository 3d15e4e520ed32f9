/*
 * Any page in the reader's browser can send requests to a server on loopback. So a
 * request must name this server, and come from this server's own pages.
 */

/** Sent with every response. */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; "),
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy":
    "camera=(), display-capture=(), geolocation=(), microphone=(), usb=()",
};

/** Why a request is refused. */
interface Refusal {
  readonly status: 403 | 405 | 421;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Why a request is refused; undefined when it is not. */
export function refusalOf(
  request: Request,
  hosts: ReadonlySet<string>,
): Refusal | undefined {
  if (request.method !== "GET" && request.method !== "HEAD") {
    return {
      status: 405,
      message: `\`${request.method}\` is refused: this server only shows runs`,
      headers: { allow: "GET, HEAD" },
    };
  }
  const host = request.headers.get("host")?.toLowerCase();
  if (host === undefined || !hosts.has(host)) {
    return {
      status: 421,
      message: `\`${host ?? ""}\` is not this server`,
    };
  }
  const site = request.headers.get("sec-fetch-site");
  const navigation = request.headers.get("sec-fetch-mode") === "navigate";
  if (site === "cross-site" && !navigation) {
    return { status: 403, message: "another site may not read runs" };
  }
}
