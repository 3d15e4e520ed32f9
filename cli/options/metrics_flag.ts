import { AddressError, parseListenAddress } from "../../agent/address.ts";
import { refusal } from "../../lib/base/text/diagnostic.ts";
import type { RunOptions } from "../../lib/run.ts";
import type { Console } from "../terminal/console.ts";

/**
 * Reads `--metrics`; where it listens is printed.
 *
 * @throws {InputError} for a text that is no address
 */
export function readMetrics(
  { metrics }: { readonly metrics?: string },
  console: Console,
): Pick<RunOptions, "metrics"> {
  if (metrics === undefined) return {};
  return {
    metrics: {
      ...listenAddress(metrics),
      onListening: (address) =>
        console.err(`metrics on http://${address}/metrics\n`),
    },
  };
}

function listenAddress(text: string) {
  try {
    return parseListenAddress(text, "--metrics");
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
