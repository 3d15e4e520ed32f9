import { isRepeat, repeatKey } from "../../lib/results/report/reason.ts";
import { knownP95 } from "./words.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import {
  isUncounted,
  rateOf,
  runEnd,
} from "../../lib/results/report/figures.ts";

/** A run as the list shows it: its metadata, or why they cannot be read. */
export interface Listed {
  readonly id: string;
  readonly dir: string;
  readonly meta?: RunMeta;
  readonly error?: string;
  /** There is no `meta.json`: the run was not begun, or not copied whole. */
  readonly incomplete?: true;
}

/** The texts that a filter searches, by field. */
const FIELDS = {
  verdict: ({ meta }: Listed) => meta ? runEnd(meta).word : "unreadable",
  flow: ({ meta }: Listed) => meta?.flow,
  mode: ({ meta }: Listed) => meta?.mode,
  target: ({ meta }: Listed) => meta?.target,
  tag: ({ meta }: Listed) => meta?.tags,
  id: ({ id }: Listed) => id,
  knee: ({ meta }: Listed) => meta?.knee?.class,
};
type FilterField = keyof typeof FIELDS;

/** One word of a filter. */
interface FilterTerm {
  /** Any of the fields when absent. */
  readonly field?: FilterField;
  /** In lower case. */
  readonly text: string;
  readonly not: boolean;
}

/**
 * Reads `mode:load !target:prod "some words"`: every term must fit; `!` turns
 * one round. A word before a colon that is no field is part of the text.
 */
export function parseFilter(text: string): FilterTerm[] {
  const terms: FilterTerm[] = [];
  for (const match of text.matchAll(/(!?)(?:([a-z]+):)?(?:"([^"]*)"|(\S+))/g)) {
    const [, not, name = "", quoted, bare] = match;
    const words = (quoted ?? bare ?? "").toLowerCase();
    const field = Object.hasOwn(FIELDS, name) ? name as FilterField : undefined;
    const rest = name !== "" && !field ? `${name}:${words}` : words;
    if (rest === "") continue;
    terms.push({ ...(field && { field }), text: rest, not: not === "!" });
  }
  return terms;
}

/** The runs that every term fits. */
export function filterRuns(
  runs: readonly Listed[],
  terms: readonly FilterTerm[],
): Listed[] {
  return runs.filter((run) => terms.every((term) => fits(run, term)));
}

function fits(run: Listed, { field, text, not }: FilterTerm): boolean {
  const of = (name: FilterField) =>
    [FIELDS[name](run) ?? []].flat().map((each) => each.toLowerCase());
  // Verdicts and tags are whole words: `pass` must not find `passed with ...`.
  const found = field === "verdict" || field === "tag"
    ? of(field).includes(text)
    : (field ? [field] : Object.keys(FIELDS) as FilterField[])
      .some((name) => of(name).some((each) => each.includes(text)));
  return found !== not;
}

/** The keys that the run list can be sorted by; null where the list shows no value. */
const SORTS: Readonly<
  Record<string, (meta: RunMeta) => number | string | null>
> = {
  verdict: (meta) => runEnd(meta).word,
  started: (meta) => meta.started_at,
  flow: (meta) => meta.flow,
  mode: (meta) => meta.mode,
  target: (meta) => meta.target,
  vus: (meta) => meta.vus,
  duration: (meta) => meta.duration_ms,
  iterations: (meta) => isUncounted(meta) ? null : meta.iterations.completed,
  error_rate: (meta) => rateOf(meta, "error_rate"),
  throttle_rate: (meta) => rateOf(meta, "throttle_rate"),
  p95: knownP95,
};

export const RUN_SORTS: readonly string[] = Object.keys(SORTS);

/**
 * Sorts by a column's key, downwards with `-` before it; an unknown key leaves
 * the order. Runs without a value come last, those that cannot be read after them.
 */
export function sortRuns(runs: readonly Listed[], sort: string): Listed[] {
  const down = sort.startsWith("-");
  const key = down ? sort.slice(1) : sort;
  const by = Object.hasOwn(SORTS, key) ? SORTS[key] : undefined;
  if (!by) return [...runs];
  return runs.toSorted((a, b) => {
    if (!a.meta || !b.meta) return Number(!a.meta) - Number(!b.meta);
    const x = by(a.meta);
    const y = by(b.meta);
    if (x === null || y === null) {
      return Number(x === null) - Number(y === null);
    }
    const order = x < y ? -1 : x > y ? 1 : 0;
    return down ? -order : order;
  });
}

/** A page of a list: which it is of how many, and what is on it. */
interface ListPage<Item> {
  readonly page: number;
  readonly pages: number;
  readonly shown: readonly Item[];
}

/** @param asked from 1; as it is in an address */
export function listPage<Item>(
  items: readonly Item[],
  asked = 1,
  size: number,
): ListPage<Item> {
  const pages = Math.max(1, Math.ceil(items.length / size));
  const page = Math.min(pages, Math.max(1, Math.trunc(asked)));
  return { page, pages, shown: items.slice((page - 1) * size, page * size) };
}

/** Runs before one that its trend shows. */
const MOST_EARLIER = 11;

/**
 * By run id: the runs of the same flow, version, target, profile and options before it
 * that came to their end, oldest first.
 *
 * @param runs newest first
 * @param shown of which of them
 */
export function earlierOf(
  runs: readonly Listed[],
  shown: readonly Listed[],
): ReadonlyMap<string, readonly RunMeta[]> {
  const asked = new Set(shown);
  const seen = new Map<string, RunMeta[]>();
  const earlier = new Map<string, readonly RunMeta[]>();
  for (const run of runs.toReversed()) {
    const { id, meta } = run;
    if (!meta || meta.latency.p95 === null) continue;
    const key = repeatKey(meta);
    const before = seen.get(key) ?? [];
    if (asked.has(run)) earlier.set(id, before.slice(-MOST_EARLIER));
    seen.set(key, before);
    if (meta.verdict !== null) before.push(meta);
  }
  return earlier;
}

/** The run of the same flow, version, target, profile and options that ended before `run` began. */
export function runBefore(
  all: readonly RunMeta[],
  run: RunMeta,
): RunMeta | undefined {
  return all.find((each) =>
    each.id !== run.id && isRepeat(each, run) &&
    each.status !== "running" && each.started_at <= run.started_at &&
    // Runs that began together are in the order of their names.
    (each.started_at < run.started_at || each.id < run.id)
  );
}
