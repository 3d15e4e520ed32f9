import { equal, match, ok } from "node:assert/strict";
import { startDemoTarget } from "../../cli/demo/server.ts";
import { bench, workspace } from "../support/bench.ts";
import { startLiveAgent } from "../support/live_agent.ts";
import { runOnce, type SceneRun } from "../support/scene.ts";

/** A ramp of six seconds against one endpoint of the demo target. */
function flow(call: string, query: string, vus: number, threshold: string) {
  return `
flow: breaks
profile:
  mode: stress
  vus: { ramp: 1 -> ${vus} over 6s }
  thresholds: ["${threshold}"]
steps:
  - id: think
    wait: 100ms
  - id: ask
    call: ${call}
    query: { ${query} }
`;
}

const LIMITED = (key: string) =>
  flow("GET /limited", `rate: 40, key: ${key}`, 30, "throttle_rate < 10%");
const LOCKED = flow("GET /locked", "ms: 10", 40, "p95(latency) < 60ms");
const BURNING = flow("GET /burn", "ms: 5", 60, "p95(latency) < 60ms");

/** The class, after checking that `meta.json` and the summary agree to the letter. */
function classOf({ code, stdout, stderr, meta }: SceneRun): string {
  equal(code, 1, stdout + stderr);
  ok(meta.knee, stdout);
  const { class: name, detail, vus, threshold } = meta.knee;
  const lines = stdout.split("\n")
    .filter((line) => line.includes("knee_point_found"));
  equal(lines.length, 1);
  equal(lines[0], `knee_point_found: ${name}: ${detail}`);
  ok(detail.includes(`at ${vus} VU`) && detail.includes(threshold), detail);
  ok(vus > 1, detail);
  return name;
}

/** /proc of a machine that does nothing, whatever else runs on this one. */
const IDLE = {
  "proc/stat": "cpu  500 0 500 9000 0 0 0 0 0 0\n" +
    "cpu0 250 0 250 4500 0 0 0 0 0 0\ncpu1 250 0 250 4500 0 0 0 0 0 0\n",
  "proc/meminfo":
    "MemTotal: 8000 kB\nMemFree: 4000 kB\nMemAvailable: 6000 kB\n",
  "proc/loadavg": "0.10 0.10 0.10 1/100 42\n",
};

Deno.test("stress: throttled and inconclusive, with an agent on a quiet machine and without one", async () => {
  const target = await startDemoTarget({ port: 0, hostname: "127.0.0.1" });
  using idle = workspace(IDLE);
  await using agent = await startLiveAgent(["--proc", `${idle.path}/proc`]);
  try {
    const { url } = target;
    const attached = `agent_addr: ${agent.addr}\n`;
    const [limited, locked, alone] = await Promise.all([
      runOnce({ flow: LIMITED("a"), url, target: attached }),
      runOnce({ flow: LOCKED, url, target: attached }),
      runOnce({ flow: LIMITED("b"), url }),
    ]);
    equal(classOf(limited), "throttled");
    match(limited.stdout, /throttle_rate rose by \d+ points/);
    equal(classOf(locked), "inconclusive");
    match(locked.stdout, /neither the machine's use nor throttle_rate rose/);
    equal(classOf(alone), "inconclusive");
    match(alone.stdout, /no agent was attached/);
    equal(alone.meta.agent_attached, false);
  } finally {
    await target.close();
  }
});

Deno.test("stress: degraded, with an agent on this machine", async () => {
  const target = await startDemoTarget({ port: 0, hostname: "127.0.0.1" });
  await using agent = await startLiveAgent();
  try {
    const run = await runOnce({
      flow: BURNING,
      url: target.url,
      target: `agent_addr: ${agent.addr}\n`,
    });
    equal(classOf(run), "degraded");
    match(run.stdout, /CPU (climbed by|was at) \d+/);
  } finally {
    await target.close();
  }
});

Deno.test("stress: a run that holds its thresholds has no knee", async () => {
  const target = await startDemoTarget({ port: 0, hostname: "127.0.0.1" });
  try {
    const run = await runOnce({
      flow: flow("GET /health", "x: 1", 3, "p95(latency) < 5s")
        .replace("6s", "1s"),
      url: target.url,
    });
    equal(run.code, 0, run.stdout);
    equal(run.meta.knee, null);
    ok(!run.stdout.includes("knee_point_found"));
  } finally {
    await target.close();
  }
});

Deno.test("bench demo: the `--` that a task hands on is left out", async () => {
  const { code, stderr } = await bench(["demo", "--", "--stress", "--serve"]);
  equal(code, 2);
  match(stderr, /'--stress' cannot be used with option '--serve'/);
});
