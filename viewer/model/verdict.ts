import {
  actualText,
  countText,
  latencyText,
  onceFailure,
  plural,
  shareText,
} from "../../lib/results/report/figures.ts";
import { brokenSentence } from "../../lib/results/report/contract.ts";
import { emptyLoad } from "../../lib/results/report/thresholds.ts";
import type { RunMeta, ThresholdVerdict } from "../../lib/model/result/run.ts";
import { causesOf } from "./failures.ts";

/** Why: of a functional run what failed and where, else which thresholds. */
export function verdictSentence(meta: RunMeta): string {
  if (meta.status === "running") {
    return soFar(meta);
  }
  if (meta.abort_reason) return `Stopped: ${meta.abort_reason}.`;
  const declared = meta.thresholds.filter((each) => !each.implied);
  const empty = emptyLoad(meta);
  if (empty) {
    const breached = declared.some(({ pass }) => !pass);
    return [
      `The run failed: ${empty}.`,
      breached && thresholdsSentence(declared),
    ]
      .filter(Boolean).join(" ");
  }
  const rows = rowsSentence(meta);
  const after = meta.teardown && onceFailure("teardown", meta.teardown);
  const thresholds = rows && declared.length === 0
    ? undefined
    : thresholdsSentence(declared);
  const broken = meta.rows ? undefined : brokenSentence(meta);
  return [after && `${after}.`, rows, broken && `${broken}.`, thresholds]
    .filter(Boolean).join(" ");
}

/** The counts so far of a run that goes on. */
function soFar(
  { duration_ms, iterations, requests, ...rates }: RunMeta,
): string {
  const { completed } = iterations;
  const seconds = Math.round(duration_ms / 1_000);
  const since = `The run has been going on for ${latencyText(seconds * 1_000)}`;
  if (completed === 0) return `${since}.`;
  return `${since}: ${plural(completed, "iteration")}, ${
    plural(requests, "request")
  }, error_rate ${shareText(rates.error_rate)}, throttle_rate ${
    shareText(rates.throttle_rate)
  }.`;
}

/** All breached ones are named. */
function thresholdsSentence(thresholds: readonly ThresholdVerdict[]): string {
  const breached = thresholds.filter((each) => !each.pass);
  if (thresholds.length === 0) return "No threshold was set.";
  if (breached.length === 0) {
    return thresholds.length === 1
      ? `The threshold held: ${came(thresholds[0]!)}.`
      : `All ${thresholds.length} thresholds held.`;
  }
  return `${breached.length} of ${
    plural(thresholds.length, "threshold")
  } breached: ${breached.map(came).join("; ")}.`;
}

/** How the iterations of a functional run came out, the most frequent cause with its location. */
function rowsSentence(meta: RunMeta): string | undefined {
  const { rows = [], iterations: { completed, passed } } = meta;
  if (rows.length === 0) return;
  const noun = rows.some(({ row }) => row !== undefined) ? "row" : "iteration";
  const bad = completed - passed;
  if (bad === 0) {
    return completed === 1
      ? `The ${noun} passed.`
      : `All ${plural(completed, noun)} passed.`;
  }
  const count = completed === 1
    ? `The ${noun}`
    : `${countText(bad)} of ${plural(completed, noun)}`;
  const [first, ...others] = causesOf(rows);
  if (!first) return `${count} did not pass.`;
  const { step, message, file, line, column } = first.failure;
  const location = file === undefined ? "" : ` (${file}:${line}:${column})`;
  const more = others.length === 0
    ? ""
    : `, and ${plural(others.length, "other cause")}`;
  return `${count} did not pass. At ${step}${location}: ${message}${more}.`;
}

/** `p95(latency) < 300ms came out at 412ms`. */
function came(threshold: ThresholdVerdict): string {
  return `${threshold.expression} ${
    threshold.actual === null
      ? "had no samples"
      : `came out at ${actualText(threshold)}`
  }`;
}
