import type { CoreUse, GeneratorHealth } from "../../model/result/run.ts";
import { toThousandths } from "../../base/values/decimals.ts";

/** What was measured of the generator over the whole run. */
export interface GeneratorFigures {
  /** CPU seconds per second, over the threads that generate: 1 is all of them. */
  readonly cpuShare: number;
  /** Share of the time its threads waited for a core; absent where the system does not report it. */
  readonly coreWaitShare?: number;
  readonly cores?: CoreUse;
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
/** A thread that waits longer for a core is kept from its work by somebody. */
const LONG_WAIT = 0.1;
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
  const { coreWaitShare = 0, cores } = figures;
  if (coreWaitShare > LONG_WAIT) {
    reasons.push(
      `its threads waited for a core ${
        Math.round(coreWaitShare * 100)
      } % of the time${cores ? `: ${whoHad(cores)}` : ""}`,
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

function measured(
  figures: GeneratorFigures,
): Omit<GeneratorHealth, "limited" | "detail"> {
  const { coreWaitShare, cores } = figures;
  return {
    cpu_share: toThousandths(figures.cpuShare),
    core_wait_share: coreWaitShare === undefined
      ? null
      : toThousandths(coreWaitShare),
    cores: cores ? rounded(cores) : null,
    loop_lag_p99_ms: toThousandths(figures.loopLagP99),
    late_p99_ms: toThousandths(figures.lateP99),
    unserved_slots: figures.unserved,
    held_requests: figures.held,
    held_ms: toThousandths(figures.heldMs),
  };
}

function rounded({ total, generator, target, others }: CoreUse): CoreUse {
  return {
    total,
    generator: toThousandths(generator),
    target: target === null ? null : toThousandths(target),
    others: toThousandths(others),
  };
}

function ms(value: number): string {
  return `${Math.round(value)} ms`;
}
