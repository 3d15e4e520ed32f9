import { equal, match, strictEqual } from "node:assert/strict";
import { generatorHealth } from "../../../../lib/results/report/generator.ts";

const IDLE = {
  cpu_share: 0.1,
  core_wait_share: null,
  cores: null,
  loop_lag_p99_ms: 0,
  late_p50_ms: 0,
  late_p99_ms: 0,
  unserved_slots: 0,
  held_requests: 0,
  held_ms: 0,
};
const LONG_MS = 10_000;
const SHARED = { total: 2, generator: 0.5, target: 1.3, others: 0.2 };

Deno.test("generatorHealth: waiting for a core is a limit, whatever CPU was used", () => {
  const health = generatorHealth({
    ...IDLE,
    core_wait_share: 0.38,
    cores: SHARED,
  }, LONG_MS);
  equal(health.limited, true);
  equal(
    health.detail,
    "the generator was the limit: its threads waited for a core 38% of the time: of 2 cores it had 0.5, the target 1.3 and others 0.2",
  );
  equal(health.core_wait_share, 0.38);
});

Deno.test("generatorHealth: a target on another machine has none of its cores", () => {
  const cores = { total: 1, generator: 0.4, target: null, others: 0.6 };
  const { detail } = generatorHealth(
    { ...IDLE, core_wait_share: 0.2, cores },
    LONG_MS,
  );
  match(detail, /: of 1 core it had 0\.4 and others 0\.6$/);
});

Deno.test("generatorHealth: waiting while cores are idle is a limit of CPU time", () => {
  const cores = { total: 8, generator: 1, target: null, others: 0.5 };
  const { detail } = generatorHealth(
    { ...IDLE, core_wait_share: 0.5, cores },
    LONG_MS,
  );
  match(detail, /, 6\.5 were idle, so that something limits its CPU time$/);
});

Deno.test("generatorHealth: a short wait is no limit, and neither is one that is not known", () => {
  const short = generatorHealth({
    ...IDLE,
    core_wait_share: 0.1,
    cores: SHARED,
  }, LONG_MS);
  equal(short.detail, "the generator was not the limit");
  const unknown = generatorHealth(IDLE, LONG_MS);
  equal(unknown.limited, false);
  strictEqual(unknown.core_wait_share, null);
  strictEqual(unknown.cores, null);
});

Deno.test("generatorHealth: a run of less than a second is mostly its start, and is not judged", () => {
  const busy = { ...IDLE, cpu_share: 1, core_wait_share: 0.5, cores: SHARED };
  const { limited, detail } = generatorHealth(busy, 999);
  equal(limited, false);
  match(detail, /^the run was too short to say/);
  equal(generatorHealth(busy, 1_000).limited, true);
});

Deno.test("generatorHealth: connections that this machine could not open are a limit", () => {
  const { limited, detail } = generatorHealth(IDLE, LONG_MS, 2_809);
  equal(limited, true);
  equal(
    detail,
    "the generator was the limit: it had no file descriptor, port or address left for 2,809 connections",
  );
});
