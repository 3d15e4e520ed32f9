import type { Origin } from "./origin.ts";
import type { BaseUrl } from "./url.ts";

/** The origins a run may contact; asked before every name look-up. */
export class AllowList {
  readonly #keys: ReadonlySet<string>;

  constructor(bases: readonly BaseUrl[]) {
    this.#keys = new Set(bases.map((base) => base.origin.key));
  }

  /** Whether the origin's family, host and port are those of a base URL. */
  permits(origin: Origin): boolean {
    return this.#keys.has(origin.key);
  }

  /** The origins as a person reads them, in the target file's order. */
  describe(): string {
    return [...this.#keys].map((key) => `\`${key}\``).join(", ");
  }
}
