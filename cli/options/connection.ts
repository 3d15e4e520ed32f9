import { ifPossible } from "../../lib/base/values/if_possible.ts";
import { createPrivateKey, X509Certificate } from "node:crypto";
import * as net from "node:net";
import { type InputError, refusal } from "../../lib/base/text/diagnostic.ts";
import { shellWord } from "../../lib/base/text/display.ts";
import { osReason } from "../../lib/base/text/os_reason.ts";
import { readInput } from "../../lib/base/text/read_input.ts";
import type { RouteOptions, TlsOptions } from "../../lib/run.ts";
import type { Console } from "../terminal/console.ts";
import type { FlagsOf } from "./option.ts";
import type { CONNECTION } from "./shared_options.ts";

type Flags = FlagsOf<typeof CONNECTION>;

/** The settings of the flags, and their part of the run's record. */
interface Connection {
  readonly tls: TlsOptions;
  readonly route?: RouteOptions;
  readonly notes: readonly string[];
}

/** The note of a run with `--insecure`. */
export const UNVERIFIED =
  "certificates were not verified (--insecure): any server could have posed as the target";

/**
 * Reads the certificate files, `--resolve` and `--proxy`; warns loudly about `--insecure`.
 *
 * @throws {InputError} for a missing file, a certificate without its key or with
 *   another's, a key that TLS cannot use, or a flag that does not say what it has to
 */
export function readConnection(flags: Flags, console: Console): Connection {
  const { cacert, insecure = false } = flags;
  const pair = readPair(flags);
  const route = readRoute(flags);
  if (insecure) {
    console.err(
      "WARNING: --insecure: certificates are NOT verified; any server can pose as the target\n",
    );
  }
  return {
    tls: {
      caCerts: cacert === undefined
        ? []
        : [readPem("--cacert", cacert, "CERTIFICATE")],
      ...pair,
      insecure,
    },
    ...(route && { route }),
    notes: insecure ? [UNVERIFIED] : [],
  };
}

/** A pair that does not fit would be reported as a failed handshake, at every request. */
function readPair(
  { cert, key }: Flags,
): Pick<TlsOptions, "cert" | "key"> {
  if (cert === undefined && key === undefined) return {};
  if (cert === undefined) throw refuse("--key", "it needs --cert as well");
  if (key === undefined) throw refuse("--cert", "it needs --key as well");
  const pair = {
    cert: readPem("--cert", cert, "CERTIFICATE"),
    key: readPem("--key", key, "PRIVATE KEY"),
  };
  const fits = new X509Certificate(pair.cert)
    .checkPrivateKey(createPrivateKey(pair.key));
  if (!fits) {
    throw refuse(key, `${key} (--key) is not the key of ${cert} (--cert)`);
  }
  if (isUsable(pair)) return pair;
  throw refuse(
    key,
    `${key} (--key) is a kind of key that \`bench\` cannot use for TLS`,
    "RSA of 2048 bits or more, ECDSA with P-256, P-384 or P-521, and Ed25519 can be used",
  );
}

/** Whether the platform's TLS takes it: nothing else of it says so without a connection. */
function isUsable(pair: Required<Pick<TlsOptions, "cert" | "key">>): boolean {
  return ifPossible(() => {
    Deno.createHttpClient(pair).close();
    return true;
  }, false);
}

/** A key that only a password opens, of PKCS #8 (RFC 7468 section 11) or of OpenSSL. */
const ENCRYPTED =
  /^(?:-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED)/m;

/** A bundle of all authorities there are has 300 KB. */
const MOST_PEM_BYTES = 16 << 20;

/** The text of a PEM file. @throws {InputError} */
export function readPem(flag: string, path: string, kind: string): string {
  let text: string;
  try {
    text = new TextDecoder().decode(readInput(path, MOST_PEM_BYTES, true));
  } catch (error) {
    throw refuse(
      path,
      error instanceof Deno.errors.NotFound
        ? `there is no file ${path} (${flag})`
        : `cannot read ${path} (${flag}): ${osReason(error)}`,
    );
  }
  if (text.includes(`${kind}-----`) && isReadable(text, kind)) return text;
  if (kind === "PRIVATE KEY" && ENCRYPTED.test(text)) {
    throw refuse(
      path,
      `${path} (${flag}) is a private key that is encrypted`,
      `\`openssl pkey -in ${
        shellWord(path)
      } -out decrypted.pem\` asks for its password and writes it without one`,
    );
  }
  throw refuse(
    path,
    `${path} (${flag}) is not a PEM file with a ${kind.toLowerCase()}`,
  );
}

/** A file that is cut off or garbled would show up only at the first connection. */
function isReadable(text: string, kind: string): boolean {
  try {
    if (kind === "CERTIFICATE") new X509Certificate(text);
    else createPrivateKey(text);
    return true;
  } catch {
    return false;
  }
}

function refuse(file: string, message: string, hint?: string): InputError {
  return refusal(file, "tls-files", message, hint);
}

function readRoute({ resolve = [], proxy }: Flags): RouteOptions | undefined {
  if (resolve.length === 0 && proxy === undefined) return;
  const pinned: Record<string, string[]> = {};
  for (const each of resolve) {
    const { authority, addresses } = readResolve(each);
    pinned[authority] = [...pinned[authority] ?? [], ...addresses];
  }
  return {
    resolve: pinned,
    ...proxy !== undefined && { proxy: readProxy(proxy) },
  };
}

const RESOLVE = /^([^\s:[\]]+):(\d{1,5}):(.+)$/;

function readResolve(text: string): { authority: string; addresses: string[] } {
  const [, host = "", port = "", list = ""] = RESOLVE.exec(text) ?? [];
  const addresses = list.split(",").map((each) =>
    each.trim().replace(/^\[(.*)\]$/, "$1")
  );
  if (
    host !== "" && addresses.every((each) => net.isIP(each) > 0) && isPort(port)
  ) {
    return { authority: `${host.toLowerCase()}:${Number(port)}`, addresses };
  }
  throw refusal(
    "--resolve",
    "resolve",
    `it must be host:port:address, but it is ${JSON.stringify(text)}`,
    "such as shop.example:443:10.0.0.7, or several addresses: shop.example:443:10.0.0.7,10.0.0.8",
  );
}

function isPort(text: string): boolean {
  return Number(text) >= 1 && Number(text) <= 65_535;
}

function readProxy(text: string): NonNullable<RouteOptions["proxy"]> {
  const url = URL.parse(text.includes("://") ? text : `http://${text}`);
  const pair = url ? userOf(url) : undefined;
  // Proxies have no usual port: one that is left out would be guessed.
  if (
    !url || pair === undefined || url.protocol !== "http:" ||
    !/:\d+\/?$/.test(text) || url.pathname !== "/" || url.search
  ) {
    throw refusal(
      "--proxy",
      "proxy",
      "it must be http://host:port of a proxy that opens tunnels (CONNECT)",
      "such as http://127.0.0.1:3128, or http://user:password@127.0.0.1:3128, where `%` is written %25",
    );
  }
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, "$1"),
    port: Number(url.port) || 80,
    ...(pair !== ":" && {
      authorization: `Basic ${new TextEncoder().encode(pair).toBase64()}`,
      secrets: [pair, ...pair.split(/:(.*)/s, 2)],
    }),
  };
}

/** User and password of a URL; undefined when their percent-encoding is broken. */
function userOf({ username, password }: URL): string | undefined {
  return ifPossible(
    () => [username, password].map(decodeURIComponent).join(":"),
    undefined,
  );
}
