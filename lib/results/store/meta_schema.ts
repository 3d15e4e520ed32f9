import * as v from "valibot";
import {
  LATENCY_FIGURES,
  RUN_SCHEMA,
  type RunMeta,
} from "../../model/result/run.ts";
import { StoreError } from "./store_error.ts";

const n = v.number();
const s = v.string();
/** Runs stored by an earlier version have zeros where there was no sample. */
const latency = v.pipe(
  v.looseObject(v.entriesFromList(LATENCY_FIGURES, v.nullable(n))),
  v.transform((figures) =>
    figures.max === 0
      ? {
        ...figures,
        ...Object.fromEntries(LATENCY_FIGURES.map((each) => [each, null])),
      }
      : figures
  ),
);
const counts = v.looseObject({ passed: n, throttled: n, failed: n });
const outcome = v.picklist(["passed", "throttled", "failed"]);

const failure = v.looseObject({
  step: s,
  code: s,
  message: s,
  count: n,
  outcome: v.picklist(["failed", "throttled"]),
});

/** Runs stored by an earlier version have one `failure` of a row at the most. */
const row = v.pipe(
  v.looseObject({
    iteration: n,
    outcome,
    duration_ms: n,
    failure: v.exactOptional(failure),
    failures: v.exactOptional(v.array(failure)),
  }),
  v.transform(({ failure, failures, ...rest }) => ({
    ...rest,
    failures: failures ?? (failure ? [failure] : []),
  })),
);

/** What every reader relies on; keys beyond these are let through. */
const metaSchema = v.looseObject({
  schema: n,
  id: s,
  flow: s,
  flow_file: s,
  ir_sha256: s,
  target: s,
  mode: s,
  seed: n,
  vus: n,
  bench_version: s,
  status: v.picklist([
    "running",
    "finished",
    "aborted",
    "interrupted",
    "errored",
  ]),
  verdict: v.nullable(v.picklist(["pass", "fail"])),
  exit_code: v.nullable(n),
  abort_reason: v.nullable(s),
  started_at: v.pipe(s, v.isoTimestamp()),
  ended_at: v.nullable(v.pipe(s, v.isoTimestamp())),
  duration_ms: n,
  iterations: v.looseObject({
    started: n,
    completed: n,
    passed: n,
    failed: n,
    throttled: n,
  }),
  requests: n,
  error_rate: n,
  throttle_rate: n,
  latency,
  thresholds: v.array(v.looseObject({
    expression: s,
    actual: v.nullable(n),
    pass: v.boolean(),
    samples: n,
  })),
  steps: v.array(v.looseObject({
    id: s,
    kind: s,
    executions: n,
    requests: n,
    passed: n,
    throttled: n,
    failed: n,
    attempts: counts,
    bytes_sent: n,
    bytes_received: n,
    latency,
    throttled_latency: latency,
  })),
  generator: v.nullable(v.looseObject({
    cpu_share: n,
    core_wait_share: v.optional(v.nullable(n), null),
    cores: v.optional(
      v.nullable(v.looseObject({
        total: n,
        generator: n,
        target: v.nullable(n),
        others: n,
      })),
      null,
    ),
    loop_lag_p99_ms: n,
    limited: v.boolean(),
    detail: s,
  })),
  agent_attached: v.boolean(),
  knee: v.nullable(v.looseObject({
    class: v.picklist(["degraded", "throttled", "inconclusive"]),
    detail: s,
    vus: v.nullable(n),
    threshold: s,
    at_ms: v.nullable(n),
  })),
  failures: v.array(failure),
  rows: v.exactOptional(v.array(row)),
  notes: v.array(s),
});

/**
 * Reads the text of a `meta.json`.
 *
 * @param path for the message
 * @throws {StoreError} when it is no JSON, of a newer schema, or misses something
 */
export function parseMeta(text: string, path: string): RunMeta {
  const value = parseStored(text, path);
  const result = v.safeParse(metaSchema, value);
  if (result.success) return result.output as unknown as RunMeta;
  const [issue] = result.issues;
  const where = v.getDotPath(issue) ?? "the file";
  throw new StoreError(
    issue.received === "undefined"
      ? `Cannot read \`${path}\`: \`${where}\` is missing`
      : `Cannot read \`${path}\`: \`${where}\`: expected ${issue.expected}, but it is ${issue.received}`,
  );
}

/**
 * Reads any JSON file of a run directory, refusing a newer schema.
 *
 * @throws {StoreError}
 */
export function parseStored(text: string, path: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new StoreError(
      `Cannot read \`${path}\`: it is not JSON: ${(error as Error).message}`,
    );
  }
  const schema = (value as { readonly schema?: unknown } | null)?.schema;
  if (typeof schema === "number" && schema > RUN_SCHEMA) {
    throw new StoreError(
      `Cannot read \`${path}\`: it has schema ${schema}, this bench reads schema ${RUN_SCHEMA} and older`,
      "read it with the bench that wrote it, or a newer one",
    );
  }
  return value;
}
