/** The purpose of a run; nothing but the mode makes one flow a check or a load test. */
export const MODES = [
  "integration",
  "system",
  "load",
  "stress",
  "soak",
] as const;
export type Mode = (typeof MODES)[number];

/** Modes that run the flow once per fixture row, and judge each row. */
export function isFunctional(mode: Mode): boolean {
  return mode === "integration" || mode === "system";
}

/** A step, as far as it says whether its throttles are errors. */
interface Throttling {
  readonly throttle?: { readonly as_error?: boolean };
}

/** Whether a throttle of a step fails its iteration (specification, "Mode effect on throttles"). */
export function throttleIsError(
  step: Throttling,
  mode: Mode,
): boolean {
  return step.throttle?.as_error ?? isFunctional(mode);
}

/** The steps of a run by index, and the mode that says what their throttles are. */
export interface RunSteps {
  readonly mode: Mode;
  readonly steps: readonly (Throttling & { readonly id: string })[];
}

/** How many executions of a step are errors: a throttle may be one as well. */
export function errorsOf(
  { mode, steps }: RunSteps,
  index: number,
  { failed, throttled }: Readonly<Record<"failed" | "throttled", number>>,
): number {
  return failed + (throttleIsError(steps[index]!, mode) ? throttled : 0);
}
