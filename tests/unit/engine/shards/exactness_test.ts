import { deserialize, serialize } from "node:v8";
import { seededRandom } from "../../../../lib/base/time/random.ts";
import { sum } from "../../../../lib/base/values/sum.ts";
import { decodeHistogram } from "../../../../lib/results/histograms/histogram_text.ts";
import { Recorder } from "../../../../lib/results/record/recorder.ts";
import { mergeSnapshots } from "../../../../lib/results/record/snapshot.ts";
import {
  SampledTraces,
  sampleRank,
} from "../../../../lib/results/traces/traces.ts";
import { deepStrictEqual, equal } from "node:assert/strict";
import { systemClock } from "../../../../lib/base/time/clock.ts";
import { prepared, ShardedFixture } from "./sharded_fixture.ts";

const ROWS = 120;
const CSV = `n\n${Array.from({ length: ROWS }, (_, n) => n).join("\n")}\n`;

/** A server that counts what it is asked for, and refuses every fifth row. */
function countingServer() {
  const asked: string[] = [];
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    (request) => {
      const path = new URL(request.url).pathname;
      asked.push(path);
      const status = Number(path.slice(1)) % 5 === 0 ? 503 : 200;
      return new Response("{}", { status });
    },
  );
  const url = `http://127.0.0.1:${(server.addr as Deno.NetAddr).port}`;
  return { url, asked, [Symbol.asyncDispose]: () => server.shutdown() };
}

Deno.test("shards: 3 and 8 record what one process records: iterations, rows, failures, samples", async () => {
  await using server = countingServer();
  const run = await prepared({
    flow: `flow: exact
data: rows.csv
profile: { mode: load, vus: 11, iterations: 150 }
steps:
  - id: one
    call: "GET /{{ user.n }}"
`,
    baseUrl: server.url,
    files: { "rows.csv": CSV },
  });
  const facts = async (count: number) => {
    const fixture = new ShardedFixture(run, count);
    const options = { clock: systemClock };
    const { meta } = await fixture.all(options);
    const { latency: _, throttled_latency: __, phases: ___, ...step } = meta
      .steps[0]!;
    return {
      rows: server.asked.splice(0).sort(),
      iterations: meta.iterations,
      requests: meta.requests,
      step: [step!.executions, step!.passed, step!.failed, step!.requests],
      attempts: step!.attempts,
      checks: step!.checks,
      samples: step!.latency_intervals!.samples,
      bytes: step!.bytes_sent,
      rates: [meta.error_rate, meta.throttle_rate],
      failures: meta.failures.map((each) => [each.key, each.count]),
      status: meta.status,
    };
  };
  const one = await facts(1);
  equal(one.iterations.completed, 150);
  equal(one.rows.length, ROWS, "rows beyond the fixture send nothing");
  deepStrictEqual(await facts(3), one);
  deepStrictEqual(await facts(8), one);
});

Deno.test("shards: the offered rate is the plan's, whatever their number", async () => {
  await using server = countingServer();
  const run = await prepared({
    flow: `flow: rate
profile: { mode: load, vus: 9, hold: 250ms, arrival_cap: 200/s }
steps:
  - { id: one, call: GET /1 }
`,
    baseUrl: server.url,
  });
  for (const count of [3, 8]) {
    const { meta } = await new ShardedFixture(run, count)
      .all({ clock: systemClock });
    const { iterations, generator } = meta;
    equal(iterations.started + generator!.unserved_slots, 50);
    deepStrictEqual(
      meta.shards!.map((each) => each.shard),
      Array.from({ length: count }, (_, index) => index),
    );
    const requests = meta.shards!.reduce((sum, each) => sum + each.requests, 0);
    equal(requests, meta.requests);
  }
});

