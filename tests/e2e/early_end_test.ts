import assert from "node:assert/strict";
import { demoTarget } from "../support/demo_target.ts";
import { bench, workspace } from "../support/bench.ts";

Deno.test("bench run --stop-on-breach, --threshold of a step, --arrivals: a run whose failures are too many ends early, with its results", async () => {
  await using target = await demoTarget();
  using folder = workspace({
    "target.yaml": `name: demo\nbase_urls: [${target.url}]\n`,
    "lost.bench.yaml": `version: 1
flow: lost
profile:
  { mode: load, vus: 1, iterations: 100000, hold: 60s, arrival_cap: 200/s, thresholds: [error_rate < 0.01%] }
steps:
  - { id: fine, call: GET /health }
  - { id: broken, call: GET /items/none }
`,
  });
  const run = await bench([
    "run",
    "lost.bench.yaml",
    "--target",
    "target.yaml",
    "--stop-on-breach",
    "--threshold",
    "broken: error_rate < 50%",
    "--threshold",
    "fine: error_rate <= 0",
    "--threshold",
    "fine: bytes_per_second > 0B",
    "--arrivals",
    "poisson",
    "--until",
    "p95 within 1%",
    "--json",
    "--quiet",
  ], { cwd: folder.path });
  assert.equal(run.code, 1, run.stderr);
  assert.match(
    run.stderr,
    /^note: --stop-on-breach does not look at thresholds whose figure is not known by the second; judged at the end: `fine: bytes_per_second > 0B`$/m,
  );
  const meta = JSON.parse(run.stdout);
  assert.equal(meta.status, "aborted");
  assert.match(
    meta.abort_reason,
    /^`error_rate < 0.01%` cannot be met any more: \d+ of 100,000/,
  );
  assert.ok(meta.duration_ms < 50_000);
  const verdicts = meta.thresholds.map((
    each: { step?: string; pass: boolean },
  ) => [each.step, each.pass]);
  assert.deepEqual(verdicts, [
    [undefined, false],
    ["broken", false],
    ["fine", true],
    ["fine", true],
  ]);
  assert.match(
    meta.notes.join("\n"),
    /^p95 within 1%: not reached when the run was over: too (short to say|few samples)$/m,
  );
});

Deno.test("bench run refuses a threshold of a step that is not there, and a goal that is none", async () => {
  using folder = workspace({
    "target.yaml": "name: demo\nbase_urls: [http://127.0.0.1:9]\n",
    "a.bench.yaml": "flow: a\nsteps: [{ id: login, call: GET /x }]\n",
  });
  const run = (...words: string[]) =>
    bench(["run", "a.bench.yaml", "--target", "target.yaml", ...words], {
      cwd: folder.path,
    });
  const [step, text, goal] = await Promise.all([
    run("--threshold", "logn: p95(latency) < 1s"),
    run("--threshold", "p95 < 1s", "--threshold", "error_rate < 2"),
    run("--until", "p99.9"),
  ]);
  assert.deepEqual([step.code, text.code, goal.code], [2, 2, 2]);
  assert.match(step.stderr, /^--threshold: error: there is no step `logn`/m);
  assert.match(step.stderr, /did you mean `login`\?/);
  assert.match(text.stderr, /--threshold.*`p95` is not a threshold metric/);
  assert.match(text.stderr, /--threshold.*a rate is at most 1 \(100%\)/);
  assert.match(text.stderr, /\n2 errors; nothing was sent\n$/);
  assert.match(
    goal.stderr,
    /^--until: error: "p99.9" is not what a run can end at/,
  );
});

Deno.test("bench run: options that need another one, or a load that is not made, are refused or named", async () => {
  await using target = await demoTarget();
  using folder = workspace({
    "target.yaml": `name: demo\nbase_urls: [${target.url}]\n`,
    "f.yaml": `flow: f
profile: { mode: load, vus: 1, iterations: 2 }
steps:
  - { id: a, call: GET /health }
`,
  });
  const run = (...flags: string[]) =>
    bench(["run", "f.yaml", "--target", "target.yaml", "--quiet", ...flags], {
      cwd: folder.path,
    });
  const alone = {
    "--lead needs --shard <i/n>": ["--lead", "127.0.0.1:9"],
    "--tolerate-lost needs --shard <i/n>": ["--tolerate-lost", "1"],
    "--lead-without-tls needs --shard <i/n>": ["--lead-without-tls"],
    "--contract: error: it needs --openapi as well": ["--contract", "warn"],
    "--metrics: error: it must be host:port or :port": ["--metrics", "x"],
  };
  for (const [said, flags] of Object.entries(alone)) {
    const { code, stderr } = await run(...flags);
    assert.equal(code, 2);
    assert.ok(stderr.includes(said), stderr);
  }
  const idle = await run("--arrivals", "poisson");
  assert.equal(
    idle.stderr,
    "note: --arrivals has no effect without an offered rate: give it `--rate`, or an `arrival_cap`\n",
  );
  const unjudged = await run("--stop-on-breach");
  assert.equal(
    unjudged.stderr,
    "note: --stop-on-breach has no effect without a threshold: give it `--threshold`, or `thresholds`\n",
  );
  const judged = await run(
    "--stop-on-breach",
    "--threshold",
    "error_rate <= 1",
  );
  assert.doesNotMatch(judged.stderr, /no effect/);
  const ending = ["--until", "p50 within 5%", "--stop-on-breach"];
  const check = await run("--mode", "system", ...ending);
  assert.equal(
    check.stderr,
    ["--stop-on-breach", "--until"].map((flag) =>
      `note: ${flag} has no effect in system mode\n`
    ).join(""),
  );
});
