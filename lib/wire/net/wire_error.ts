import { formatDuration } from "../../base/values/duration.ts";
import { EXHAUSTED, type Failure } from "../../model/result/failure.ts";

/** Why there is no connection, or no whole response. */
export class WireError extends Error {
  override readonly name: string = "WireError";

  /** @param code one of the wire codes of `Failure`, such as `refused` */
  constructor(readonly code: string, message: string) {
    super(message);
  }

  get failure(): Failure {
    return { code: this.code, message: this.message };
  }
}

/**
 * The server did not speak HTTP/1.1 (RFC 9112).
 *
 * @param reason a short fixed phrase, such as `bad chunk size`
 * @param detail what was there instead
 */
export function protocolError(reason: string, detail?: string): WireError {
  return new WireError(
    "protocol",
    `protocol: ${reason}${detail === undefined ? "" : `: ${detail}`}`,
  );
}

/*
 * Why an exchange has no whole response, in the same words whatever it travels
 * on: HTTP/1.1, HTTP/2, or the handshake of a WebSocket.
 */

/** Bytes of a body that are kept; a longer one is a failure. */
export const MAX_BODY_BYTES: number = 16 * 1024 * 1024;

export const TOO_LARGE: Failure = {
  code: "too-large",
  message: `The body is longer than the ${MAX_BODY_BYTES} bytes that are kept`,
};

/** This side closed the connection, because the run has to end. */
export const GIVEN_UP: Failure = {
  code: "aborted",
  message: "The run was stopped before the response was complete",
};

/** @param doing what was under way, such as `connecting` */
export function timedOut(timeoutMs: number, doing: string): Failure {
  // Clocks are read to the microsecond: of the same bound each wait differs a little.
  const ms = timeoutMs < 1 ? timeoutMs : Math.round(timeoutMs);
  return {
    code: "timeout",
    message: `No complete response within ${
      formatDuration(Math.round(ms * 1_000))
    }: timed out ${doing}`,
  };
}

/** The operating system's error names by wire code. */
const CAUSES: Readonly<Record<string, readonly [code: string, why: string]>> = {
  ECONNREFUSED: ["refused", "connection refused"],
  ECONNRESET: ["reset", "connection reset while connecting"],
  EHOSTUNREACH: ["unreachable", "no route to host"],
  ENETUNREACH: ["unreachable", "network unreachable"],
  EHOSTDOWN: ["unreachable", "host is down"],
  ETIMEDOUT: ["unreachable", "the operating system gave up connecting"],
  EADDRNOTAVAIL: [
    EXHAUSTED,
    "no local port or address left; connections of this machine may be waiting to close",
  ],
  EMFILE: [
    EXHAUSTED,
    "too many open files; raise the limit with `ulimit -n`",
  ],
  ENFILE: [EXHAUSTED, "the system has too many open files"],
};

/** @param to the address that could not be connected to, such as `host:port` in backticks */
export function connectError(error: unknown, to: string): WireError {
  const name = errorCode(error);
  const [code, why] =
    (name !== undefined && Object.hasOwn(CAUSES, name)
      ? CAUSES[name]
      : undefined) ?? ["connect", messageOf(error)];
  return new WireError(code, `Cannot connect to ${to}: ${why}`);
}

/** Why the name of a host gave no address. */
export function lookupError(error: unknown, host: string): WireError {
  const name = errorCode(error);
  const why = name === "ENOTFOUND" || name === "ENODATA"
    ? "no such host"
    : name === "EAI_AGAIN"
    ? "the name server did not respond"
    : messageOf(error);
  return new WireError("dns", `Cannot look up \`${host}\`: ${why}`);
}

/** The alert that says so is lost when the connection is gone before it is read. */
export const MAY_WANT_CERTIFICATE =
  "a server that requires a certificate from this side, or refuses the one it got, does that; see `--cert` and `--key`";

