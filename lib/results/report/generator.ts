import type { GeneratorHealth } from "../../model/result/run.ts";
import { toThousandths } from "../../base/values/decimals.ts";

/** What was measured of the generator over the whole run. */
export interface GeneratorFigures {
  /** CPU seconds per second, over the threads that generate: 1 is all of them. */
  readonly cpuShare: number;
  /** Milliseconds. */
  readonly loopLagP99: number;
  readonly lateP99: number;
  readonly heldMs: number;
  readonly held: number;
  readonly unserved: number;
  /** Slots handed out; 0 outside the open executor. */
  readonly slots: number;
}

/** Above this share the generator's own queueing shows in the latencies. */
const FULL_CPU = 0.9;
const SLOW_LOOP_MS = 50;
const LATE_SLOTS_MS = 10;

/**
 * Judges whether the generator, and not the target, limited the run. Pure.
 */
export function generatorHealth(figures: GeneratorFigures): GeneratorHealth {
  const reasons = limits(figures);
  return {
    ...measured(figures),
    limited: reasons.length > 0,
    detail: reasons.length > 0
      ? `the generator was the limit: ${reasons.join("; ")}`
      : "the generator was not the limit",
  };
}

/**
 * The same figures of a run that makes no load and is not judged: reported
 * because its requests were held back.
 */
export function heldBackHealth(figures: GeneratorFigures): GeneratorHealth {
  const detail = "the target's max_rps set the pace";
  return { ...measured(figures), limited: false, detail };
}

function limits(figures: GeneratorFigures): string[] {
  const reasons: string[] = [];
  if (figures.cpuShare > FULL_CPU) {
    reasons.push(
      `it used ${
        Math.round(figures.cpuShare * 100)
      } % of its CPU, so latencies include its own queueing`,
    );
  }
  if (figures.loopLagP99 > SLOW_LOOP_MS) {
    reasons.push(`its timers fired ${ms(figures.loopLagP99)} late (p99)`);
  }
  if (figures.lateP99 > LATE_SLOTS_MS) {
    reasons.push(`it handed out slots ${ms(figures.lateP99)} late (p99)`);
  }
  return reasons;
}

function measured(
  figures: GeneratorFigures,
): Omit<GeneratorHealth, "limited" | "detail"> {
  return {
    cpu_share: toThousandths(figures.cpuShare),
    loop_lag_p99_ms: toThousandths(figures.loopLagP99),
    late_p99_ms: toThousandths(figures.lateP99),
    unserved_slots: figures.unserved,
    held_requests: figures.held,
    held_ms: toThousandths(figures.heldMs),
  };
}

function ms(value: number): string {
  return `${Math.round(value)} ms`;
}
