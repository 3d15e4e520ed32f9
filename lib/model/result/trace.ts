import type { Outcome } from "./iteration.ts";
import type { Failure } from "./failure.ts";
import type { CapturedMessage } from "./response.ts";

/** One timed piece of work. Ids are hex as in OTLP: 8 bytes a span, 16 a trace. */
export interface Span {
  readonly span_id: string;
  readonly parent_id?: string;
  /** `<step>`, `attempt 1`, `backoff`, `http_call`, `dns` ... */
  readonly name: string;
  /** Microseconds since the run started. */
  readonly start_us: number;
  readonly duration_us: number;
  readonly outcome?: Outcome;
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
  readonly failure?: Failure;
  readonly request?: CapturedMessage;
  readonly response?: CapturedMessage;
}

/** One kept iteration: a root span a step, with what happened below it. */
export interface Trace {
  readonly trace_id: string;
  readonly iteration: number;
  readonly vu: number;
  readonly row?: number;
  /** What that row is called. */
  readonly row_name?: string;
  /**
   * A random number in [0, 1), where only some traces are kept: those of the 200
   * highest ranks are an even sample of all iterations.
   */
  readonly rank?: number;
  readonly outcome: Outcome;
  /** Microseconds since the run started. */
  readonly start_us: number;
  readonly duration_us: number;
  readonly spans: readonly Span[];
}

/** Spans with each message that was captured as `change` gives it. */
export function withMessages(
  spans: readonly Span[],
  change: (message: CapturedMessage) => CapturedMessage,
): Span[] {
  return spans.map((span) =>
    !span.request && !span.response ? span : {
      ...span,
      ...(span.request && { request: change(span.request) }),
      ...(span.response && { response: change(span.response) }),
    }
  );
}

/** What a trace needs to know of a step; a step of the IR is one. */
export interface TracedStep {
  readonly id: string;
  readonly kind: string;
  /** Present on a step with a retry policy, whose attempts are spans. */
  readonly retry?: unknown;
  /** What else its protocol reports of it, such as the operation. */
  readonly facts?: Readonly<Record<string, string>>;
  /** What its checks expect, by `<kind>@<name>`. */
  readonly checks?: Readonly<Record<string, string>>;
  /** What its statuses are called, where they have names. */
  readonly statuses?: ReadonlyMap<number, string>;
}

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
