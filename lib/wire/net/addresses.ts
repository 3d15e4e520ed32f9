import { lookup } from "node:dns/promises";
import { lookupError } from "./connect_error.ts";
import { isAddress } from "./host.ts";
import type { RouteOptions } from "./route.ts";

/** How long an address that did not let anybody in is tried last. */
const AVOIDED_MS = 10_000;

/**
 * The addresses of hosts. New connections take those of a name in turn, so that
 * all of what stands behind it gets its share.
 */
export class Addresses {
  readonly #pinned: NonNullable<RouteOptions["resolve"]>;
  readonly #lookups = new Map<string, Promise<readonly string[]>>();
  readonly #turns = new Map<string, number>();
  readonly #avoided = new Map<string, number>();

  /** @param first whose turn it is first: another one in each thread */
  constructor(
    readonly resolve: RouteOptions["resolve"],
    readonly now: () => number,
    readonly first: number,
  ) {
    this.#pinned = resolve ?? {};
  }

  /** Whether it takes no look-up to know them. */
  known(host: string, port: number): readonly string[] | undefined {
    return isAddress(host) ? [host] : this.#pinned[`${host}:${port}`];
  }

  /**
   * Looks a name up. A look-up under way is shared: at the start of a run all
   * VUs ask at once.
   *
   * @throws {WireError} `dns`
   */
  lookUp(host: string): Promise<readonly string[]> {
    const shared = this.#lookups.get(host);
    if (shared) return shared;
    const fresh = lookup(host, { all: true }).then(
      (found) => {
        if (found.length === 0) throw lookupError({ code: "ENODATA" }, host);
        return found.map((each) => each.address);
      },
      (error) => {
        throw lookupError(error, host);
      },
    ).finally(() => this.#lookups.delete(host));
    this.#lookups.set(host, fresh);
    return fresh;
  }

  /** The order in which the next connection tries them. */
  inTurn(host: string, addresses: readonly string[]): readonly string[] {
    if (addresses.length < 2) return addresses;
    // Name servers and resolvers respond in any order.
    const all = addresses.toSorted();
    const open = all.filter((each) => !this.#isAvoided(each));
    const rest = all.filter((each) => this.#isAvoided(each));
    const turn = this.#turns.get(host) ?? this.first;
    this.#turns.set(host, turn + 1);
    const at = open.length === 0 ? 0 : turn % open.length;
    return [...open.slice(at), ...open.slice(0, at), ...rest];
  }

  /** Its last dial failed. */
  avoid(address: string): void {
    this.#avoided.set(address, this.now() + AVOIDED_MS);
  }

  #isAvoided(address: string): boolean {
    const until = this.#avoided.get(address);
    return until !== undefined && this.now() < until;
  }
}
