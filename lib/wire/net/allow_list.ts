import { type Origin, writtenOrigin } from "./origin.ts";
import type { BaseUrl } from "./url.ts";

/** The origins a run may contact; asked before every name look-up. */
export class AllowList {
  /** Origins by key. */
  readonly #origins = new Map<string, Origin>();

  constructor(bases: readonly BaseUrl[]) {
    for (const { origin } of bases) {
      if (!this.permits(origin)) this.#origins.set(origin.key, origin);
    }
  }

  /** Whether the origin's family, host and port are those of a base URL. */
  permits(origin: Origin): boolean {
    return this.#origins.has(origin.key);
  }

  /** Why it may not be contacted, in words; undefined when it may. */
  refusal(origin: Origin): string | undefined {
    if (this.permits(origin)) return undefined;
    const permitted = [...this.#origins.values()]
      .map((each) => `\`${writtenOrigin(each)}\``).join(", ");
    return `\`${
      writtenOrigin(origin)
    }\` is not on the target's allow-list: base_urls permits ${permitted}`;
  }
}
