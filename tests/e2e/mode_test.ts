import {
  deepStrictEqual,
  doesNotMatch,
  equal,
  match,
} from "node:assert/strict";
import { bench, workspace } from "../support/bench.ts";
import { demoTarget } from "../support/demo_target.ts";
import { STRICT } from "../support/strict.ts";

const FLOW = `flow: both
profile: { mode: load, vus: 2, iterations: 20 }
steps:
  - id: item
    call: GET /items/42
    assert: [status == 200]
`;

Deno.test({
  name: "bench run --mode makes one file a functional check and a load test",
  ...STRICT,
  async fn() {
    await using target = await demoTarget();
    using folder = workspace({
      "flow.yaml": FLOW,
      "target.yaml":
        `name: demo\nbase_urls: [${target.url}]\ndisallowed_modes: [soak]\n`,
      "bare.yaml": "flow: bare\nsteps:\n  - id: a\n    call: GET /health\n",
    });
    const run = (...args: string[]) =>
      bench(["run", ...args, "--target", "./target.yaml", "--json"], {
        cwd: folder.path,
      });
    const [load, check, unbounded, disallowed] = await Promise.all([
      run("flow.yaml"),
      run("flow.yaml", "--mode", "integration"),
      run("bare.yaml", "--mode", "load"),
      run("flow.yaml", "--mode", "soak"),
    ]);
    equal(JSON.parse(load.stdout).mode, "load");
    equal(JSON.parse(load.stdout).iterations.completed, 20);
    equal(JSON.parse(check.stdout).mode, "integration");
    equal(JSON.parse(check.stdout).iterations.completed, 1);
    equal(unbounded.code, 2, "the rules of the other mode hold");
    match(
      unbounded.stderr,
      /^--mode: error: `load` mode needs `iterations` or `hold`/,
    );
    equal(disallowed.code, 2);
    match(
      disallowed.stderr,
      /^--mode: error: target `demo` does not allow soak/,
    );
  },
});

Deno.test({
  name:
    "bench run: the load of the command line replaces that part of the profile, and is in the stored flow",
  ...STRICT,
  async fn() {
    await using target = await demoTarget();
    using folder = workspace({
      "flow.yaml": FLOW,
      "target.yaml": `name: demo\nmax_vus: 50\nbase_urls: [${target.url}]\n`,
    });
    const run = (...args: string[]) =>
      bench(["run", "flow.yaml", "--target", "./target.yaml", ...args], {
        cwd: folder.path,
      });
    const driven: unknown[] = [];
    const profileOf = async (...args: string[]) => {
      const { stdout, stderr } = await run("--json", ...args);
      const { id } = JSON.parse(stdout || stderr);
      const path = `${folder.path}/.bench/runs/${id}/flow.json`;
      driven.push(JSON.parse(stdout).options);
      return JSON.parse(Deno.readTextFileSync(path)).profile;
    };
    const [vus, ramp, rate, many, both, wrong, words, units] = await Promise
      .all([
        profileOf("--vus", "3"),
        profileOf("--ramp", "1 -> 4 over 100ms", "--hold", "100ms"),
        profileOf("--rate", "200/s", "--iterations", "7"),
        run("--vus", "51"),
        run("--vus", "2", "--ramp", "1 -> 2 over 1s"),
        run("--rate", "fast"),
        run("--rate", "50 rps"),
        run("--hold", "30 sec"),
      ]);
    deepStrictEqual(vus, { mode: "load", vus: 3, iterations: 20 });
    deepStrictEqual(ramp, {
      mode: "load",
      vus: { from: 1, to: 4, over_us: 100_000 },
      hold_us: 100_000,
      iterations: 20,
    });
    deepStrictEqual(rate, {
      mode: "load",
      vus: 2,
      iterations: 7,
      arrival: { count: 1, per_us: 5_000 },
    });
    for (
      const options of [
        '"vus":"3"',
        '"ramp":"1 -> 4 over 100ms","hold":"100ms"',
        '"iterations":"7","rate":"200/s"',
      ]
    ) match(JSON.stringify(driven), new RegExp(options));
    equal(many.code, 2);
    match(many.stderr, /^--vus: error: .*51/m);
    equal(both.code, 2);
    match(both.stderr, /--vus.*cannot be used with.*--ramp/);
    match(words.stderr, /^--rate: error: .*\n += did you mean 50\/s\?$/m);
    match(units.stderr, /'30 sec' is invalid.*\n {2}= did you mean 30s\?$/m);
    equal(wrong.code, 2);
    match(wrong.stderr, /^--rate: error: /m);
  },
});

Deno.test("bench run --env-file sets what the environment does not have, and shows no line of it", async () => {
  using folder = workspace({
    "flow.yaml": `flow: f
auth: { scheme: bearer, token: "{{ env.MINE }}" }
steps:
  - id: a
    call: GET /{{ env.OTHER }}
`,
    ".env": 'MINE="two\\nlines"\n# a comment\nexport OTHER=from-the-file\n',
    "wrong.env": "MINE=x\nhunter2-is-secret\n",
  });
  const validate = (file: string) =>
    bench(["validate", "flow.yaml", "--env-file", file], {
      cwd: folder.path,
      env: { OTHER: "from-the-environment" },
    });
  const [set, wrong, none] = await Promise.all([
    validate(".env"),
    validate("wrong.env"),
    validate("no.env"),
  ]);
  equal(set.code, 2, "a line feed in a credential is refused");
  match(set.stderr, /`MINE`|env\.MINE/);
  doesNotMatch(set.stderr, /not set/);
  equal(wrong.code, 2);
  match(wrong.stderr, /^wrong\.env:2:1: error: expected `NAME=value`/m);
  doesNotMatch(wrong.stderr, /hunter2/);
  equal(none.code, 2);
  match(none.stderr, /no\.env/);
});
