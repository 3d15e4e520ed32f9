import type { RunMeta } from "../../lib/model/result/run.ts";
import { systemClock } from "../../lib/base/time/clock.ts";
import { readComparable } from "../../lib/results/comparison/comparable.ts";
import { compareRuns } from "../../lib/results/comparison/compare_runs.ts";
import type { ComparedFigure } from "../../lib/results/comparison/comparison.ts";
import {
  changeText,
  comparisonSentence,
  figureName,
  methodSentence,
  valueText,
  verdictText,
} from "../../lib/results/formats/comparison_words.ts";
import { StoreError } from "../../lib/results/store/store_error.ts";
import {
  type Column,
  DataTable,
  figure,
  naming,
} from "../markup/data_table.tsx";
import type { Markup } from "../markup/markup.ts";
import { TONES } from "./comparison_tables.tsx";
import { Block } from "./parts.tsx";

/** Those of `bench compare` and `bench duel`. */
const APART = { margin: 0.05 };
const TOGETHER = { margin: 0.02, paired: true };
/** Two runs of a duel begin this close together. */
const AT_ONCE_MS = 500;

/** What is sure of two runs. */
interface CertainChanges {
  readonly markup: Markup;
  /** None when only why not is said. */
  readonly figures: readonly ComparedFigure[];
}

const COLUMNS: readonly Column<ComparedFigure>[] = [
  naming("", figureName),
  figure("A", (each) => valueText(each, each.base)),
  figure("B", (each) => valueText(each, each.candidate)),
  { title: "change", cell: changeText },
  {
    title: "verdict",
    cell: (each) => <span class={TONES[each.verdict]}>{verdictText(each)}
    </span>,
  },
];

/**
 * Which differences of B to A are more than chance, as `bench compare` says it; or
 * why that cannot be said.
 *
 * @param dirs the run directories of A and B
 */
export async function certainChanges(
  dirs: readonly [a: string, b: string],
): Promise<CertainChanges> {
  const [a, b] = dirs;
  try {
    const allowed = { targets: true };
    const now = systemClock.wall();
    const { candidate, bases } = await readComparable(b, [a], now, allowed);
    const compared = compareRuns(
      candidate,
      bases,
      areDuel(candidate.meta, bases[0]!.meta) ? TOGETHER : APART,
    );
    const markup = (
      <Block id="certain" title="Is B better or worse than A?">
        <p class={TONES[compared.verdict]}>
          B is {comparisonSentence(compared)}.
        </p>
        <DataTable
          columns={COLUMNS}
          rows={compared.figures}
          label="How sure the differences are"
        />
        <p class="note">{methodSentence(compared)}.</p>
        {compared.notes.map((note) => <p class="note">{note}.</p>)}
      </Block>
    );
    return { markup, figures: compared.figures };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    const markup = (
      <p class="note">
        Whether B is better or worse cannot be said: {error.message}.
      </p>
    );
    return { markup, figures: [] };
  }
}

/** Two targets in the same seconds. */
function areDuel(a: RunMeta, b: RunMeta): boolean {
  const apart = Date.parse(a.started_at) - Date.parse(b.started_at);
  return a.target !== b.target && Math.abs(apart) < AT_ONCE_MS;
}
