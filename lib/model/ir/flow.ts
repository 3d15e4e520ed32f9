import * as v from "valibot";
import { NAME } from "../../base/values/name.ts";
import { anyJson, anyObject } from "./json_value.ts";
import { MODES } from "./mode.ts";

/**
 * Hinge 1: what was asked. The schemas below are the strict reader of IR JSON
 * and, through `InferOutput`, the types everything else uses.
 *
 * Keys are written as they stand in the IR. Durations are whole microseconds
 * and end in `_us`. A list or mapping that would be empty is absent.
 */

/** The IR version this program reads and writes. */
export const IR_VERSION = 1;

const count = v.pipe(v.number(), v.integer(), v.minValue(1));
const micros = v.pipe(v.number(), v.integer(), v.minValue(0));
const status = v.pipe(
  v.number(),
  v.integer(),
  v.minValue(100),
  v.maxValue(599),
);
const name = v.pipe(v.string(), v.regex(NAME));
/** Letter case does not count (RFC 9110 section 5.1), so there is one spelling. */
const headerName = v.pipe(v.string(), v.toLowerCase());

/** A list of statuses says which, so equal ones are equal text. */
export function sortedStatuses(statuses: readonly number[]): number[] {
  return [...new Set(statuses)].sort((a, b) => a - b);
}

/** Comparison words of assertions. */
export const OPERATORS = [
  "==",
  "!=",
  "<",
  "<=",
  ">",
  ">=",
  "contains",
  "matches",
] as const;
export type Operator = (typeof OPERATORS)[number];

const subject = v.variant("kind", [
  v.strictObject({ kind: v.literal("status") }),
  v.strictObject({ kind: v.literal("latency") }),
  v.strictObject({ kind: v.literal("body"), path: v.string() }),
  v.strictObject({ kind: v.literal("header"), name: headerName }),
  v.strictObject({
    kind: v.literal("variable"),
    /** `name` or `name.path`, as in a template. */
    name: v.string(),
  }),
]);
/** What an assertion looks at. */
export type Subject = v.InferOutput<typeof subject>;

export const assertionSchema = v.strictObject({
  subject,
  op: v.picklist(OPERATORS),
  /** A duration in microseconds when the subject is `latency`. */
  value: anyJson,
});
/** `<subject> <operator> <value>`. */
export type Assertion = v.InferOutput<typeof assertionSchema>;

const extraction = v.variant("from", [
  v.strictObject({ from: v.literal("body"), path: v.string() }),
  v.strictObject({ from: v.literal("header"), name: headerName }),
  v.strictObject({ from: v.literal("status") }),
]);
/** Where a variable's value is taken from; YAML can only say `body`. */
export type Extraction = v.InferOutput<typeof extraction>;

export const BACKOFFS = ["fixed", "exponential", "honor_retry_after"] as const;

const retry = v.strictObject({
  on_status: v.pipe(
    v.array(status),
    v.minLength(1),
    v.transform((list: number[]) => sortedStatuses(list)),
  ),
  backoff: v.picklist(BACKOFFS),
  max_attempts: count,
  base_delay_us: micros,
});
export type Retry = v.InferOutput<typeof retry>;

const throttle = v.strictObject({
  /** HTTP statuses throttled besides 429. */
  statuses: v.exactOptional(
    v.pipe(
      v.array(status),
      v.transform((list: number[]) => sortedStatuses(list)),
    ),
  ),
  as_error: v.exactOptional(v.boolean()),
});
export type Throttle = v.InferOutput<typeof throttle>;

export const ON_FAILURE = ["abort_flow", "abort_run", "record"] as const;
export type OnFailure = (typeof ON_FAILURE)[number];

export const CAPTURES = ["full", "headers", "none"] as const;
/** How much of a request and its answer a kept trace holds. Not in YAML. */
export type Capture = (typeof CAPTURES)[number];

const step = v.strictObject({
  id: v.pipe(v.string(), v.minLength(1), v.regex(/^[^.@]+$/)),
  /** The action key: `call`, `poll`, `wait` ... */
  kind: v.string(),
  /** Sealed: only the protocol that owns `kind` gives it a type. */
  block: anyObject,
  extract: v.exactOptional(v.record(name, extraction)),
  assert: v.exactOptional(v.array(assertionSchema)),
  retry: v.exactOptional(retry),
  throttle: v.exactOptional(throttle),
  /** Sealed: only the scheme named by `scheme` gives it a type. */
  auth: v.exactOptional(anyObject),
  on_failure: v.picklist(ON_FAILURE),
  capture: v.exactOptional(v.picklist(CAPTURES)),
});
export type Step = v.InferOutput<typeof step>;

export const THRESHOLD_OPERATORS = ["<", "<=", ">", ">="] as const;

const threshold = v.variant("metric", [
  v.strictObject({
    metric: v.literal("latency"),
    /** `avg`, `min`, `max`, or `p1` to `p100`. */
    stat: v.pipe(v.string(), v.regex(/^(avg|min|max|p([1-9]\d?|100))$/)),
    op: v.picklist(THRESHOLD_OPERATORS),
    value_us: micros,
  }),
  v.strictObject({
    metric: v.picklist(["error_rate", "throttle_rate"]),
    op: v.picklist(THRESHOLD_OPERATORS),
    /** A share: `1%` is 0.01. */
    value: v.number(),
  }),
]);
export type Threshold = v.InferOutput<typeof threshold>;

const ramp = v.strictObject({ from: micros, to: micros, over_us: count });

const profile = v.strictObject({
  mode: v.picklist(MODES),
  /** A constant number of VUs, or a linear ramp between two. */
  vus: v.union([count, ramp]),
  hold_us: v.exactOptional(micros),
  iterations: v.exactOptional(count),
  /** Offered requests, in lowest terms. */
  arrival: v.exactOptional(v.strictObject({ count, per_us: count })),
  thresholds: v.exactOptional(v.array(threshold)),
});
export type Profile = v.InferOutput<typeof profile>;

export const FORMATS = ["csv", "json"] as const;
export const DISTRIBUTIONS = [
  "unique-per-vu",
  "round-robin",
  "random",
] as const;
export const EXHAUSTION = ["fail", "cycle", "stop"] as const;

const pool = v.strictObject({
  name,
  path: v.string(),
  format: v.picklist(FORMATS),
  distribution: v.picklist(DISTRIBUTIONS),
  on_exhausted: v.picklist(EXHAUSTION),
});
export type Pool = v.InferOutput<typeof pool>;

export const flowSchema = v.strictObject({
  ir: v.literal(IR_VERSION),
  flow: name,
  steps: v.array(step),
  profile,
  pools: v.exactOptional(v.array(pool)),
});
/** A flow in canonical form: meaning, not spelling. */
export type Flow = v.InferOutput<typeof flowSchema>;
