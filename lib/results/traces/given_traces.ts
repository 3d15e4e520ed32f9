import type { Trace } from "../../model/result/trace.ts";
import type { TraceDraft } from "./trace_draft.ts";

/** A kept trace, with its failure group when that is why it is kept. */
export interface KeptTrace {
  readonly group?: string;
  readonly item: Trace;
}

/** The same before it is built. */
interface KeptDraft {
  readonly group?: string;
  readonly item: TraceDraft;
}

/** Hands each kept trace on once, while others take its place. */
export class GivenTraces {
  #given: ReadonlySet<number> = new Set();

  /**
   * Those that were not handed on before.
   *
   * @param kept all of them, as of now
   * @param most how many at a time; the others follow
   */
  take(kept: readonly KeptDraft[], most: number): KeptTrace[] {
    const fresh = new Map<number, KeptTrace>();
    for (const { item, ...why } of kept) {
      const { iteration } = item;
      if (fresh.size === most) break;
      if (!this.#given.has(iteration) && !fresh.has(iteration)) {
        fresh.set(iteration, { ...why, item: item.build() });
      }
    }
    // What gave way is forgotten, so that this does not grow with the run.
    const known = kept.map(({ item }) => item.iteration)
      .filter((iteration) => this.#given.has(iteration));
    this.#given = new Set([...known, ...fresh.keys()]);
    return [...fresh.values()];
  }
}
