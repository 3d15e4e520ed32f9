import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { bench, workspace } from "../support/bench.ts";

const FLOW =
  "flow: f\nprofile: { iterations: 1 }\nsteps:\n  - { id: a, call: GET / }\n";
const BARE = "name: t\nbase_urls: [http://127.0.0.1:9]\n";

Deno.test("plan: the agent a target has is part of what a run would talk to", async () => {
  using folder = workspace({
    "flow.yaml": FLOW,
    "bare.yaml": BARE,
    "watched.yaml": `${BARE}agent_addr: 10.0.0.5:9090\n`,
  });
  const plan = async (target: string, ...more: string[]) => {
    const args = ["plan", "flow.yaml", "--target", `./${target}.yaml`];
    const run = await bench([...args, ...more], { cwd: folder.path });
    equal(run.code, 0, run.stderr);
    return run.stdout;
  };
  const [text, json, functional, none, noneJson] = await Promise.all([
    plan("watched", "--mode", "load"),
    plan("watched", "--mode", "load", "--json"),
    plan("watched"),
    plan("bare"),
    plan("bare", "--json"),
  ]);
  match(text, /^agent +10\.0\.0\.5:9090, asked once a second$/m);
  equal(JSON.parse(json).agent_addr, "10.0.0.5:9090");
  match(
    functional,
    /^agent +10\.0\.0\.5:9090, not asked in integration mode$/m,
  );
  ok(!none.includes("agent"), none);
  equal(JSON.parse(noneJson).agent_addr, null);
});

Deno.test("plan: what becomes of the rows of each pool", async () => {
  const pool = (name: string, more: string) =>
    `  ${name}: { path: rows.csv, ${more} }\n`;
  using folder = workspace({
    "flow.yaml": `version: 1
flow: f
profile: { mode: load, vus: 1, iterations: 9 }
pools:
${pool("a", "distribution: random")}${pool("b", "distribution: round-robin")}${
      pool("c", "on_exhausted: cycle")
    }${pool("d", "on_exhausted: stop")}${pool("e", "format: csv")}steps:
  - { id: a, call: GET / }
`,
    "rows.csv": "n\n1\n2\n",
    "bare.yaml": BARE,
  });
  const args = ["plan", "flow.yaml", "--target", "./bare.yaml"];
  const { stdout, stderr } = await bench(args, { cwd: folder.path });
  deepStrictEqual(stdout.match(/(?<=^rows +2 in pool ).*$/gm), [
    "`a`, drawn at random",
    "`b`, used again and again",
    "`c`, used again and again",
    "`d`: the run ends when they are used up",
    "`e`: iterations beyond that have none and fail where they need one",
  ], stderr);
});

Deno.test("plan: a load that changes is a small chart, and its bends are data", async () => {
  using folder = workspace({
    "flow.yaml": `version: 1
flow: f
profile:
  mode: load
  vus: 9
  stages: [{ arrival: 100/s, over: 10s }, { over: 10s }, { arrival: 20/s, over: 0s }, { over: 5s }]
steps: [{ id: a, call: GET / }]
`,
    "bare.yaml": BARE,
  });
  const args = ["plan", "flow.yaml", "--target", "./bare.yaml"];
  const { stdout } = await bench(args, { cwd: folder.path });
  equal(
    stdout.slice(stdout.indexOf("course")),
    `course      100/s |                 ..:::::::::::::::::::::
                  |              .:::::::::::::::::::::::::
                  |          ..::::::::::::::::::::::::::::
                  |       ..:::::::::::::::::::::::::::::::
                  |    .:::::::::::::::::::::::::::::::::::
              0/s |..::::::::::::::::::::::::::::::::::::::::::::::::
                   0s                                             25s
`,
  );
  match(stdout, /^requests +1 an iteration, 1,600 in all$/m);
  match(stdout, /^iterations +1,600, as their requests are due$/m);
  const json = await bench([...args, "--json"], { cwd: folder.path });
  deepStrictEqual(JSON.parse(json.stdout).course, {
    unit: "requests_per_second",
    points: [
      { at_ms: 0, level: 0 },
      { at_ms: 10_000, level: 100 },
      { at_ms: 20_000, level: 100 },
      { at_ms: 20_000, level: 20 },
      { at_ms: 25_000, level: 20 },
    ],
  });
});

