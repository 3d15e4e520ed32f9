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
    const { meta } = count === 1
      ? await fixture.alone(options).outcome
      : await fixture.all(options);
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
