import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { demoTarget } from "../support/demo_target.ts";
import { bench, workspace } from "../support/bench.ts";
import { rawResponse } from "../support/raw_response.ts";
import { recordingServer } from "../support/recording_server.ts";
import { startLiveAgent } from "../support/live_agent.ts";
import { type FixtureRun, runOnce } from "../support/run_fixture.ts";

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

/** The class, after checking that `meta.json` and the summary agree to the letter. */
function classOf({ code, stdout, stderr, meta }: FixtureRun): string {
  equal(code, 1, stdout + stderr);
  ok(meta.knee, stdout);
  const { class: name, detail, vus, threshold } = meta.knee;
  const lines = stdout.split("\n")
    .filter((line) => line.includes("knee_point_found"));
  equal(lines.length, 1);
  equal(lines[0], `knee_point_found: ${name}: ${detail}`);
  ok(detail.includes(`at ${vus} VU`) && detail.includes(threshold), detail);
  ok(vus! > 1, detail);
  return name;
}

/**
 * A target of two cores that works 10 ms on each request, one after the other,
 * and the /proc of its machine. All of it is made up, so that the machine that
 * runs the test has no say in it.
 */
function busyMachine() {
  const folder = workspace(IDLE);
  const path = `${folder.path}/proc/stat`;
  const file = Deno.openSync(path, { write: true });
  let turn: Promise<void> = Promise.resolve();
  let worked = 0;
  const server = recordingServer(async () => {
    turn = turn.then(() => new Promise((done) => setTimeout(done, 10)));
    await turn;
    worked++;
    // Ticks of 10 ms on both cores, as wide as they stand there.
    const ticks = String(100 + worked * 2).padStart(9, "0");
    file.seekSync(0, Deno.SeekMode.Start);
    file.writeSync(new TextEncoder().encode(`cpu  ${ticks}`));
    return rawResponse(200);
  });
  return {
    url: server.url,
    proc: `${folder.path}/proc`,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      file.close();
      folder[Symbol.dispose]();
    },
  };
}

/** /proc of a machine that does nothing, whatever else runs on this one. */
const IDLE = {
  "proc/stat": "cpu  000000100 0 0 9000 0 0 0 0 0 0\n" +
    "cpu0 250 0 250 4500 0 0 0 0 0 0\ncpu1 250 0 250 4500 0 0 0 0 0 0\n",
  "proc/meminfo":
    "MemTotal: 8000 kB\nMemFree: 4000 kB\nMemAvailable: 6000 kB\n",
  "proc/loadavg": "0.10 0.10 0.10 1/100 42\n",
};

Deno.test("stress: throttled and inconclusive, with an agent on a quiet machine and without one", async () => {
  await using target = await demoTarget();
  using idle = workspace(IDLE);
  await using agent = await startLiveAgent(["--proc", `${idle.path}/proc`]);
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
});

Deno.test("stress: degraded, when what the agent reads climbs with the break", async () => {
  await using machine = busyMachine();
  await using agent = await startLiveAgent(["--proc", machine.proc]);
  const run = await runOnce({
    flow: flow("GET /work", "x: 1", 60, "p95(latency) < 60ms"),
    url: machine.url,
    target: `agent_addr: ${agent.addr}\n`,
  });
  equal(classOf(run), "degraded");
  match(run.stdout, /CPU \d+%( -> \d+%)+ \(\d\.\d of 2 cores\)/);
  match(run.stdout, /; CPU climbed by \d+ points/);
});

Deno.test("stress: a breach that lasts at no level has one line too", async () => {
  // One request in the whole run is slow.
  await using server = recordingServer(async ({ index }) => {
    if (index === 5) await new Promise((done) => setTimeout(done, 1_500));
    return rawResponse(200);
  });
  const run = await runOnce({
    flow: flow("GET /once", "x: 1", 8, "max(latency) < 1s")
      .replace("6s", "4s"),
    url: server.url,
  });
  equal(run.code, 1, run.stdout + run.stderr);
  const { class: name, vus, at_ms, detail } = run.meta.knee!;
  deepStrictEqual([name, vus, at_ms], ["inconclusive", null, null]);
  match(
    detail,
    /^no level: max\(latency\) < 1s broke, but never in two windows/,
  );
  const lines = run.stdout.split("\n")
    .filter((line) => line.startsWith("knee_point_found: "));
  deepStrictEqual(lines, [`knee_point_found: inconclusive: ${detail}`]);
});

Deno.test("stress: a run that holds its thresholds has no knee", async () => {
  await using target = await demoTarget();
  const run = await runOnce({
    flow: flow("GET /health", "x: 1", 3, "p95(latency) < 5s")
      .replace("6s", "1s"),
    url: target.url,
  });
  equal(run.code, 0, run.stdout);
  equal(run.meta.knee, null);
  ok(!run.stdout.includes("knee_point_found"));
});

Deno.test("bench demo: the `--` that a task hands on is left out", async () => {
  const { code, stderr } = await bench(["demo", "--", "--stress", "--serve"]);
  equal(code, 2);
  match(stderr, /'--stress' cannot be used with option '--serve'/);
});
