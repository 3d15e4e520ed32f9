/**
 * Certificates of a made-up authority, valid until 2226. All keys here are
 * public; trust none of them.
 */
function pem(name: string): string {
  return Deno.readTextFileSync(new URL(`${name}.pem`, import.meta.url));
}

/** A certificate and its key, PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

function pair(name: string): KeyPair {
  return { cert: pem(name), key: pem(`${name}_key`) };
}

/** Signs all of the others but `selfSigned`. */
export const authority: string = pem("ca");
/** For localhost, 127.0.0.1 and ::1. */
export const server: KeyPair = pair("server");
/** For other.test only. */
export const otherServer: KeyPair = pair("other");
/** For localhost and 127.0.0.1, until 2021. */
export const expiredServer: KeyPair = pair("expired");
/** For localhost and 127.0.0.1, signed by no authority. */
export const selfSigned: KeyPair = pair("self_signed");
/** For a client. */
export const client: KeyPair = pair("client");
/** For a client; of a kind that the platform's TLS does not know. */
export const ed448Client: KeyPair = pair("client_ed448");
