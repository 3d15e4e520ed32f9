import { Refused } from "../lib/base/errors/bench_error.ts";

/** Where an agent listens. */
export interface ListenAddress {
  /** Undefined for every address of the machine. */
  readonly hostname?: string;
  readonly port: number;
}

/** Text that is no address, or an address that cannot be listened on. */
export class AddressError extends Refused {
  override readonly name = "AddressError";
}

/**
 * Reads `host:port`, `[v6]:port` or `:port`; the last one is every address. Port
 * 0 is any free one.
 *
 * @param what the option, as a message names it
 * @throws {AddressError}
 */
export function parseListenAddress(
  text: string,
  what = "`--addr`",
): ListenAddress {
  const [, v6, name, digits = ""] =
    /^(?:\[([0-9A-Fa-f:.]+)\]|([^\s:/[\]]*)):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  if (digits === "" || port > 65_535) {
    const range = digits === "" ? "" : " with a port from 0 to 65535";
    throw new AddressError(
      `${what} must be host:port or :port${range}, got ${JSON.stringify(text)}`,
    );
  }
  const hostname = v6 ?? (name === "" ? undefined : name);
  return { port, ...(hostname !== undefined && { hostname }) };
}