/** Messages of TLS libraries, in our words; the first that matches counts. */
const TLS_CAUSES: readonly (readonly [RegExp, string])[] = [
  // An alert of the server is never about its own certificate (RFC 8446 section 6.2).
  [
    /alert.*certificate ?required/i,
    "the server requires a certificate from this side; see `--cert` and `--key`",
  ],
  [
    /alert.*unknown ?ca/i,
    "the server does not know the authority that signed this side's certificate (`--cert`)",
  ],
  [
    /alert.*certificate ?expired/i,
    "the server says that this side's certificate (`--cert`) has expired",
  ],
  [
    /alert.*certificate ?revoked/i,
    "the server says that this side's certificate (`--cert`) was revoked",
  ],
  [
    /alert.*access ?denied/i,
    "the server denies access to the owner of this side's certificate (`--cert`)",
  ],
  [
    /NotValidForName|ALTNAME|not valid for name/i,
    "the certificate is not for this host",
  ],
  [/NotValidYet|NOT_YET_VALID/i, "the certificate is not valid yet"],
  [/Expired|HAS_EXPIRED/i, "the certificate has expired"],
  [
    // Deno's node:tls says this of an expired certificate as well.
    /UNABLE_TO_VERIFY_LEAF_SIGNATURE/,
    "the certificate has expired, or is not signed by a known authority; `--cacert` adds one",
  ],
  [
    /UnknownIssuer|SELF_SIGNED|UNABLE_TO|CaUsedAsEndEntity/i,
    "the certificate is not signed by a known authority; `--cacert` adds one",
  ],
  [/Revoked/i, "the certificate was revoked"],
  [
    // Of a server with old ciphers alone, and of one of TLS 1.2 that misses a certificate.
    /handshake_?failure/i,
    "the server found nothing that both sides speak (here TLS 1.3, and TLS 1.2 with ECDHE and AES-GCM or ChaCha20), or it requires a certificate; see `--cert` and `--key`",
  ],
  [
    /ProtocolVersion|protocol version/i,
    "the server takes neither TLS 1.3 nor TLS 1.2",
  ],
  [
    /alert.*certificate|BadCertificate/i,
    "the server refused this side's certificate, or requires one; see `--cert` and `--key`",
  ],
  [
    /InvalidContentType|corrupt message|wrong version|InvalidMessage/i,
    "the server does not speak TLS on this port",
  ],
  [
    /broken ?pipe/i,
    `the server closed the connection: ${MAY_WANT_CERTIFICATE}`,
  ],
  [
    /NoApplicationProtocol/i,
    "the server does not speak the HTTP version that was asked for; see `--http` (gRPC steps need HTTP/2)",
  ],
];

/** The end of a connection that TLS did not announce (RFC 8446 section 6.1). */
export function isTlsCutOff(error: unknown): boolean {
  return error instanceof Deno.errors.UnexpectedEof;
}

/**
 * The message of a broken connection. With TLS 1.3 a server refuses a
 * certificate when the handshake is over for this side.
 */
export function brokenBy(error: unknown): string {
  if (isTlsCutOff(error)) {
    return "TLS ended without close_notify, as when a response is cut off";
  }
  const said = messageOf(error);
  if (!/fatal alert/i.test(said)) return said;
  return TLS_CAUSES.find(([pattern]) => pattern.test(said))?.[1] ?? said;
}

/** Why the TLS handshake with `host` failed. */
export function tlsError(error: unknown, host: string): WireError {
  const said = `${errorCode(error) ?? ""} ${messageOf(error)}`;
  const eof = isTlsCutOff(error) ||
    error instanceof Deno.errors.ConnectionReset ||
    errorCode(error) === "ECONNRESET";
  const why = TLS_CAUSES.find(([pattern]) => pattern.test(said))?.[1] ??
    (eof ? "the server closed the connection" : messageOf(error));
  return new WireError("tls", `No TLS with \`${host}\`: ${why}`);
}

function errorCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" ? code : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
