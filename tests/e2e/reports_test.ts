import {
  deepEqual,
  doesNotMatch,
  equal,
  match,
  ok,
  throws,
} from "node:assert/strict";
import { basename, dirname, join } from "node:path";
import { demoTarget } from "../support/demo_target.ts";
import { bench, workspace } from "../support/bench.ts";
import { rawResponse } from "../support/raw_response.ts";
import { recordingServer } from "../support/recording_server.ts";
import { runFixture } from "../support/run_fixture.ts";
import { STRICT } from "../support/strict.ts";

const FLOW = `flow: reported
data: rows.csv
steps:
  - id: item
    call: GET /items/{{ user.id }}
    assert: [$.id == 42]
`;

async function withRunFixture(
  body: (fixture: ReturnType<typeof runFixture>) => Promise<void>,
): Promise<void> {
  await using target = await demoTarget();
  using fixture = runFixture({
    flow: FLOW,
    url: target.url,
    files: { "rows.csv": "id\n42\n43\n" },
  });
  await body(fixture);
}

Deno.test({
  name: "bench run writes JUnit and Markdown, and appends to the step summary",
  ...STRICT,
  fn: () =>
    withRunFixture(async (fixture) => {
      const read = (name: string) =>
        Deno.readTextFileSync(join(fixture.path, name));
      Deno.writeTextFileSync(join(fixture.path, "summary.md"), "before\n");
      const { code, stderr } = await fixture.run(
        ["--junit", "out/junit.xml", "--report-md", "out/report.md"],
        { env: { GITHUB_STEP_SUMMARY: join(fixture.path, "summary.md") } },
      );
      equal(code, 1, stderr);
      match(read("out/junit.xml"), /tests="2" failures="1"/);
      match(read("out/report.md"), /^## ❌ Failed: reported\n/);
      equal(read("summary.md"), `before\n${read("out/report.md")}`);
    }),
});

Deno.test({
  name: "bench run says which report it cannot write, and keeps the run",
  ...STRICT,
  fn: () =>
    withRunFixture(async (fixture) => {
      const run = await fixture.run(
        ["--junit", "rows.csv/junit.xml", "--report-md", "report.md"],
        { env: { GITHUB_STEP_SUMMARY: fixture.path } },
      );
      equal(run.code, 1, "the verdict stands");
      match(run.stderr, /cannot write the report rows\.csv\/junit\.xml/);
      ok(run.stderr.includes(`cannot write the report ${fixture.path}`));
      equal(run.meta.status, "finished");
      match(Deno.readTextFileSync(join(fixture.path, "report.md")), /Failed/);
    }),
});

Deno.test("a report is written over an earlier one, and over no other file: nothing is sent", () =>
  withRunFixture(async (fixture) => {
    const read = (name: string) =>
      Deno.readTextFileSync(join(fixture.path, name));
    Deno.writeTextFileSync(join(fixture.path, "notes.md"), "# Notes\n");
    Deno.writeTextFileSync(join(fixture.path, "kept.yaml"), "flow: kept\n");
    const all = ["--junit", "junit.xml", "--report-md", "report.md"];
    for (const _ of "ab") equal((await fixture.run(all)).code, 1);
    const cwd = fixture.path;
    for (
      const [flag, file] of [["--junit", "kept.yaml"], [
        "--report-md",
        "notes.md",
      ], ["--report-md", "junit.xml"]] as const
    ) {
      const before = read(file);
      const { code, stderr } = await bench(
        ["run", "kept.yaml", "--target", "none", flag, file],
        { cwd },
      );
      equal(code, 2);
      match(stderr, /must be a new file or an earlier report/);
      equal(read(file), before);
    }
    Deno.mkdirSync(join(cwd, "out"));
    for (const flag of ["--junit", "--report-md"]) {
      for (const folder of ["out", "new/"]) {
        const { code, stderr } = await bench(
          ["run", "kept.yaml", "--target", "none", flag, folder],
          { cwd },
        );
        equal(code, 2);
        match(stderr, /must be a new file or an earlier report/);
      }
    }
  }));

Deno.test("two reports in one file are refused, however it is written: nothing is sent", () =>
  withRunFixture(async (fixture) => {
    const { code, stderr } = await bench(
      [
        ...["run", "flow.yaml", "--target", "none"],
        ...["--junit", "report.xml", "--report-md", "./report.xml"],
      ],
      { cwd: fixture.path },
    );
    equal(code, 2);
    match(
      stderr,
      /--junit and --report-md name the same file, "\.\/report\.xml"/,
    );
    throws(() => Deno.statSync(join(fixture.path, "report.xml")));
  }));

Deno.test({
  name:
    "a run that passed without its report exits 3; without the step summary, 0",
  ...STRICT,
  fn: () =>
    withRunFixture(async (fixture) => {
      Deno.writeTextFileSync(join(fixture.path, "rows.csv"), "id\n42\n");
      const lost = await fixture.run(["--junit", "rows.csv/junit.xml"]);
      equal(lost.code, 3, lost.stderr);
      equal(lost.meta.exit_code, 0, "the run itself passed");
      const summary = await fixture.run([], {
        env: { GITHUB_STEP_SUMMARY: fixture.path },
      });
      equal(summary.code, 0, summary.stderr);
    }),
});

Deno.test("bench runs lists the store, and `latest` is its newest run", async () => {
  const broken = (second: number, flow: string, file: string) =>
    [`runs/20260101T00000${second}Z-${flow}-abcdef/${file}`, "{"] as const;
  await using server = recordingServer(() => rawResponse(200));
  using fixture = runFixture({
    flow: "flow: a\nsteps:\n  - { id: one, call: GET / }\n",
    url: server.url,
  });
  const { meta: { id } } = await fixture.run();
  const cwd = fixture.path;
  for (
    const [path, text] of [broken(1, "b", "meta.json"), broken(2, "c", "x")]
  ) {
    Deno.mkdirSync(join(cwd, dirname(path)));
    Deno.writeTextFileSync(join(cwd, path), text);
  }
  const ofStore = (...words: string[]) =>
    bench([...words, "--store", "runs"], { cwd });
  const listed = await ofStore("runs");
  match(
    listed.stdout,
    new RegExp(
      `^ +run +verdict .*\\n +${id} +✓ PASS +\\S+ +integration +1 +0% +too few\\n.*Z-c-abcdef +unreadable\\n.*Z-b-abcdef +unreadable\\n`,
    ),
  );
  match(listed.stdout, /runs\/20260101T000002Z-c-abcdef` has no meta\.json/);
  const { stdout } = await ofStore("runs", "--json", "--flow", "a");
  deepEqual(
    JSON.parse(stdout).runs.map((each: { id: string }) => each.id),
    [id],
  );
  match(
    (await ofStore("runs", "--most", "1")).stdout,
    /and 2 older ones: --most 3 lists all/,
  );
  const file = join(cwd, "runs", id, "meta.json");
  const stored = JSON.parse(Deno.readTextFileSync(file));
  // Killed at once: there is nothing to rate.
  const iterations = { ...stored.iterations, completed: 0, passed: 0 };
  Deno.writeTextFileSync(file, JSON.stringify({ ...stored, iterations }));
  match((await ofStore("runs")).stdout, /Z-a-\w+ .* integration +1 +- /);
  const killed = { iterations, status: "interrupted", ended_at: null };
  Deno.writeTextFileSync(
    file,
    JSON.stringify({ ...stored, ...killed, requests: 0 }),
  );
  match((await ofStore("runs")).stdout, /Z-a-\w+ .* integration +- +- /);
  for (
    const [verdict, sign] of Object.entries({
      unclear: "?",
      worse: "✗",
      same: "✓",
    })
  ) {
    const judged = [{ kind: "duel", verdict, text: "B", runs: [id] }];
    Deno.writeTextFileSync(file, JSON.stringify({ ...stored, judged }));
    ok((await ofStore("runs")).stdout.includes(`${sign} duel`), verdict);
  }
  Deno.writeTextFileSync(file, JSON.stringify(stored));
  const report = await ofStore("report", "latest", "--format", "json");
  equal(JSON.parse(report.stdout).id, id);
  const replayed = await ofStore("replay", "latest", "--target", "target.yaml");
  match(replayed.stdout + replayed.stderr, /iteration 1/);
  const none = await bench(["report", "latest", "--store", "o"], { cwd });
  equal(none.code, 2);
  match(none.stderr, /there is no run yet: `o` has none/);
});

Deno.test("`latest` of runs that began in one second is the one that began last, whichever was written last", async () => {
  const run = (hex: string, ms: number) =>
    [
      `runs/20260101T000000Z-a-${hex}/meta.json`,
      `{"started_at":"2026-01-01T00:00:00.${ms}Z"}`,
    ] as const;
  using store = workspace(
    Object.fromEntries([run("aaaaaa", 700), run("cccccc", 500)]),
  );
  const words = ["report", "latest", "--store", "runs"];
  const { stderr } = await bench(words, { cwd: store.path });
  match(stderr, /Z-a-aaaaaa/);
});

Deno.test("report of a damaged run says which file it is, and of a folder here how it is named", async () => {
  using folder = workspace({
    "cut/meta.json": '{ "schema": 1,',
    "bare/flow.json": "{}",
  });
  const said = async (run: string) => {
    const { code, stderr } = await bench(["report", run], {
      cwd: folder.path,
    });
    equal(code, 2, stderr);
    return stderr;
  };
  match(
    await said("./cut"),
    /Cannot read `\.\/cut\/meta\.json`: it is not JSON/,
  );
  match(
    await said("./bare"),
    /`\.\/bare` is not a run directory: it has no meta\.json/,
  );
  match(
    await said("latst"),
    /error: there is no run `latst`: .*\n {2}= did you mean `latest`\?$/m,
  );
  match(
    await said("cut"),
    /`\.bench\/runs\/cut` is not a run directory\n {2}= for the directory of that name here: \.\/cut/,
  );
});

const LOGIN = `flow: entry
profile: { thresholds: ["p95(latency) < 1h"] }
steps:
  - id: login
    call: POST /login
    body: { password: "{{ env.PASSWORD }}" }
    extract: { token: $.token }
    assert: [status == 200]
`;

Deno.test("a failing run in GitHub Actions: why, at its line, in every report, and no secret in any", async () => {
  const secret = 'pass"word/ 12345';
  await using server = recordingServer(() =>
    rawResponse(401, {
      error: "invalid credentials",
      sent: secret,
      encoded: encodeURIComponent(secret),
      base64: btoa(secret),
      // Cut where the excerpt ends.
      long: "x".repeat(395) + secret,
    }, { "X-Sent": secret, "WWW-Authenticate": `Basic realm="${secret}"` })
  );
  using fixture = runFixture({ flow: LOGIN, url: server.url });
  const summary = join(fixture.path, "summary.md");
  const files = ["--junit", "junit.xml", "--report-md", "report.md"];
  const run = await fixture.run(files, {
    env: {
      PASSWORD: secret,
      GITHUB_ACTIONS: "true",
      GITHUB_WORKSPACE: dirname(fixture.path),
      GITHUB_STEP_SUMMARY: summary,
    },
  });
  equal(run.code, 1, run.stderr);
  const read = (name: string) =>
    Deno.readTextFileSync(join(fixture.path, name));
  const annotation = /^::error file=(.*),line=8,col=14::(.*)$/m
    .exec(run.stderr)!;
  equal(annotation[1], join(basename(fixture.path), "flow.yaml"));
  const reports = {
    console: run.stdout,
    annotation: annotation[2]!,
    junit: read("junit.xml"),
    markdown: read("report.md"),
    summary: read("summary.md"),
    meta: JSON.stringify(run.meta),
  };
  for (const [name, text] of Object.entries(reports)) {
    match(text, /POST \/login HTTP\/1\.1/, name);
    match(text, /HTTP\/1\.1 401 Unauthorized/, name);
    match(text, /invalid\s+(> )?credentials/, name);
    doesNotMatch(text, /cannot extract/, name);
    doesNotMatch(text, /pass.{0,9}word|12345|cGFzc/, name);
  }
});

Deno.test("a run that did not pass says why, and what the run before has of that", async () => {
  let status = 200;
  await using server = recordingServer(() => rawResponse(status));
  const flow = `flow: again
steps:
  - { id: one, call: GET /, assert: [status == 200] }
`;
  using fixture = runFixture({ flow, url: server.url });
  const { meta: passed } = await fixture.run();
  equal(passed.reason, undefined);
  status = 500;
  const { meta, stdout } = await fixture.run();
  const [failure] = meta.failures;
  deepEqual(meta.reason, {
    text: `1 × one: ${failure!.message}`,
    step: "one",
    key: failure!.key,
    count: 1,
    expression: "error_rate <= 0",
    before: { id: passed.id, verdict: "pass", count: 0, actual: 0 },
  });
  match(stdout, /\n {2}why: 1 × one: /);
  match(
    stdout,
    /The run before passed, without this failure; error_rate was 0%\./,
  );
  // Of another version of the flow it says nothing.
  Deno.writeTextFileSync(
    join(fixture.path, "flow.yaml"),
    flow.replace("GET /", "GET /other"),
  );
  equal((await fixture.run()).meta.reason?.before, undefined);
});
