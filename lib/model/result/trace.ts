import * as v from "valibot";
import { stepFailure } from "./failure.ts";
import { type Outcome, OUTCOME_NAMES, OUTCOMES } from "../outcome.ts";
import { CHECK_KINDS, type CheckKind } from "./iteration.ts";
import {
  type CapturedMessage,
  capturedMessage,
  type Phase,
} from "./response.ts";
import { n, object, own, type Stored } from "./stored.ts";

const s = v.string();
/** As many as a date can be away from another, and more than any run lasts. */
export const microseconds = v.pipe(n, v.minValue(-1e15), v.maxValue(1e15));

/** The kinds of spans. An exchange is a `call`, or `frames` on an open session. */
export type SpanKind = Span["kind"];
const SPAN_KINDS = [
  ...["step", "attempt", "backoff", "call", "frames", "phase"] as const,
  ...CHECK_KINDS,
] as const;

/** One timed piece of work. Ids are hex as in OTLP: 8 bytes a span, 16 a trace. */
export type Span = Stored<typeof span>;
const span = object({
  span_id: own,
  parent_id: v.exactOptional(own),
  /** `<step>`, `attempt 1`, `backoff`, `http_call`, `dns` ... */
  name: own,
  /** Earlier versions said it in the name alone. */
  kind: v.picklist(SPAN_KINDS),
  /** Of a check: the variable of an extraction, else a 0-based index. */
  label: v.exactOptional(own),
  /** Microseconds since the run started. */
  start_us: microseconds,
  duration_us: microseconds,
  outcome: v.exactOptional(v.picklist(OUTCOME_NAMES)),
  attributes: v.exactOptional(v.record(s, v.union([s, n, v.boolean()]))),
  failure: v.exactOptional(stepFailure),
  request: v.exactOptional(capturedMessage),
  response: v.exactOptional(capturedMessage),
});

/** The lists of steps that are carried out once a run. */
export const ONCE = ["setup", "teardown"] as const;

/**
 * Where a latency counts: the second since the run's start, and the bucket of
 * `series.json`.
 */
export type Cell = Stored<typeof cell>;
export const cell = v.tuple([n, n]);

/** One kept iteration: a root span a step, with what happened below it. */
export type Trace = Stored<typeof trace>;
export const trace = object({
  trace_id: own,
  iteration: n,
  /** These are the steps that are carried out once, and no iteration. */
  once: v.exactOptional(v.picklist(ONCE)),
  vu: n,
  row: v.exactOptional(n),
  /** The row's name. */
  row_name: v.exactOptional(s),
  /** The values drawn for it, as text. */
  values: v.exactOptional(v.array(object({ name: own, value: s }))),
  /**
   * A random number in [0, 1), where only some traces are kept: those of the 200
   * highest ranks are an even sample of all iterations.
   */
  rank: v.exactOptional(n),
  /** Where its latencies count; absent where every trace is kept. */
  cells: v.exactOptional(v.array(cell)),
  outcome: v.picklist(OUTCOME_NAMES),
  /** Microseconds since the run started. */
  start_us: microseconds,
  duration_us: microseconds,
  spans: v.array(span),
});

/** Whether a span of this kind is a check. */
export function isCheck(kind: SpanKind): kind is CheckKind {
  return CHECK_KINDS.some((each) => each === kind);
}

/** Whether something is sent or received in a span of this kind. */
export function isExchange(kind: SpanKind): kind is "call" | "frames" {
  return kind === "call" || kind === "frames";
}

const PHASES: ReadonlySet<string> = new Set(
  ["dns", "connect", "tls", "ttfb", "transfer"] satisfies Phase[],
);

/** The kind of a span of an earlier version, which said it in the name alone. */
export function kindInName(
  { name, parent_id }: Pick<Span, "name" | "parent_id">,
): Pick<Span, "kind" | "label"> {
  if (parent_id === undefined) return { kind: "step" };
  if (PHASES.has(name)) return { kind: "phase" };
  if (name === "backoff" || name === "frames") return { kind: name };
  if (/^attempt \d+$/.test(name)) return { kind: "attempt" };
  const [, check, label] = /\.(extract|assert|until)@(.*)$/.exec(name) ?? [];
  return check === undefined
    ? { kind: "call" }
    : { kind: check as CheckKind, label: label! };
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

/** The parts of a step that a trace shows. */
export interface TracedStep {
  readonly id: string;
  readonly kind: string;
  /** JSON Pointer into the IR. */
  readonly pointer?: string;
  /** It may make several attempts, so that each of them is a span. */
  readonly repeats?: boolean;
  /** More attributes of its protocol, such as the operation. */
  readonly facts?: Readonly<Record<string, string>>;
  /** The text of each check, by kind and label, as they run. */
  readonly checks?: Readonly<Record<CheckKind, ReadonlyMap<string, string>>>;
  /** The names of its statuses, where they have any. */
  readonly statuses?: ReadonlyMap<number, string>;
}

/** How a step ended. */
interface Ended {
  readonly outcome?: Outcome;
  /** It failed, or was throttled and that counts as a failure. */
  readonly isError: boolean;
}

/**
 * The step because of which an iteration did not pass: the first that failed it,
 * else the first that was throttled. Undefined for one that passed.
 */
export function causingStep<Step>(
  steps: readonly Step[],
  ended: (step: Step) => Ended,
): Step | undefined {
  return steps.find((step) => ended(step).isError) ??
    steps.find((step) => (ended(step).outcome ?? "passed") !== "passed");
}

/** The span of that step in a trace; it says why. */
export function causingSpan(spans: readonly Span[]): Span | undefined {
  return causingStep(
    spans.filter((span) => span.parent_id === undefined),
    ({ outcome, attributes }) => ({
      ...(outcome && { outcome }),
      isError: outcome !== undefined && OUTCOMES[outcome].isError ||
        attributes?.throttle_is_error === true,
    }),
  );
}
