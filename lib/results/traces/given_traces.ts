import type { Trace } from "../../model/result/trace.ts";

/** A kept trace, with its failure group when that is why it is kept. */
export interface KeptTrace {
  readonly group?: string;
  readonly item: Trace;
}

/** Hands each kept trace on once, while others take its place. */
export class GivenTraces {
  #ids: ReadonlySet<string> = new Set();

  /**
   * Those that were not handed on before.
   *
   * @param kept all of them, as of now
   * @param most how many at a time; the others follow
   */
  take(kept: readonly KeptTrace[], most: number): KeptTrace[] {
    const fresh = new Map<string, KeptTrace>();
    for (const each of kept) {
      const { trace_id } = each.item;
      if (fresh.size === most) break;
      if (!this.#ids.has(trace_id) && !fresh.has(trace_id)) {
        fresh.set(trace_id, each);
      }
    }
    // What gave way is forgotten, so that this does not grow with the run.
    const known = kept.map(({ item }) => item.trace_id)
      .filter((id) => this.#ids.has(id));
    this.#ids = new Set([...known, ...fresh.keys()]);
    return [...fresh.values()];
  }
}
