import { parseListenAddress } from "../../agent/address.ts";

/** Where a server listens that only this machine reaches. */
export const LOOPBACK = "127.0.0.1";

/**
 * Reads the value of `--addr`; without a host it is this machine alone.
 *
 * @throws {AddressError}
 */
export function listenAddress(
  text: string,
): { readonly hostname: string; readonly port: number } {
  return { hostname: LOOPBACK, ...parseListenAddress(text) };
}
