import {
  redact,
  type Redacted,
} from "../../../../lib/results/redact/redacted.ts";
import { Secrets } from "../../../../lib/results/redact/secrets.ts";
import {
  type RunFacts,
  runningMeta,
  summarise,
} from "../../../../lib/results/report/summary.ts";
import type { RunMeta } from "../../../../lib/model/result/run.ts";
import type { Trace } from "../../../../lib/model/result/trace.ts";
import {
  createRun,
  type RunWriter,
} from "../../../../lib/results/store/run_writer.ts";
import { totalsOf } from "../report/totals.ts";

export const STARTED = Date.UTC(2026, 10, 20, 18, 2, 11);
export const ID = "20261120T180211Z-checkout-7f3a01";

const FACTS: RunFacts = {
  id: ID,
  flow: "checkout",
  flowFile: "checkout.yaml",
  irSha256: "0".repeat(64),
  target: "staging",
  mode: "load",
  seed: 1,
  vus: 1,
  benchVersion: "0.1.0",
  startedAt: STARTED,
  steps: [{ id: "login", kind: "call" }],
};

/** Marks a value as redacted that holds no secret. */
export function clean<T>(value: T): Redacted<T> {
  return redact(value, new Secrets());
}

/** `meta.json` of a run that is going on. */
export function running(): Redacted<RunMeta> {
  return clean(runningMeta(FACTS));
}

/** `meta.json` of a run that ended well. */
export function finished(): RunMeta {
  return summarise(FACTS, totalsOf([10]), {
    status: "finished",
    durationMs: 1_000,
  }, () => undefined);
}

/** A trace with a text of any kind in it. */
export function traceOf(iteration: number, body = "ok"): Trace {
  return {
    iteration,
    vu: 0,
    row: iteration,
    outcome: "passed",
    start_us: iteration,
    duration_us: 10,
    spans: [{
      span_id: "0000000000000001",
      name: "http_call",
      kind: "call",
      start_us: 0,
      duration_us: 1,
      response: { line: "HTTP/1.1 200 OK", headers: [], body },
    }],
    trace_id: (iteration + 1).toString(16).padStart(32, "0"),
  };
}

/** Runs `test` with the directory of a new store. */
export async function withStore(
  test: (store: string) => Promise<void>,
): Promise<void> {
  const store = await Deno.makeTempDir({ prefix: "bench-store-" });
  try {
    await test(store);
  } finally {
    await Deno.remove(store, { recursive: true });
  }
}

/** Runs `test` with the writer of a new run. */
export function withRun(
  test: (run: RunWriter) => Promise<void>,
): Promise<void> {
  return withStore(async (store) => {
    const run = await createRun(store, ID);
    try {
      await test(run);
    } finally {
      run.release();
    }
  });
}

/** Writes `traces.json` and its index in one go. */
export async function writeTraces(
  run: RunWriter,
  policy: "all" | "sampled",
  truncated: boolean,
  traces: Iterable<Redacted<Trace>>,
): Promise<void> {
  const writer = run.openTraces(policy);
  for (const trace of traces) writer.append(trace);
  await writer.finish(truncated);
}
