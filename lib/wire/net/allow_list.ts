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

  /** Why it may not be contacted, in words; undefined when it may. */
  refusal(origin: Origin): string | undefined {
    if (this.permits(origin)) return undefined;
    const permitted = [...this.#keys].map((key) => `\`${key}\``).join(", ");
    return `\`${origin.key}\` is not on the target's allow-list: base_urls permits ${permitted}`;
  }
}