Deno.test("plan: how long the steps make an iteration wait, in bounds where a pause is drawn", async () => {
  using folder = workspace({
    "flow.yaml":
      `version: 1\n${FLOW}  - { id: b, wait: { between: 1s..3s } }\n  - { id: c, wait: 500ms }\n`,
    "bare.yaml": BARE,
  });
  const args = ["plan", "flow.yaml", "--target", "./bare.yaml"];
  const { stdout } = await bench(args, { cwd: folder.path });
  match(stdout, /^waits +1\.5s to 3\.5s an iteration$/m);
  const json = await bench([...args, "--json"], { cwd: folder.path });
  deepStrictEqual(JSON.parse(json.stdout).wait_us_per_iteration, {
    least: 1_500_000,
    most: 3_500_000,
  });
});

Deno.test("plan: every count of thousands is written alike", async () => {
  using folder = workspace({
    "flow.yaml": `version: 1
flow: f
profile: { mode: load, vus: 1200, iterations: 1800 }
pools:
  user: { path: rows.csv, distribution: random }
steps:
  - { id: a, poll: { call: GET /, interval: 1ms, timeout: 9s, until: [status == 200] } }
`,
    "rows.csv": `n\n${"1\n".repeat(1_300)}`,
    "bare.yaml": `${BARE}max_vus: 2400\nmax_rps: 3600\n`,
  });
  const args = ["plan", "flow.yaml", "--target", "./bare.yaml"];
  const { stdout, stderr } = await bench(args, { cwd: folder.path });
  deepStrictEqual(stdout.match(/^(VUs|iterations|requests|rows) .*$/gm), [
    "VUs         1,200 at the most (the target allows 2,400)",
    "iterations  1,800",
    "requests    1 to 9,000 an iteration, at most 16,200,000 in all (the target allows 3,600/s)",
    "rows        1,300 in pool `user`, drawn at random",
  ], stderr);
});

Deno.test("plan: a rate that is no whole number a second is rounded", async () => {
  using folder = workspace({
    "flow.yaml": FLOW.replace("flow: f", "version: 1\nflow: f").replace(
      "iterations: 1",
      "mode: load, stages: [{ arrival: 7/m, over: 1m }]",
    ),
    "bare.yaml": BARE,
  });
  const args = ["plan", "flow.yaml", "--target", "./bare.yaml"];
  const { stdout } = await bench(args, { cwd: folder.path });
  match(stdout, /^offered +0\.116667\/s at the most$/m);
  match(stdout, /^course +0\.116667\/s \|/m);
});

Deno.test("plan: the rows of a mix, each as its pool and the share of its flow have it", async () => {
  const pools = (name: string, ...those: string[]) =>
    FLOW.replace("flow: f", `version: 1\nflow: ${name}\npools:`).replace(
      "pools:",
      ["pools:", ...those].join("\n  "),
    );
  using folder = workspace({
    "f.yaml": pools(
      "f",
      "stops: { path: u.csv, on_exhausted: stop }",
      "cycles: { path: u.csv, on_exhausted: cycle }",
      "fails: { path: u.csv }",
    ),
    "g.yaml": pools("g", "enough: { path: u.csv }"),
    "u.csv": "name\nada\nbob\n",
    "mix.yaml": `version: 1
mix: both
flows: [{ flow: f.yaml, weight: 3 }, { flow: g.yaml, weight: 1 }]
profile: { mode: load, vus: 2, iterations: 8 }
`,
    "bare.yaml": BARE,
  });
  const args = ["plan", "mix.yaml", "--target", "./bare.yaml"];
  const { stdout } = await bench(args, { cwd: folder.path });
  deepStrictEqual(stdout.match(/^rows .*$/gm), [
    "rows        2 in pool `f/stops`: the run ends when they are used up",
    "rows        2 in pool `f/cycles`, used again and again",
    "rows        2 in pool `f/fails`: iterations beyond that have none and fail where they need one",
    "rows        2 in pool `g/enough`, enough for every iteration",
  ]);
});

