import type { Draft, DraftStep } from "./draft.ts";
import { UniqueNames } from "./names.ts";

/**
 * The draft with `wait` steps.
 *
 * @param pauses milliseconds before the nth of its steps; after them all for one more
 */
export function withPauses(
  draft: Draft,
  pauses: ReadonlyMap<number, number>,
): Draft {
  const names = new UniqueNames(draft.steps.map(({ id }) => id), "-");
  const waits = (index: number): DraftStep[] => {
    const ms = Math.round(pauses.get(index) ?? 0);
    if (ms <= 0) return [];
    const wait = ms % 1_000 === 0 ? `${ms / 1_000}s` : `${ms}ms`;
    return [{ id: names.of("wait"), wait, comments: [], lost: [] }];
  };
  return {
    ...draft,
    steps: [
      ...draft.steps.flatMap((step, index) => [...waits(index), step]),
      ...waits(draft.steps.length),
    ],
  };
}
