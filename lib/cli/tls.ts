import { createPrivateKey, X509Certificate } from "node:crypto";
import { InputError } from "../text/diagnostic.ts";
import { osReason } from "../text/os_reason.ts";
import type { TlsOptions } from "../run.ts";
import type { Console } from "./console.ts";

/** The TLS flags of `bench run`. */
export interface TlsFlags {
  readonly cacert?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly insecure?: true;
}

/** What the flags say, and what the run's record should say of them. */
export interface TlsChoice {
  readonly options: TlsOptions;
  readonly notes: readonly string[];
}

const UNVERIFIED =
  "certificates were not verified (--insecure): anybody could have answered in the target's place";

/**
 * Reads the certificate files; warns loudly about `--insecure`.
 *
 * @throws {InputError} for a missing file, or a certificate without its key
 */
export function readTls(flags: TlsFlags, console: Console): TlsChoice {
  const { cacert, cert, key, insecure = false } = flags;
  if ((cert === undefined) !== (key === undefined)) {
    const [given, missing] = cert === undefined
      ? ["--key", "--cert"]
      : ["--cert", "--key"];
    throw refuse(given, `${given} needs ${missing} as well`);
  }
  if (insecure) {
    console.err(
      "WARNING: --insecure: certificates are NOT verified; anybody can answer in the target's place\n",
    );
  }
  return {
    options: {
      caCerts: cacert === undefined
        ? []
        : [readPem("--cacert", cacert, "CERTIFICATE")],
      ...(cert !== undefined &&
        { cert: readPem("--cert", cert, "CERTIFICATE") }),
      ...(key !== undefined && { key: readPem("--key", key, "PRIVATE KEY") }),
      insecure,
    },
    notes: insecure ? [UNVERIFIED] : [],
  };
}

function readPem(flag: string, path: string, kind: string): string {
  let text: string;
  try {
    text = Deno.readTextFileSync(path);
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
  return new InputError([{ code: "tls-files", file, message }], new Map());
}