Deno.test("shards: 1, 3 and 8 keep the warm-up apart: the two together are what the server was asked for", async () => {
  await using server = countingServer();
  const run = await prepared({
    flow: `version: 1
flow: warm
profile: { mode: load, vus: 8, hold: 1500ms, arrival_cap: 100/s, warm_up: 1s }
steps:
  - { id: one, call: GET /1 }
`,
    baseUrl: server.url,
  });
  for (const count of [1, 3, 8]) {
    const fixture = new ShardedFixture(run, count);
    const { meta } = await fixture.all({ clock: systemClock });
    const { iterations, requests, generator, warm_up } = meta;
    const asked = server.asked.splice(0).length;
    equal(warm_up!.requests + requests, asked);
    equal(warm_up!.iterations.started + iterations.started, asked);
    equal(asked + generator!.unserved_slots, 150);
    equal(meta.steps[0]!.latency_intervals!.samples, requests);
    equal(warm_up!.iterations.started > 0 && iterations.started > 0, true);
  }
});

Deno.test("shards: 1, 3 and 8 offer the same slots of stages that rise, spike and pause", async () => {
  await using server = countingServer();
  const run = await prepared({
    flow: `version: 1
flow: stages
profile:
  mode: load
  vus: 16
  stages:
    - { arrival: 400/s, over: 100ms }
    - { arrival: 10/s, over: 0s }
    - { over: 100ms }
    - { arrival: 2000/s, over: 0s }
    - { over: 20ms }
    - { arrival: 0/s, over: 0s }
    - { over: 50ms }
    - { arrival: 100/s, over: 0s }
    - { arrival: 0/s, over: 100ms }
steps:
  - { id: one, call: GET /1 }
`,
    baseUrl: server.url,
  });
  for (const count of [1, 3, 8]) {
    const fixture = new ShardedFixture(run, count);
    const { meta } = await fixture.all({ clock: systemClock });
    const { iterations, generator } = meta;
    equal(iterations.started + generator!.unserved_slots, 20 + 1 + 40 + 5);
  }
});

Deno.test("shards: 1, 3 and 8 have one histogram, count by count, whatever each of them recorded", async () => {
  const steps = [{ id: "one", kind: "call" }, { id: "two", kind: "call" }];
  const took = seededRandom(7);
  const latencies = Array.from({ length: 4_000 }, () => 1_000 ** took());
  const recorded = async (count: number) => {
    const shards = Array.from({ length: count }, () =>
      new Recorder({
        start: 0,
        steps,
        ids: [1, 2, 3, 4],
        traces: new SampledTraces(sampleRank(1)),
        rows: false,
      }));
    latencies.forEach((ms, nth) => {
      const shard = shards[nth % count]!;
      // Behind a queue, and throttled, by turns.
      const due = nth % 3 === 0 ? ms + 5 : ms;
      const outcome = nth % 7 === 0 ? "throttled" : "passed";
      shard.sample(nth % 2, outcome, nth * 2, ms, due, 10, 20);
    });
    // As shares cross the network.
    const snapshots = shards.map((each) =>
      deserialize(serialize(each.snapshot()))
    );
    const { histograms, seconds, totals } = mergeSnapshots(snapshots);
    const { overall, steps: each } = await histograms(["one", "two"]);
    const sets = [...each].map(([, set]) => set);
    return {
      histograms: [overall, ...sets].map((set) => ({
        service: countsOf(set.service),
        response: countsOf(set.response),
        throttled: countsOf(set.throttled),
        stretches: set.stretches,
      })),
      seconds,
      requests: totals.requests,
    };
  };
  const one = await recorded(1);
  const [overall] = one.histograms;
  equal(overall!.service.size > 100, true, "many buckets are filled");
  equal(sum([...overall!.service.values()], (n) => n), 4_000 - 572);
  deepStrictEqual(await recorded(3), one);
  deepStrictEqual(await recorded(8), one);
});

/** By bucket, those that are not empty. */
function countsOf(text: string): Map<number, number> {
  const { counts } = decodeHistogram(text).data();
  return new Map([...counts.entries()].filter(([, count]) => count > 0));
}
