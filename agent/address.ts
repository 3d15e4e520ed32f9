import { BenchError } from "../lib/base/errors/bench_error.ts";
/** Where an agent listens. */
export interface ListenAddress {
  /** Undefined for every address there is. */
  readonly hostname?: string;
  readonly port: number;
}

/** An address that is none, or that nothing can listen on. */
export class AddressError extends BenchError {
  override readonly name = "AddressError";
}

/**
 * Reads `host:port`, `[v6]:port` or `:port`; the last one is every address. Port
 * 0 is any free one.
 *
 * @throws {AddressError}
 */
export function parseListenAddress(text: string): ListenAddress {
  const [, v6, name, digits = ""] =
    /^(?:\[([0-9A-Fa-f:.]+)\]|([^\s:/[\]]*)):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === "" || port > 65_535) {
    throw new AddressError(
      `\`--addr\` must be host:port or :port, but it is ${
        JSON.stringify(text)
      }`,
    );
  }
  const hostname = v6 ?? (name === "" ? undefined : name);
  return { port, ...(hostname !== undefined && { hostname }) };
}
