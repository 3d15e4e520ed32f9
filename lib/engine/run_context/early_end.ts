import { ExpressionError } from "../../base/errors/bench_error.ts";
import { latencyText } from "../../results/report/figures.ts";
import { changingOf, hasFallen, settledMs } from "../../model/course.ts";
import type { RunSteps } from "../../model/mode.ts";
import type { BreachWatch } from "./breach_watch.ts";
import type { Precision, PrecisionWatch } from "./precision_watch.ts";
import type { Listener } from "./run_context.ts";

/*
 * Listeners that may end a load run before its plan does. Their mathematics is
 * loaded by runs that ask for it.
 */

/** Ends a load run when a threshold is surely broken. */
export function stopOnBreach(): Listener {
  let watch: BreachWatch | undefined;
  let run: RunSteps | undefined;
  return {
    option: { stop_on_breach: true },
    async open({ plan, facts }) {
      const { executor, iterations } = plan;
      if (executor === "rows") return;
      const { BreachWatch } = await import("./breach_watch.ts");
      const course = changingOf(plan);
      const mayRecover = course !== undefined && hasFallen(course, Infinity);
      watch = new BreachWatch(facts.thresholds ?? [], iterations, mayRecover);
      run = facts;
    },
    wantsLatencies: () => watch?.wantsParts() ?? false,
    second({ parts, recording, stop }) {
      const broken = watch?.note(parts, () => recording.parts(run!));
      if (broken !== undefined) stop.soft("breach", broken);
    },
  };
}

/** Reads `p99 within 5%`. @throws {ExpressionError} */
export function parsePrecision(text: string): Precision {
  const [, p, percent] =
    /^\s*p([1-9]\d?(?:\.\d+)?)\s+within\s+(\d+(?:\.\d+)?)\s*%\s*$/.exec(text) ??
      [];
  const within = Number(percent) / 100;
  if (p === undefined || !(within > 0)) {
    throw new ExpressionError(
      "early-end",
      `"${text}" is not what a run can end at`,
      0,
      'for example "p99 within 5%", with p1 to p99.9',
    );
  }
  return { percentile: Number(p), within };
}

/** As it is written. */
function precisionText({ percentile, within }: Precision): string {
  return `p${percentile} within ${Number((within * 100).toPrecision(4))}%`;
}

/** Ends a load run when a percentile is sure enough. */
export function stopWhenSure(precision: Precision): Listener {
  const asked = precisionText(precision);
  let watch: PrecisionWatch | undefined;
  let reachedMs: number | undefined;
  const wantsLatencies = (elapsedMs: number) =>
    reachedMs === undefined && (watch?.isDue(elapsedMs) ?? false);
  return {
    option: { until: asked },
    async open({ plan }) {
      if (plan.executor === "rows") return;
      const { PrecisionWatch } = await import("./precision_watch.ts");
      watch = new PrecisionWatch(precision, settledMs(plan));
    },
    wantsLatencies,
    second({ elapsedMs, latencies, stop }) {
      if (!wantsLatencies(elapsedMs)) return;
      const evidence = latencies();
      if (!watch!.note(evidence)) return;
      reachedMs = evidence.durationMs;
      stop.soft("certain", asked);
    },
    notes(evidence) {
      if (!watch) return [];
      const known = watch.known(evidence);
      if (reachedMs === undefined) {
        return [`${asked}: not reached when the run was over: ${known}`];
      }
      const after = latencyText(Math.floor(reachedMs / 1_000) * 1_000);
      const still = watch.isMet(evidence)
        ? ""
        : ", but not with what completed after that";
      return [`${asked}: reached after ${after}${still}: ${known}`];
    },
  };
}
