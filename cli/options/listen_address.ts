import { AddressError, parseListenAddress } from "../../agent/address.ts";
import { refusal } from "../../lib/base/text/diagnostic.ts";
import type { RunOptions } from "../../lib/run.ts";
import type { Console } from "../terminal/console.ts";

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

/**
 * Reads `--metrics`; where it listens is printed.
 *
 * @throws {InputError} for a text that is no address
 */
export function readMetrics(
  { metrics }: { readonly metrics?: string },
  console: Console,
): RunOptions["metrics"] {
  if (metrics === undefined) return;
  try {
    return {
      ...parseListenAddress(metrics, "--metrics"),
      onListening: (address) =>
        console.err(`metrics on http://${address}/metrics\n`),
    };
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    throw refusal(
      "--metrics",
      "metrics",
      error.message,
      "such as 127.0.0.1:9464, or :9464 for every address of the machine",
    );
  }
}
