import * as v from "valibot";
import { failureKey, typedValue } from "./failure.ts";
import { OUTCOMES } from "./iteration.ts";
import { object, own, type Stored } from "./stored.ts";

const n = v.number();
const s = v.string();

/** Failures, or throttles, of one cause at one location. */
export type FailureGroup = Stored<typeof failure>;
export const failure = v.pipe(
  object({
    /** Equal for failures of one group; earlier versions wrote none. */
    key: v.exactOptional(s),
    step: own,
    outcome: v.picklist(["failed", "throttled"]),
    code: own,
    /** With numbers and ids left open where they differ. */
    message: s,
    count: n,
    /** Where in the flow file, when it has source text. */
    file: v.exactOptional(own),
    line: v.exactOptional(n),
    column: v.exactOptional(n),
    expected: v.exactOptional(typedValue),
    actual: v.exactOptional(typedValue),
    /** A trace that shows it, when one was kept. */
    trace_id: v.exactOptional(own),
    /** 0-based fixture row of that trace, and what it is called. */
    row: v.exactOptional(n),
    row_name: v.exactOptional(s),
  }),
  v.transform(({ key, ...rest }) => ({
    key: key ?? failureKey(rest.step, rest),
    ...rest,
  })),
);

/** One iteration of an integration or system run. */
export type RowSummary = Stored<typeof row>;
export const row = v.pipe(
  object({
    iteration: n,
    /** 0-based fixture row; absent without a fixture. */
    row: v.exactOptional(n),
    /** What that row is called: its first cells. */
    row_name: v.exactOptional(s),
    outcome: v.picklist(OUTCOMES),
    duration_ms: n,
    /** Absent when its trace was not kept. */
    trace_id: v.exactOptional(own),
    /**
     * What is wrong with it, its cause first: why each step did not pass, and which
     * other checks do not hold. `count` is 1.
     */
    failures: v.exactOptional(v.array(failure)),
    /** How many there are beyond those. */
    other_failures: v.exactOptional(n),
    /** Earlier versions wrote the first one alone. */
    failure: v.exactOptional(failure),
  }),
  v.transform(({ failure, failures, ...rest }) => ({
    ...rest,
    failures: failures ?? (failure ? [failure] : []),
  })),
);
