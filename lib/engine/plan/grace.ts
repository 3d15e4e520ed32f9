import type { Flow, Step } from "../../language/ir.ts";

/**
 * What iterations under way may take after the end of a run, beside the waits
 * that their flow asks for, in milliseconds.
 */
export const GRACE_MS = 30_000;

/** A timer cannot be much longer, and no run should take so long to end. */
const LONGEST_MS = 24 * 3_600_000;

/**
 * How long iterations under way may go on when a run ends, in milliseconds: what
 * the flow itself makes them wait, and half a minute for everything else. An
 * iteration that ends sooner holds nothing up.
 *
 * @param waitsUs how long a step makes its iteration wait, at the most
 */
export function graceMs(flow: Flow, waitsUs: (step: Step) => number): number {
  const waits = flow.steps.reduce((sum, step) => sum + waitsUs(step), 0);
  return Math.min(LONGEST_MS, GRACE_MS + waits / 1_000);
}