Deno.test("plan: the flows of a mix with their shares, and the warm-up", async () => {
  using folder = workspace({
    "flow.yaml": FLOW,
    "other.yaml": FLOW.replace("flow: f", "flow: g").replace(
      "GET / }",
      "GET /, retry: { on_status: [503], backoff: fixed, max_attempts: 3 } }",
    ),
    "mix.yaml": `version: 1
mix: both
flows: [{ flow: flow.yaml, weight: 3 }, { flow: other.yaml, weight: 1 }]
profile: { mode: load, vus: 2, hold: 4s, warm_up: 1s }
`,
    "bare.yaml": BARE,
  });
  const plan = async (...more: string[]) => {
    const args = ["plan", "mix.yaml", "--target", "./bare.yaml", ...more];
    return (await bench(args, { cwd: folder.path })).stdout;
  };
  const [text, json, functional] = await Promise.all([
    plan(),
    plan("--json"),
    plan("--mode", "integration"),
  ]);
  match(text, /^flows +f 75%, g 25% of the iterations$/m);
  const bounded = await plan("--iterations", "100");
  match(bounded, /^requests +1 to 3 an iteration, at most 150 in all$/m);
  match(text, /^requests +1 to 3 an iteration$/m);
  match(functional, /^requests +1 to 3 an iteration, at most 4 in all$/m);
  const offered = await plan("--rate", "30/s");
  match(offered, /^iterations +about 80 to 120, as their requests are due$/m);
  match(text, /^lasts +4s$\n^warm-up +1s of it, in no figure$/m);
  const { flows, warm_up_ms } = JSON.parse(json);
  deepStrictEqual(flows, [
    { name: "f", weight: 3 },
    { name: "g", weight: 1 },
  ]);
  equal(warm_up_ms, 1_000);
  match(functional, /^flows +f, g$/m);
  ok(!functional.includes("warm-up"), functional);
});

Deno.test("plan: where tokens are fetched is a part of what a run would send", async () => {
  const auth = (url: string, id: string) =>
    `auth: { scheme: oauth2_client_credentials, token_url: ${url}, client_id: ${id}, client_secret: "{{ env.S }}" }`;
  using folder = workspace({
    "flow.yaml": `flow: f
${auth("/token", "a")}
steps:
  - { id: a, call: GET / }
  - { id: b, call: GET /, ${auth("http://127.0.0.1:9/other", "b")} }
  - { id: c, call: GET / }
`,
    "none.yaml": FLOW,
    "bare.yaml": BARE,
  });
  const plan = async (flow: string, ...more: string[]) => {
    const args = ["plan", flow, "--target", "./bare.yaml", ...more];
    return (await bench(args, { cwd: folder.path })).stdout;
  };
  const [text, json, none] = await Promise.all([
    plan("flow.yaml"),
    plan("flow.yaml", "--json"),
    plan("none.yaml"),
  ]);
  const urls = ["/token", "http://127.0.0.1:9/other"];
  match(text, /^requests +3 an iteration, 3 in all$\n^tokens +of \/token, /m);
  ok(text.includes(`${urls.join(", ")}: beside those, a request once`), text);
  deepStrictEqual(JSON.parse(json).token_urls, urls);
  ok(!none.includes("tokens"), none);
});

