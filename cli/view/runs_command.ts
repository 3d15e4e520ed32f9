import { escapeControls } from "../../lib/base/text/display.ts";
import { Page } from "../../lib/results/formats/page.ts";
import {
  countText,
  judgedMark,
  latencyText,
  plural,
  runEnd,
  shareText,
} from "../../lib/results/report/figures.ts";
import { isTooFewOf } from "../../lib/results/report/sample_sizes.ts";
import type { FlagsOf } from "../options/option.ts";
import {
  storeDirectory,
  type StoredRun,
  storedRuns,
} from "../options/store.ts";
import type { Console } from "../terminal/console.ts";
import type { RUNS } from "./view_options.ts";

const HEADS = [
  ...["run", "verdict", "target", "mode", "requests", "error_rate", "p95"],
];
/** Runs of a comparison that are named. */
const MOST_NAMED = 4;
/** Of a store of which runs have any, the last column. */
const TAGS = "tags";

/** Prints the runs of a store. Returns the exit code. */
export async function runsCommand(
  { store, flow, tag, most, json }: FlagsOf<typeof RUNS>,
  console: Console,
): Promise<number> {
  const storeDir = storeDirectory(store);
  const listed = await storedRuns(storeDir, { flow, tag, most });
  if (json) {
    console.out(`${JSON.stringify(listed, null, 2)}\n`);
    return 0;
  }
  const { runs, others } = listed;
  if (runs.length === 0) {
    const named = Object.entries({ flow, tag }).flatMap(([name, word]) =>
      word === undefined ? [] : `${name} \`${escapeControls(word)}\``
    ).join(" and ");
    const of = named && ` of ${named}`;
    console.err(`there is no run${of} in \`${storeDir}\`\n`);
    return 0;
  }
  const page = new Page(console.width, console.outColor);
  const tags = runs.some((each) => "tags" in each);
  page.table(
    tags ? [...HEADS, TAGS] : HEADS,
    runs.map((each) => [
      ...rowOf(each, page),
      ...(tags ? [tagsOf(each)] : []),
    ]),
    [0, 1, 2, 3, HEADS.length],
  );
  for (const each of runs) {
    if ("problem" in each) continue;
    for (const judgement of each.judged) {
      const { kind, text, runs } = judgement;
      if (runs[0] !== each.id) continue;
      const { sign, color } = judgedMark(judgement);
      const mark = page.paint(color, sign);
      const others = runs.length - MOST_NAMED;
      page.flow([
        ...[`${mark} ${kind}`, escapeControls(text)],
        ...runs.slice(0, others > 1 ? MOST_NAMED : undefined),
        ...(others > 1 ? [`and ${others} more`] : []),
      ], "    ");
    }
  }
  for (const each of runs) {
    if ("problem" in each) page.prose(each.problem, "    ", "red");
  }
  if (others > 0) {
    const all = runs.length + others;
    page.line(
      `    and ${plural(others, "older one")}: --most ${all} lists all`,
    );
  }
  console.print(page.text());
  return 0;
}

function tagsOf(run: StoredRun): string {
  return "tags" in run ? escapeControls(run.tags!.join(", ")) : "";
}

function rowOf(run: StoredRun, page: Page): string[] {
  const id = escapeControls(run.id);
  if ("problem" in run) {
    return [id, page.paint("red", "unreadable"), "", "", "", "", ""];
  }
  const { summary, color } = runEnd(run);
  return [
    id,
    page.paint(color, summary),
    escapeControls(run.target),
    run.mode,
    run.requests === null ? "-" : countText(run.requests),
    run.error_rate === null ? "-" : shareText(run.error_rate),
    run.p95_ms === null
      ? "-"
      : isTooFewOf("p95", run.samples ?? Infinity)
      ? "too few"
      : latencyText(run.p95_ms),
  ];
}
