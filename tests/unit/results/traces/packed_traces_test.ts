import assert from "node:assert/strict";
import { deserialize, serialize } from "node:v8";
import type { Trace } from "../../../../lib/model/result/trace.ts";
import {
  packTraces,
  unpackTraces,
} from "../../../../lib/results/traces/packed_traces.ts";
import {
  keptTraces,
  mergeTraces,
  NO_TRACES,
  SampledTraces,
  sampleRank,
  type TraceData,
} from "../../../../lib/results/traces/traces.ts";

let built = 0;

function traceOf(iteration: number): Trace {
  built++;
  return {
    trace_id: iteration.toString(16).padStart(32, "0"),
    iteration,
    vu: 0,
    outcome: "failed",
    start_us: 0.25,
    duration_us: iteration,
    row_name: "naïve \ud83d\udc0c \ud800",
    spans: [],
  };
}

/** What one thread kept of every `each`th iteration. */
function kept(each: number): TraceData {
  const keeper = new SampledTraces(sampleRank(7), 20);
  for (let iteration = each; iteration < 2_000; iteration += each) {
    keeper.offer({
      iteration,
      ...(iteration % 50 === 0 && { group: `group ${iteration % 3}` }),
      durationMs: iteration % 97,
      steps: [],
      runStart: 0,
      hold: () => () => traceOf(iteration),
      build: () => traceOf(iteration),
    });
  }
  return keeper.data();
}

const sent = (data: TraceData): TraceData =>
  unpackTraces(deserialize(serialize(packTraces(data))));

Deno.test("packTraces and unpackTraces are each other's inverse", () => {
  const data = kept(3);
  assert.deepEqual(structuredClone(sent(data)), structuredClone(data));
  assert.deepEqual(sent(NO_TRACES), NO_TRACES);
});

Deno.test("mergeTraces of packed traces are those of the traces themselves, and builds none", () => {
  const parts = [kept(3), kept(4)];
  const whole = [...keptTraces(mergeTraces(parts))];
  const packed = parts.map(sent);
  built = 0;
  const merged = mergeTraces(parts);
  assert.equal(built, 0);
  assert.deepEqual(
    structuredClone(mergeTraces(packed)),
    structuredClone(merged),
  );
  assert.deepEqual([...keptTraces(mergeTraces(packed))], whole);
});
