import { createPrivateKey, X509Certificate } from "node:crypto";
import { type InputError, refusal } from "../../lib/base/text/diagnostic.ts";
import { osReason } from "../../lib/base/text/os_reason.ts";
import { readInput } from "../../lib/base/text/read_input.ts";
import type { TlsOptions } from "../../lib/run.ts";
import type { Console } from "../terminal/console.ts";
import type { FlagsOf } from "./option.ts";
import type { TLS } from "./shared_options.ts";

/** What the flags say, and what the run's record should say of them. */
interface TlsChoice {
  readonly tls: TlsOptions;
  readonly notes: readonly string[];
}

const UNVERIFIED =
  "certificates were not verified (--insecure): any server could have posed as the target";

/**
 * Reads the certificate files; warns loudly about `--insecure`.
 *
 * @throws {InputError} for a missing file, or a certificate without its key or
 *   with another's
 */
export function readTls(
  flags: FlagsOf<typeof TLS>,
  console: Console,
): TlsChoice {
  const { cacert, insecure = false } = flags;
  const pair = readPair(flags);
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
    notes: insecure ? [UNVERIFIED] : [],
  };
}

/** A pair that does not fit would be reported as a failed handshake, at every request. */
function readPair(
  { cert, key }: FlagsOf<typeof TLS>,
): Pick<TlsOptions, "cert" | "key"> {
  if (cert === undefined && key === undefined) return {};
  if (cert === undefined) throw refuse("--key", "--key needs --cert as well");
  if (key === undefined) throw refuse("--cert", "--cert needs --key as well");
  const pair = {
    cert: readPem("--cert", cert, "CERTIFICATE"),
    key: readPem("--key", key, "PRIVATE KEY"),
  };
  const fits = new X509Certificate(pair.cert)
    .checkPrivateKey(createPrivateKey(pair.key));
  if (fits) return pair;
  throw refuse(key, `${key} (--key) is not the key of ${cert} (--cert)`);
}

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

function refuse(file: string, message: string): InputError {
  return refusal(file, "tls-files", message);
}
