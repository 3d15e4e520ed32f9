/** Something the program can do, and what a page that says it cannot would say. */
export interface Capability {
  readonly name: string;
  /** The command whose `--help` shows it, and the words it is shown by. */
  readonly command: readonly string[];
  readonly shows: string;
  /** What no page says any more: that it is missing, or that only others have it. */
  readonly denied: RegExp;
  /** Its row in the table of `docs/comparison.md`. */
  readonly row?: string;
}

/** What README and docs/comparison.md are held to. */
export const CAPABILITIES: readonly Capability[] = [
  {
    name: "load from several machines",
    command: ["run"],
    shows: "--shard",
    denied: /load from (?:several|many|more than one) machines?/i,
    row: "many machines",
  },
  {
    name: "figures in a metrics system while a run lasts",
    command: ["run"],
    shows: "--metrics",
    denied: /(?:results|figures) in a metrics database/i,
    row: "metrics while a test runs",
  },
  {
    name: "thresholds that end a run",
    command: ["run"],
    shows: "--stop-on-breach",
    denied: /\*\*k6\*\*[^*]*thresholds that can stop a run/i,
  },
  {
    name: "a recording of a browser becomes a flow",
    command: ["import"],
    shows: "har",
    denied: /no (?:recorder|import)/i,
  },
  {
    name: "two versions at once",
    command: [],
    shows: "duel",
    denied: /no (?:comparison|statistics) of runs/i,
  },
];
