import { actualText, plural } from "../../lib/results/report/figures.ts";
import type { RunMeta, ThresholdVerdict } from "../../lib/model/result/run.ts";

/** How a run came out, in a word that needs no colour. */
export interface Verdict {
  readonly kind: "pass" | "fail" | "stopped" | "running";
  readonly sign: string;
  readonly word: string;
}

/** PASS and FAIL are only said of a run that was judged. */
export function verdictOf(meta: RunMeta): Verdict {
  switch (meta.status) {
    case "running":
      return { kind: "running", sign: "…", word: "RUNNING" };
    case "interrupted":
      return { kind: "stopped", sign: "■", word: "INTERRUPTED" };
    case "errored":
      return { kind: "fail", sign: "✗", word: "ERROR" };
    case "aborted":
      return { kind: "fail", sign: "✗", word: "ABORTED" };
    case "finished":
      return meta.verdict === "pass"
        ? { kind: "pass", sign: "✓", word: "PASS" }
        : { kind: "fail", sign: "✗", word: "FAIL" };
  }
}

/** Why, in one sentence. */
export function verdictSentence(meta: RunMeta): string {
  const { thresholds, abort_reason } = meta;
  if (meta.status === "running") {
    return "The run is going on; its figures are written when it ends.";
  }
  if (abort_reason) return `Stopped: ${abort_reason}.`;
  const breached = thresholds.filter((each) => !each.pass);
  if (thresholds.length === 0) return "No threshold was set.";
  if (breached.length === 0) {
    return thresholds.length === 1
      ? `The threshold held: ${came(thresholds[0]!)}.`
      : `All ${thresholds.length} thresholds held.`;
  }
  const [first] = breached;
  return `${breached.length} of ${
    plural(thresholds.length, "threshold")
  } breached: ${came(first!)}.`;
}

/** `p95(latency) < 300ms came out at 412ms`. */
function came(threshold: ThresholdVerdict): string {
  return `${threshold.expression} ${
    threshold.actual === null
      ? "had no samples"
      : `came out at ${actualText(threshold)}`
  }`;
}
