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

/** Whether a throttle of a step fails its iteration (specification, "Mode effect on throttles"). */
export function throttleIsError(
  step: { readonly throttle?: { readonly as_error?: boolean } },
  mode: Mode,
): boolean {
  return step.throttle?.as_error ?? isFunctional(mode);
}
