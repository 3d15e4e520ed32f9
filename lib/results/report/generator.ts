import type {
  CoreUse,
  GeneratorFigures,
  GeneratorHealth,
} from "../../model/result/run.ts";
import { plural } from "./figures.ts";

/** Above this share the generator's own queueing shows in the latencies. */
const FULL_CPU = 0.9;
/** A thread that waits longer for a core has to share it. */
const LONG_WAIT = 0.1;
const SLOW_LOOP_MS = 50;
const LATE_SLOTS_MS = 10;
/** A shorter run is mostly its start, which says nothing about a load. */
const SHORTEST_MS = 1_000;
export const NOT_THE_LIMIT = "the generator was not the limit";

/**
 * Judges whether the generator, and not the target, limited the run. Pure.
 *
 * @param durationMs of what was measured
 * @param exhausted steps that failed because it had no descriptor, port or address left
 */
export function generatorHealth(
  figures: GeneratorFigures,
  durationMs: number,
  exhausted = 0,
): GeneratorHealth {
  if (durationMs < SHORTEST_MS) {
    const detail =
      "the run was too short to say whether the generator was the limit";
    return { ...figures, limited: false, detail };
  }
  const reasons = limits(figures);
  if (exhausted > 0) {
    reasons.unshift(
      `it had no file descriptor, port or address left for ${
        plural(exhausted, "connection")
      }`,
    );
  }
  return {
    ...figures,
    limited: reasons.length > 0,
    detail: reasons.length > 0
      ? `the generator was the limit: ${reasons.join("; ")}`
      : NOT_THE_LIMIT,
  };
}

/**
 * The same figures of a run that makes no load and is not judged: reported
 * because its requests were held back.
 */
export function heldBackHealth(figures: GeneratorFigures): GeneratorHealth {
  const detail = "the target's max_rps set the pace";
  return { ...figures, limited: false, detail };
}

function limits(figures: GeneratorFigures): string[] {
  const reasons: string[] = [];
  if (figures.cpu_share > FULL_CPU) {
    reasons.push(
      `it used ${
        Math.round(figures.cpu_share * 100)
      }% of its CPU, so latencies include its own queueing`,
    );
  }
  const { core_wait_share, cores } = figures;
  if (core_wait_share !== null && core_wait_share > LONG_WAIT) {
    reasons.push(
      `its threads waited for a core ${
        Math.round(core_wait_share * 100)
      }% of the time${cores ? `: ${whoHad(cores)}` : ""}`,
    );
  }
  if (figures.loop_lag_p99_ms > SLOW_LOOP_MS) {
    reasons.push(`its timers fired ${ms(figures.loop_lag_p99_ms)} late (p99)`);
  }
  if (figures.late_p99_ms > LATE_SLOTS_MS) {
    reasons.push(`it handed out slots ${ms(figures.late_p99_ms)} late (p99)`);
  }
  return reasons;
}

/** Who had the cores, and what it means when some of them were idle. */
function whoHad({ total, generator, target, others }: CoreUse): string {
  const shares = [
    `it had ${generator.toFixed(1)}`,
    ...(target === null ? [] : [`the target ${target.toFixed(1)}`]),
    `others ${others.toFixed(1)}`,
  ].join(", ").replace(/, ([^,]*)$/, " and $1");
  const idle = total - generator - (target ?? 0) - others;
  return `of ${total} ${total === 1 ? "core" : "cores"} ${shares}${
    idle >= 1
      ? `, ${idle.toFixed(1)} were idle, so that something limits its CPU time`
      : ""
  }`;
}

function ms(value: number): string {
  return `${Math.round(value)} ms`;
}
