import assert from "node:assert/strict";
import type { AgentSample } from "../../../../lib/model/result/agent.ts";
import { causeOverLevels } from "../../../../lib/results/knee/knee.ts";

/** Ten seconds of a machine of four cores that is as busy as that. */
function samples(cpu: number): AgentSample[] {
  return Array.from({ length: 10 }, (_, t) => ({
    t_ms: t * 1_000,
    cpu_cores: 4,
    cpu_seconds_total: t * 4 * cpu,
    mem_used_bytes: 1,
    mem_total_bytes: 10,
  } as AgentSample));
}

const run = (level: number, cpu: number | null, throttleRate = 0) => ({
  level,
  throttleRate,
  samples: cpu === null ? [] : samples(cpu),
});

Deno.test("causeOverLevels: throttles that rise while the machine stays flat are the cause", () => {
  const found = causeOverLevels({
    first: run(10, 0.1),
    before: run(80, 0.12),
    broken: run(100, 0.12, 0.3),
  });
  assert.equal(found.class, "throttled");
  assert.match(found.detail, /throttle_rate 0% -> 0% -> 30%/);
});

Deno.test("causeOverLevels: a machine whose use climbs with the load is degraded", () => {
  const found = causeOverLevels({
    first: run(10, 0.1),
    before: run(80, 0.7),
    broken: run(100, 0.95),
  });
  assert.equal(found.class, "degraded");
  assert.match(found.detail, /CPU 10% -> 70% -> 95% \(3\.8 of 4 cores\)/);
});

Deno.test("causeOverLevels is inconclusive without an agent, or without a level that held", () => {
  const alone = causeOverLevels({
    first: run(10, null),
    before: run(10, null),
    broken: run(20, null, 1),
  });
  assert.equal(alone.class, "inconclusive");
  assert.match(alone.detail, /^throttle_rate 0% -> 100%; no agent/);
  const broken = causeOverLevels({ broken: run(10, 0.5, 1) });
  assert.match(broken.detail, /breached from the start/);
});
