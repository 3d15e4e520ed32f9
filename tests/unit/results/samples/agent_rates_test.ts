import assert from "node:assert/strict";
import fc from "fast-check";
import { agentRates } from "../../../../lib/results/samples/agent_rates.ts";
import type { AgentSample } from "../../../../lib/model/result/agent.ts";
import { machine } from "../knee/knee_series.ts";

const [FIRST, NEXT] = machine(1, () => ({ cpu: 0.5 })) as [
  AgentSample,
  AgentSample,
];

/** The point of the second sample, which follows `FIRST`. */
function pointOf(change: Partial<AgentSample>) {
  return agentRates([FIRST, { ...NEXT, ...change }])[1]!;
}

Deno.test("agentRates: rates come from adjacent samples, on the run's clock", () => {
  assert.deepEqual(agentRates([FIRST, NEXT])[1], {
    tMs: 1_000,
    fromMs: 0,
    memory: 0.3,
    load: 0.1,
    openFiles: 700,
    cpu: 0.5,
    received: 100,
    sent: 50,
  });
});

Deno.test("agentRates: the first sample has levels and no rates", () => {
  const [first] = agentRates([FIRST, NEXT]);
  assert.equal(first!.cpu, undefined);
  assert.equal(first!.memory, 0.3);
});

Deno.test("agentRates: a counter that goes back gives no rate, and the others stay", () => {
  const point = pointOf({ net_rx_bytes_total: -1 });
  assert.deepEqual([point.received, point.sent, point.cpu], [
    undefined,
    50,
    0.5,
  ]);
  assert.equal(pointOf({ cpu_seconds_total: 3 }).cpu, undefined);
});

Deno.test("agentRates: counters go on across lost scrapes, and a long gap stays a gap", () => {
  const far = (seconds: number) =>
    pointOf({
      t_ms: seconds * 1_000,
      ts_ms: FIRST.ts_ms + seconds * 1_000,
      cpu_seconds_total: 100 + seconds,
    });
  const near = far(3);
  assert.deepEqual([near.cpu, near.fromMs], [0.5, 0]);
  const gap = far(6);
  assert.deepEqual([gap.cpu, gap.sent], [undefined, undefined]);
  assert.equal(gap.fromMs, 6_000);
});

Deno.test("agentRates: a late response is measured by the agent's own clock", () => {
  assert.equal(pointOf({ t_ms: 1_700 }).cpu, 0.5);
});

Deno.test("agentRates: an agent's clock that was set is not believed", () => {
  for (const ts_ms of [FIRST.ts_ms - 60_000, FIRST.ts_ms + 3_600_000]) {
    assert.equal(pointOf({ ts_ms }).cpu, 0.5);
  }
});

Deno.test("agentRates: cores that come or go give no CPU share", () => {
  assert.equal(pointOf({ cpu_cores: 4 }).cpu, undefined);
});

Deno.test("agentRates: what an agent cannot read is absent", () => {
  assert.deepEqual(
    pointOf({
      cpu_seconds_total: null,
      cpu_cores: null,
      mem_used_bytes: null,
      mem_total_bytes: 0,
      net_rx_bytes_total: null,
      net_tx_bytes_total: null,
      open_fds: null,
      load1: null,
    }),
    { tMs: 1_000, fromMs: 0 },
  );
});

Deno.test("agentRates: shares lie between 0 and 1 whatever an agent says", () => {
  const amount = fc.option(
    fc.double({
      min: 0,
      noNaN: true,
      // The reader of an agent's response lets no such number through.
      noDefaultInfinity: true,
    }),
    { nil: null },
  );
  const sample = fc.record({
    t_ms: fc.nat(20_000),
    ts_ms: fc.nat(20_000),
    cpu_seconds_total: amount,
    cpu_cores: amount,
    mem_used_bytes: amount,
    mem_total_bytes: amount,
    net_rx_bytes_total: amount,
    net_tx_bytes_total: amount,
    open_fds: amount,
    load1: amount,
  });
  fc.assert(fc.property(fc.array(sample, { maxLength: 8 }), (samples) => {
    const ordered = samples.toSorted((a, b) => a.t_ms - b.t_ms);
    for (const point of agentRates(ordered)) {
      const { cpu = 0, memory = 0, received = 0, load = 0 } = point;
      assert.ok(cpu >= 0 && cpu <= 1 && memory >= 0 && memory <= 1);
      assert.ok(received >= 0 && Number.isFinite(load));
    }
  }));
});
