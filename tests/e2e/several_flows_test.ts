import { deepEqual, doesNotMatch, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { bench, spawnBench, workspace } from "../support/bench.ts";
import { follow } from "../support/live_command.ts";
import { rawResponse } from "../support/raw_response.ts";
import { recordingServer } from "../support/recording_server.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { runIds } from "../support/run_fixture.ts";

const flow = (name: string, path = "/", profile = "") =>
  `flow: ${name}\n${profile}steps:\n  - id: one\n    call: GET ${path}\n    assert: [status == 200]\n`;

async function withFlows(
  files: Readonly<Record<string, string>>,
  body: (
    run: (...args: string[]) => ReturnType<typeof bench>,
    path: string,
    lines: () => string[],
  ) => Promise<void>,
): Promise<void> {
  await using server = recordingServer(({ line }) =>
    rawResponse(line === "GET /broken" ? 500 : 200)
  );
  using folder = workspace({
    "target.yaml": `name: here\nbase_urls: [${server.url}]\n`,
    ...files,
  });
  await body(
    (...args) =>
      bench(["run", ...args, "--target", "target.yaml", "--store", "runs"], {
        cwd: folder.path,
      }),
    folder.path,
    () => server.arrivals.map(({ line }) => line),
  );
}

const FLOWS = {
  "flows/a.bench.yaml": flow("alpha", "/a"),
  "flows/in/b.bench.yml": flow("beta", "/broken"),
  "flows/in/c.bench.yaml": flow("gamma", "/c"),
  "flows/in/notes.yaml": "no: flow\n",
  "flows/.hidden/d.bench.yaml": "broken",
  "flows/node_modules/e.bench.yaml": "broken",
};

Deno.test("several flows: one summary, one JUnit, one Markdown, one exit code, and a run each", () =>
  withFlows(FLOWS, async (run, path) => {
    const reports = ["--junit", "junit.xml", "--report-md", "report.md"];
    const { code, stdout, stderr } = await run(
      "flows",
      "--jobs",
      "2",
      ...reports,
    );
    equal(code, 1, stderr);
    match(stdout, /^2 of 3 flows passed {2}✗ FAIL {2}3 iterations/);
    match(
      stdout,
      /\n {4}alpha {2}✓ PASS +1 +0 .*\n {4}beta {3}✗ FAIL +1 +1 .*\n {4}gamma/,
    );
    match(stdout, /\nbeta {2}flows\/in\/b\.bench\.yml\n/);
    match(stdout, /> HTTP\/1\.1 500 Internal Server Error/);
    const read = (name: string) => Deno.readTextFileSync(join(path, name));
    match(read("junit.xml"), /<testsuites name="bench" tests="3" failures="1"/);
    equal(read("junit.xml").match(/<testsuite /g)?.length, 3);
    match(read("report.md"), /^## ❌ Failed: 2 of 3 flows passed\n/);
    match(read("report.md"), /\n## ❌ Failed: beta\n/);
    equal(runIds(join(path, "runs")).length, 3);
    const json = await run("flows", "--json", "--quiet");
    deepEqual(
      JSON.parse(json.stdout).map((each: { flow: string }) => each.flow),
      ["alpha", "beta", "gamma"],
    );
    // One that is left of several is a list too.
    const one = await run("flows", "--only", "alpha", "--json", "--quiet");
    deepEqual(
      JSON.parse(one.stdout).map((each: { flow: string }) => each.flow),
      ["alpha"],
    );
  }));

Deno.test("several flows: those that run at the same time keep max_rps together", async () => {
  await using server = recordingServer();
  using folder = workspace({
    "target.yaml": `name: here\nbase_urls: [${server.url}]\nmax_rps: 1\n`,
    "a.bench.yaml": flow("alpha"),
    "b.bench.yaml": flow("beta"),
  });
  const { code, stdout, stderr } = await bench(
    ["run", ".", "--target", "target.yaml", "--jobs", "2", "--json", "-q"],
    { cwd: folder.path },
  );
  equal(code, 0, stderr);
  const held = (JSON.parse(stdout) as RunMeta[]).map((each) =>
    each.generator?.held_requests ?? 0
  );
  deepEqual(held.toSorted(), [0, 1]);
});

Deno.test("several flows: files, patterns and --only say which", () =>
  withFlows(FLOWS, async (run, _, lines) => {
    const both = await run(
      ...["flows/a.bench.yaml", "flows/in/c*", "./flows/a.bench.yaml", "-q"],
    );
    equal(both.code, 0, both.stderr);
    match(both.stdout, /^2 of 2 flows passed {2}✓ PASS/);
    deepEqual(lines().splice(0), ["GET /a", "GET /c"]);
    // One that is left is a run like any other.
    const one = await run("flows", "--only", "gam*");
    match(one.stdout, /^gamma {2}✓ PASS {2}target here/);
    const none = await run("flows", "--only", "delta");
    equal(none.code, 2);
    match(
      none.stderr,
      /no flow is named `delta`\n {2}= there are `alpha`, `beta`, `gamma`/,
    );
    const missing = await run("flows/*.nope");
    equal(missing.code, 2);
    match(missing.stderr, /no file fits flows\/\*\.nope/);
  }));

Deno.test("several flows: those of one name are shown with their files", () =>
  withFlows({
    "a.bench.yaml": flow("same"),
    "b.bench.yaml": flow("same", "/broken"),
    "c.bench.yaml": flow("other"),
  }, async (run, path) => {
    const none = await run(".", "--only", "third");
    match(none.stderr, /\n {2}= there are `same`, `other`\n/);
    const { stdout } = await run(".", "--junit", "junit.xml");
    match(stdout, /\n {4}same \(\.\/a\.bench\.yaml\) {2}✓ PASS/);
    match(stdout, /\n {4}same \(\.\/b\.bench\.yaml\) {2}✗ FAIL/);
    match(stdout, /\n {4}other {2,}✓ PASS/);
    const junit = Deno.readTextFileSync(join(path, "junit.xml"));
    match(junit, /<testcase classname="same \(\.\/a\.bench\.yaml\)"/);
    match(junit, /<testsuite name="other"/);
  }));

Deno.test("several flows: what is wrong in any of them is said before anything is sent", () =>
  withFlows({
    "flows/a.bench.yaml": flow("alpha"),
    "flows/b.bench.yaml": flow("beta").replace("assert", "asert"),
    "flows/c.bench.yaml": flow("gamma").replace("call", "cal"),
  }, async (run, _, lines) => {
    const { code, stderr } = await run("flows");
    equal(code, 2);
    match(stderr, /b\.bench\.yaml:5:5: error: unknown key `asert`/);
    match(stderr, /c\.bench\.yaml:\d+:\d+: error: /);
    doesNotMatch(stderr, /target\.yaml/);
    deepEqual(lines(), []);
  }));

Deno.test("several flows: the notes of one that did not pass are said", () =>
  withFlows({
    "flows/a.bench.yaml": flow("alpha"),
    "flows/b.bench.yaml": `version: 1\n${flow("beta")}` +
      "teardown: [{ id: remove, call: GET /broken }]\n",
  }, async (run) => {
    const { code, stdout } = await run("flows");
    equal(code, 1);
    match(
      stdout,
      /\n\n {2}note: `teardown` did not pass: step `remove`: [^]*\n {2}run {2}runs\//,
    );
  }));

Deno.test("several flows make no load, and share no option of one run", () =>
  withFlows({
    "a.bench.yaml": flow("alpha"),
    "b.bench.yaml": flow(
      "beta",
      "/",
      "profile: { mode: load, vus: 1, hold: 1s }\n",
    ),
    "m.bench.yaml":
      "version: 1\nmix: m\nflows: [{ flow: a.bench.yaml, weight: 1 }]\nprofile: { mode: load, vus: 1, hold: 1s }\n",
  }, async (run, _, lines) => {
    const load = await run("a.bench.yaml", "b.bench.yaml");
    equal(load.code, 2);
    match(
      load.stderr,
      /b\.bench\.yaml: error: several flows are checked one by one, but the mode of `beta` is load\n.*write a mix: `\{ version: 1, mix: both, flows: \[\{ flow: a\.bench\.yaml, weight: 1 \}, \{ flow: b\.bench\.yaml, weight: 1 \}\] \}`/,
    );
    const asked = await run("a.bench.yaml", "b.bench.yaml", "--mode", "load");
    match(
      asked.stderr,
      /several flows are checked one by one, but `--mode` is load\n.*write a mix: `\{ version: 1, mix: both, /,
    );
    const mixed = await run("m.bench.yaml", "a.bench.yaml");
    match(
      mixed.stderr,
      /the mode of `m` is load\n.*= a mix .*: run it by itself/,
    );
    const chosen = ["a.bench.yaml", "b.bench.yaml", "--only", "alpha"];
    const endless = await run(...chosen, "--mode", "stress");
    match(endless.stderr, /--mode: error: `stress` mode needs `iterations`/);
    const open = await run("a.bench.yaml", "b.bench.yaml", "--open");
    match(open.stderr, /--open is for one flow, but 2 were given/);
    deepEqual(lines(), []);
    const mode = await run(
      "a.bench.yaml",
      "b.bench.yaml",
      "--mode",
      "integration",
    );
    equal(mode.code, 0, mode.stderr);
    const one = await run(...chosen, "--mode", "load", "--iterations", "2");
    match(one.stdout, /^alpha .* mode load .* 2 iterations/, one.stderr);
  }));

const tagged = (name: string, tags: string) =>
  `version: 1\ntags: ${tags}\n${flow(name, `/${name}`)}`;

const TAGGED = {
  "flows/a.bench.yaml": tagged("alpha", "[smoke]"),
  "flows/b.bench.yaml": tagged("beta", "[smoke, slow]"),
  "flows/c.bench.yaml": tagged("gamma", "[checkout]"),
  "flows/d.bench.yaml": flow("delta", "/delta"),
};

Deno.test("several flows: --tags and --skip-tags choose by words of the flows", () =>
  withFlows(TAGGED, async (run, _, lines) => {
    const chosen = async (...args: string[]) => {
      const before = lines().length;
      const { code, stderr } = await run("flows", ...args);
      equal(code, 0, stderr);
      return lines().slice(before).map((line) => line.slice(4)).sort();
    };
    deepEqual(await chosen("--tags", "smoke"), ["/alpha", "/beta"]);
    const some = await chosen(
      "--tags",
      "smoke,checkout",
      "--skip-tags",
      "slow",
    );
    deepEqual(some, ["/alpha", "/gamma"]);
    deepEqual(await chosen("--skip-tags", "smoke, checkout"), ["/delta"]);
    const both = await chosen("--tags", "slow", "--tags", "checkout");
    deepEqual(both, ["/beta", "/gamma"]);
    deepEqual(await chosen("--tags", "smoke", "--only", "b*"), ["/beta"]);
  }));

Deno.test("several flows: bench runs and bench plan show tags, and runs are found by one", () =>
  withFlows(TAGGED, async (run, cwd) => {
    equal((await run("flows", "-q")).code, 0);
    const stored = (...words: string[]) =>
      bench(["runs", "--store", "runs", ...words], { cwd });
    const { stdout } = await stored("--tag", "slow");
    match(stdout, /^ +run .* p95 +tags\n.*-beta-.* smoke, slow\n$/);
    const json = JSON.parse((await stored("--tag", "smoke", "--json")).stdout);
    deepEqual(
      json.runs.map((each: { tags: string[] }) => each.tags.join()).sort(),
      ["smoke", "smoke,slow"],
    );
    match((await stored("--tag", "no")).stderr, /no run of tag `no` in/);
    const plan = ["plan", join("flows", "b.bench.yaml")];
    const planned = await bench([...plan, "--target", "target.yaml"], { cwd });
    match(planned.stdout, /^tags +smoke, slow$/m);
  }));

Deno.test("several flows: a tag that none has, and a choice that leaves none, are refused", () =>
  withFlows(TAGGED, async (run, _, lines) => {
    const refused = async (...args: string[]) => {
      const { code, stderr } = await run("flows", ...args);
      equal(code, 2);
      return stderr;
    };
    match(
      await refused("--tags", "smok"),
      /no flow has the tag `smok`\n.*did you mean `smoke`\?/,
    );
    match(
      await refused("--skip-tags", "nightly"),
      /no flow has the tag `nightly`\n.*there are `smoke`, `slow`, `checkout`/,
    );
    match(
      await refused("--tags", "smoke", "--only", "gamma", "--only", "delta"),
      /no flow is left of `gamma`, `delta`/,
    );
    deepEqual(lines(), []);
  }));

Deno.test("several flows: tags change nothing of a flow", async () => {
  using folder = workspace({
    "a.yaml": tagged("alpha", "[smoke]"),
    "b.yaml": `version: 1\n${flow("alpha", "/alpha")}`,
  });
  const [with_, without] = await Promise.all(
    ["a.yaml", "b.yaml"].map((file) =>
      bench(["compile", file], { cwd: folder.path })
    ),
  );
  equal(with_!.code, 0, with_!.stderr);
  equal(with_!.stdout, without!.stdout);
});

Deno.test("several flows: every report has those that an interrupt kept from running", async () => {
  const latch = Promise.withResolvers<void>();
  await using server = recordingServer(async () => {
    await latch.promise;
    return rawResponse(200);
  });
  using folder = workspace({
    "target.yaml": `name: here\nbase_urls: [${server.url}]\n`,
    "a.bench.yaml": flow("alpha"),
    "b.bench.yaml": flow("beta"),
    "c.bench.yaml": flow("gamma"),
  });
  const args = ["--jobs", "2", "--target", "target.yaml"];
  const command = follow(spawnBench(
    [
      ...["run", ".", ...args],
      ...["--junit", "junit.xml", "--report-md", "report.md"],
    ],
    { cwd: folder.path },
  ));
  await server.arrival(1);
  command.process.kill("SIGINT");
  await command.said("stopping:");
  latch.resolve();
  const { code, stdout, stderr } = await command.ended();
  equal(code, 130, stdout);
  equal(stderr.split("stopping:").length, 2, "one of the runs says it");
  match(stdout, /^0 of 3 flows passed, 1 not run/);
  match(stdout, /^ *gamma +not begun +- +- +-$/m);
  match(
    Deno.readTextFileSync(join(folder.path, "report.md")),
    /^\| ❌ \| gamma \| <code>\.\/c\.bench\.yaml<\/code> \| not begun \| - \| - \|$/m,
  );
  const junit = Deno.readTextFileSync(join(folder.path, "junit.xml"));
  match(junit, /<testsuites [^>]* errors="2" skipped="1"/);
  match(
    junit,
    /<testsuite name="gamma" tests="1"[\s\S]*<skipped message="not begun"/,
  );
});

Deno.test("several flows: a store that cannot be made is refused once, and not by each of them", () =>
  withFlows({ ...FLOWS, runs: "a file" }, async (run, _, lines) => {
    const { code, stdout, stderr } = await run("flows");
    equal(code, 2, stderr);
    match(stdout, /3 not run/);
    equal(stderr.match(/Cannot make the run store/g)?.length, 1, stderr);
    deepEqual(lines(), []);
  }));

Deno.test("validate: several flows, with what is wrong in each of them", async () => {
  using folder = workspace({
    "target.yaml": "name: here\nbase_urls: [http://127.0.0.1:9]\nmax_vus: x\n",
    "flows/a.bench.yaml": flow("alpha", "/{id}"),
    "flows/in/b.bench.yaml": flow("beta").replace("assert", "asert"),
    "flows/c.bench.yaml": flow("gamma").replace("GET", "get"),
  });
  const validate = (...args: string[]) =>
    bench(["validate", ...args], { cwd: folder.path });
  const [all, data, fine, targeted] = await Promise.all([
    validate("flows"),
    validate("flows", "--diagnostics", "json"),
    validate("flows/a*", "flows/a.bench.yaml"),
    validate("flows", "--target", "target.yaml"),
  ]);
  equal(all.code, 2);
  equal(all.stdout, "flows/a.bench.yaml: ok: flow `alpha`, 1 step\n");
  match(all.stderr, /^flows\/c\.bench\.yaml:4:\d+: error: /m);
  match(all.stderr, /^flows\/in\/b\.bench\.yaml:5:\d+: error: /m);
  match(all.stderr, /\n2 errors, 1 warning; nothing was sent\n$/);
  equal(data.code, 2);
  deepEqual(
    JSON.parse(data.stdout).map((each: { file: string; severity: string }) => [
      each.file,
      each.severity,
    ]),
    [
      ["flows/a.bench.yaml", "warning"],
      ["flows/c.bench.yaml", "error"],
      ["flows/in/b.bench.yaml", "error"],
    ],
  );
  equal(fine.code, 0);
  equal(fine.stdout, all.stdout);
  equal(targeted.stderr.match(/^target\.yaml:3/gm)?.length, 1);
});