Deno.test("plan: iterations that time may cut short are the most there are", async () => {
  using folder = workspace({
    "f.yaml": `flow: f
profile: { mode: load, vus: 2, iterations: 1000 }
steps: [{ id: a, call: GET / }]
`,
    "bare.yaml": BARE,
  });
  const plan = async (...args: string[]) => {
    const { stdout } = await bench(
      ["plan", "f.yaml", "--target", "./bare.yaml", ...args],
      { cwd: folder.path },
    );
    return stdout.match(/^(iterations|requests) .*$/gm);
  };
  deepStrictEqual(await plan(), [
    "iterations  1,000",
    "requests    1 an iteration, 1,000 in all",
  ]);
  for (const time of [["--hold", "1s"], ["--ramp", "5 -> 0 over 1s"]]) {
    deepStrictEqual(await plan(...time), [
      "iterations  at most 1,000",
      "requests    1 an iteration, at most 1,000 in all",
    ]);
  }
});

Deno.test("plan: the rows that an open loop needs are those of the iterations its requests make", async () => {
  using folder = workspace({
    "f.yaml": `flow: f
data: u.csv
profile: { mode: load, vus: 2, arrival_cap: 4/s, hold: 1s }
steps:
  - { id: a, call: "GET /{{ user.name }}" }
  - { id: b, call: GET /b }
`,
    "u.csv": "name\nada\nbob\neve\n",
    "bare.yaml": BARE,
  });
  const rows = async (...args: string[]) => {
    const { stdout, stderr } = await bench(
      ["plan", "f.yaml", "--target", "./bare.yaml", ...args],
      { cwd: folder.path },
    );
    return [
      /^rows +(.*)$/m.exec(stdout)?.[1],
      /warning: (.*)/.exec(stderr)?.[1],
    ];
  };
  deepStrictEqual(await rows(), [
    "3 in pool `user`, enough unless iterations fail early",
    undefined,
  ]);
  deepStrictEqual(await rows("--rate", "3/s"), [
    "3 in pool `user`, enough for every iteration",
    undefined,
  ]);
  deepStrictEqual(await rows("--rate", "8/s"), [
    "3 in pool `user`: iterations beyond that have none and fail where they need one",
    "3 rows for 4 iterations: those after the first 3 have no row",
  ]);
});

Deno.test("plan: the most requests of an open loop are those offered, and what iterations under way at the end have left", async () => {
  const steps = "steps:\n  - { id: a, call: GET / }\n";
  const profile =
    "profile: { mode: load, vus: 5, hold: 2s, arrival_cap: 10/s }\n";
  using folder = workspace({
    "one.yaml": `flow: one\n${profile}${steps}`,
    "two.yaml": `flow: two\n${profile}${steps}  - { id: b, call: GET / }\n`,
    "bare.yaml": BARE,
  });
  const plan = async (flow: string) => {
    const args = ["plan", flow, "--target", "./bare.yaml"];
    return (await bench(args, { cwd: folder.path })).stdout;
  };
  const [one, two] = await Promise.all([plan("one.yaml"), plan("two.yaml")]);
  match(one, /^requests +1 an iteration, 20 in all$/m);
  match(two, /^iterations +10, as their requests are due$/m);
  match(two, /^requests +2 an iteration, at most 25 in all$/m);
});

Deno.test("plan: a variable that is set to nothing is not said to be set like another", async () => {
  const headers = 'headers: { A: "{{ env.A }}{{ env.B }}{{ env.C }}" }';
  using folder = workspace({
    "flow.yaml":
      `flow: f\nsteps:\n  - id: a\n    call: GET /\n    ${headers}\n`,
    "bare.yaml": BARE,
  });
  const plan = async (...more: string[]) => {
    const { stdout } = await bench(
      ["plan", "flow.yaml", "--target", "bare.yaml", ...more],
      { cwd: folder.path, env: { A: "", B: "value" } },
    );
    return stdout;
  };
  match(
    await plan(),
    /^env +A is set, but empty\nenv +B is set\nenv +C IS NOT SET$/m,
  );
  deepStrictEqual(JSON.parse(await plan("--json")).env, {
    A: true,
    B: true,
    C: false,
  });
});
