import type { Outcome } from "./iteration.ts";
import type { Span } from "./trace.ts";

/** How a step ended. */
interface Ended {
  readonly outcome?: Outcome;
  /** It was throttled, and that counts as a failure. */
  readonly throttleIsError: boolean;
}

/**
 * The step because of which an iteration did not pass: the first that failed it,
 * else the first that was throttled. Undefined for one that passed.
 */
export function causingStep<Step>(
  steps: readonly Step[],
  ended: (step: Step) => Ended,
): Step | undefined {
  return steps.find((step) => {
    const { outcome, throttleIsError } = ended(step);
    return outcome === "failed" || outcome === "throttled" && throttleIsError;
  }) ?? steps.find((step) => ended(step).outcome === "throttled");
}

/** The span of that step in a trace; it says why. */
export function causingSpan(spans: readonly Span[]): Span | undefined {
  return causingStep(
    spans.filter((span) => span.parent_id === undefined),
    ({ outcome, attributes }) => ({
      ...(outcome && { outcome }),
      throttleIsError: attributes?.throttle_is_error === true,
    }),
  );
}
