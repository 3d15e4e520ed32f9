/**
 * `deno task simulate [runs] [first] [table...]`: how often the statistics of a run
 * are right, over 1,000 simulated runs each whose truth is known. Prints tables;
 * takes some minutes. Another `first` makes other draws; without names of tables all
 * are printed.
 */
import { print, readArguments } from "../../tools/command.ts";
import { type Trial, verdicts } from "./verdicts.ts";
import {
  type Coverage,
  percentileCoverage,
  rateCoverage,
  ratioCoverage,
  type Scenario,
  slopeCoverage,
} from "./coverage.ts";

const { positionals } = readArguments({
  task: "simulate",
  takes: "[RUNS] [FIRST] [TABLE]...",
  about:
    "Prints how often the statistics of a run are right, over 1,000 simulated runs each whose truth is known; takes some minutes.",
}, {});
const [count = "1000", first = "0", ...names] = positionals;
const draws = { count: Number(count), first: Number(first) };

const SCENARIOS: readonly Scenario[] = [
  { seconds: 20, perSecond: 50, between: 0, correlation: 0 },
  { seconds: 60, perSecond: 50, between: 0, correlation: 0 },
  { seconds: 60, perSecond: 50, between: 0.1, correlation: 0 },
  { seconds: 60, perSecond: 50, between: 0.1, correlation: 0.5 },
  { seconds: 60, perSecond: 50, between: 0.1, correlation: 0.8 },
  { seconds: 300, perSecond: 50, between: 0.1, correlation: 0.5 },
  { seconds: 300, perSecond: 50, between: 0.1, correlation: 0.8 },
  { seconds: 300, perSecond: 50, between: 0.3, correlation: 0.8 },
  { seconds: 600, perSecond: 50, between: 0.1, correlation: 0.9 },
];

function table(title: string, heads: readonly string[]): void {
  print(`\n### ${title}\n`);
  print(`| ${heads.join(" | ")} |\n|${heads.map(() => "---").join("|")}|`);
}

function row(cells: readonly string[]): void {
  print(`| ${cells.join(" | ")} |`);
}

function named({ seconds, perSecond, between, correlation }: Scenario) {
  return [
    `${seconds} s`,
    `${perSecond}/s`,
    `${between * 100} %`,
    String(correlation),
  ];
}

/** `94.8 %`, and how many had bounds when not all of them did. */
function percent({ covered, shown }: Coverage): string {
  const share = `${(covered * 100).toFixed(1)} %`;
  return shown === 1 ? share : `${share} (of ${(shown * 100).toFixed(0)} %)`;
}

const HEADS = ["run", "samples", "seconds differ by", "correlation"];
const PERCENTILES = [50, 90, 95, 99];

function percentiles(): void {
  table("Bounds of a percentile", [
    ...HEADS,
    ...PERCENTILES.map((p) => `p${p}`),
  ]);
  for (const each of SCENARIOS) {
    const found = percentileCoverage(each, PERCENTILES, draws);
    row([...named(each), ...found.map(percent)]);
  }
}

function ratios(): void {
  table("Bounds of the ratio of two runs", [...HEADS, "p50", "p95", "p99"]);
  for (const each of SCENARIOS) {
    const found = ratioCoverage(each, [50, 95, 99], draws);
    row([...named(each), ...found.map(percent)]);
  }
}

const TRIALS: readonly Omit<Trial, "slower">[] = [
  { seconds: 60, perSecond: 50, between: 0.1, correlation: 0 },
  { seconds: 60, perSecond: 50, between: 0.1, correlation: 0.5 },
  { seconds: 60, perSecond: 50, between: 0.1, correlation: 0.8 },
  { seconds: 300, perSecond: 50, between: 0.1, correlation: 0.5 },
].map((each) => ({ ...each, paired: false, margin: 0.05 }));
const DUELS = TRIALS.slice(0, 3).map((each) => ({
  ...each,
  perSecond: 100,
  between: 0.3,
  paired: true,
  margin: 0.02,
}));
const OUTCOMES = ["worse", "better", "same", "unclear"] as const;

function judged(title: string, trials: typeof TRIALS): void {
  table(
    `${title}: any of p50, p90, p95, p99, of ${draws.count}`,
    [...HEADS, "service time", ...OUTCOMES],
  );
  for (const trial of trials) {
    for (const slower of [1, 1.05, 1.2]) {
      const found = verdicts({ ...trial, slower }, draws);
      row([
        ...named(trial),
        slower === 1 ? "the same" : `+${Math.round(slower * 100 - 100)} %`,
        ...OUTCOMES.map((each) => String(found[each])),
      ]);
    }
  }
}

function rates(): void {
  table("Bounds of an error rate", [...HEADS, "of 1 %", "of 5 %"]);
  for (
    const each of [
      { seconds: 60, perSecond: 20, between: 0, correlation: 0 },
      { seconds: 60, perSecond: 20, between: 0.5, correlation: 0 },
      { seconds: 60, perSecond: 20, between: 0.5, correlation: 0.5 },
      { seconds: 300, perSecond: 20, between: 0.5, correlation: 0.8 },
    ]
  ) {
    const found = [0.01, 0.05].map((rate) => rateCoverage(each, rate, draws));
    row([...named(each), ...found.map(percent)]);
  }
}

function slopes(): void {
  table("Bounds of a slope", ["points", "correlation", "slope"]);
  for (
    const each of [
      { seconds: 30, correlation: 0 },
      { seconds: 60, correlation: 0 },
      { seconds: 60, correlation: 0.5 },
      { seconds: 240, correlation: 0.5 },
      { seconds: 240, correlation: 0.8 },
    ]
  ) {
    row([
      String(each.seconds),
      String(each.correlation),
      percent(slopeCoverage(each, draws)),
    ]);
  }
}

const TABLES = {
  percentiles,
  ratios,
  compare: () => judged("Compare", TRIALS),
  duel: () => judged("Duel", DUELS),
  rates,
  slopes,
};
for (const [name, printed] of Object.entries(TABLES)) {
  if (names.length === 0 || names.includes(name)) printed();
}
