import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { bench, spawnBench, workspace } from "../support/bench.ts";
import { follow } from "../support/live_command.ts";
import { recordingServer } from "../support/recording_server.ts";
import { runFixture, runIds } from "../support/run_fixture.ts";

const FLOW = "flow: cli\nsteps:\n  - { id: one, call: GET /one }\n";
const ERRORS = `flow: cli
steps:
  - { id: one, call: GET /one, hedaers: {} }
  - { id: one, call: GET /two }
`;
const NOWHERE = "http://127.0.0.1:1";
const TARGET = ["--target", "target.yaml"];

Deno.test("flow files: any other ending is refused with the ones there are", async () => {
  const files = { "flow.rb": "flow", "flow.txt": FLOW, flow: FLOW };
  using fixture = runFixture({ flow: FLOW, url: NOWHERE, files });
  await Promise.all(["flow.rb", "flow.txt", "flow"].map(async (name) => {
    const run = await bench(["run", name, ...TARGET], { cwd: fixture.path });
    equal(run.code, 2);
    match(run.stderr, new RegExp(`^${name}: error: `));
    match(
      run.stderr,
      /\.yaml or \.yml file, a \.py file, IR in a \.json file, or -/,
    );
  }));
});

Deno.test("flow files: a missing one names the one that was meant", async () => {
  using fixture = runFixture({ flow: FLOW, url: NOWHERE });
  const run = await bench(["run", "flw.yaml", ...TARGET], {
    cwd: fixture.path,
  });
  equal(run.code, 2);
  match(run.stderr, /there is no flow file flw\.yaml/);
  match(run.stderr, /did you mean flow\.yaml\?/);
  // Whatever it ends in.
  for (const name of ["smoke", "flows/", "notes.md"]) {
    const { code, stderr } = await bench(["run", name, ...TARGET], {
      cwd: fixture.path,
    });
    equal(code, 2);
    match(stderr, new RegExp(`there is no flow file ${name}\n`));
  }
});

Deno.test("diagnostics: every error in one pass, in file order, as text and as JSON", async () => {
  using fixture = runFixture({ flow: ERRORS, url: NOWHERE });
  const cwd = fixture.path;
  const text = await bench(["validate", "flow.yaml"], { cwd });
  equal(text.code, 2);
  equal(text.stdout, "");
  const lines = text.stderr.split("\n").filter((line) =>
    /: error: /.test(line)
  );
  deepStrictEqual(lines.map((line) => line.split(":").slice(0, 2).join(":")), [
    "flow.yaml:3",
    "flow.yaml:4",
  ]);
  match(text.stderr, /2 errors; nothing was sent/);
  for (const command of ["validate", "compile"]) {
    const json = await bench(
      [command, "flow.yaml", "--diagnostics", "json"],
      { cwd },
    );
    equal(json.code, 2);
    equal(json.stderr, "");
    const found = JSON.parse(json.stdout);
    deepStrictEqual(
      found.map((each: Record<string, unknown>) => [
        each.file,
        each.line,
        each.code,
      ]),
      [["flow.yaml", 3, "unknown-key"], ["flow.yaml", 4, "duplicate-id"]],
    );
    match(found[0].hint, /headers/);
  }
});

Deno.test("diagnostics: GitHub gets an annotation for each error", async () => {
  using fixture = runFixture({ flow: ERRORS, url: NOWHERE });
  const run = await fixture.run([], { env: { GITHUB_ACTIONS: "true" } });
  equal(run.code, 2);
  const lines = run.stderr.split("\n").filter((line) => /^::error /.test(line));
  equal(lines.length, 2);
  match(lines[0]!, /^::error file=flow\.yaml,line=3,col=\d+.*::.*hedaers/);
});

Deno.test("colour: NO_COLOR, FORCE_COLOR and --color are honoured", async () => {
  await using server = recordingServer();
  using fixture = runFixture({ flow: FLOW, url: server.url });
  const rows: [env: Record<string, string>, args: string[], boolean][] = [
    [{ NO_COLOR: "" }, [], false],
    [{ NO_COLOR: "", FORCE_COLOR: "1" }, [], true],
    [{ NO_COLOR: "1", FORCE_COLOR: "1" }, [], false],
    [{ NO_COLOR: "1" }, ["--color", "always"], true],
    [{ NO_COLOR: "", FORCE_COLOR: "1" }, ["--color", "never"], false],
  ];
  for (const [env, color, expected] of rows) {
    const run = await bench([...color, "run", "flow.yaml", ...TARGET], {
      cwd: fixture.path,
      env,
    });
    equal(run.code, 0, run.stderr);
    equal(run.stdout.includes("\x1b["), expected, JSON.stringify([env, color]));
  }
});

Deno.test("store: BENCH_STORE names it, --store wins, .bench/runs is the default", async () => {
  await using server = recordingServer();
  using fixture = runFixture({ flow: FLOW, url: server.url });
  const cwd = fixture.path;
  const line = ["run", "flow.yaml", ...TARGET];
  await bench(line, { cwd });
  await bench(line, { cwd, env: { BENCH_STORE: "by-env" } });
  await bench([...line, "--store", "by-flag"], {
    cwd,
    env: { BENCH_STORE: "by-env" },
  });
  for (const store of [".bench/runs", "by-env", "by-flag"]) {
    equal(runIds(`${cwd}/${store}`).length, 1, store);
  }
});

Deno.test("validate and plan send nothing", async () => {
  await using server = recordingServer();
  using fixture = runFixture({ flow: FLOW, url: server.url });
  for (const command of ["validate", "plan"]) {
    const run = await bench([command, "flow.yaml", ...TARGET], {
      cwd: fixture.path,
    });
    equal(run.code, 0, run.stderr);
    ok(run.stdout.length > 0);
  }
  equal(server.accepted, 0);
});

Deno.test("validate: what can be no URL is refused without a target too", async () => {
  const auth =
    "{ scheme: oauth2_client_credentials, token_url: token, client_id: a, client_secret: '{{ env.S }}' }";
  using folder = workspace({
    "flow.yaml": `flow: f
steps:
  - { id: a, call: "GET localhost:3000/items" }
  - { id: b, call: GET /, auth: ${auth} }
  - { id: c, call: GET //example.com }
  - { id: d, call: GET ?page=2 }
  - { id: e, call: "GET http://example.com/items" }
`,
  });
  const args = ["validate", "flow.yaml", "--diagnostics", "json"];
  const env = { S: "salmon-lake" };
  const { code, stdout } = await bench(args, { cwd: folder.path, env });
  equal(code, 2);
  const lines = JSON.parse(stdout).map((each: { line: number }) => each.line);
  equal(String(lines), "3,4,5", stdout);
});

Deno.test("errors in the command line are said, with what was meant", async () => {
  const rows: [args: string[], says: RegExp][] = [
    [["rn"], /unknown command 'rn'\n {2}= did you mean run\?\n$/],
    // As other tools call it; `schema` is as near.
    [
      ["check", "a.yaml"],
      /unknown command 'check'\n {2}= did you mean validate\?\n$/,
    ],
    [
      ["--color", "never", "ls"],
      /unknown command 'ls'\n {2}= did you mean runs\?\n$/,
    ],
    [
      ["run", "f.yaml", "--traget", "t"],
      /unknown option '--traget'\n {2}= did you mean --target\?\n$/,
    ],
    [["run", "f.yaml"], /required option '--target <name\|file>'.*\n {2}= .+/],
    [["plan", "f.yaml"], /required option '--target <name\|file>'/],
    [["help", "validat"], /command 'validat'\n {2}= did you mean validate\?/],
    [["check", "--help"], /command 'check'\n {2}= did you mean validate\?/],
    [["run"], /'flow'\n {2}= see bench run --help\n$/],
    [["compile", "f.yaml", "--diagnostics", "xml"], /json/],
    [["run", "f.yaml", "-e", "A=b"], /'-e'\n {2}= .*--env-file\n$/],
    // `--http` is as near.
    [
      ["run", "f.yaml", "--html", "r.html"],
      /'--html'\n {2}= .*bench report latest -o run\.html/,
    ],
    [
      ["run", "f.yaml", "--timeout=5s"],
      /\n {2}= `request_timeout` of the target/,
    ],
    [["run", "f.yaml", "--test"], /'--test'\n {2}= .*ends with 1 when/],
    [["run", "f.yaml", "--retry", "3"], /'--retry'\n {2}= .*`poll`\n$/],
    [["run", "f.yaml", "-L"], /'-L'\n {2}= a redirect is not followed/],
    [["run", "f.yaml", "--parallel"], /\n {2}= did you mean --jobs\?\n$/],
    [["run", "f.yaml", "--folder", "a"], /\n {2}= --only and --tags choose/],
    [["run", "f.yaml", "--no-color"], /\n {2}= .*--color never run/],
    [["run", "f.yaml", "--users", "10"], /'--users'\n {2}= .* --vus\?\n$/],
    [["run", "f.yaml", "-d", "30s"], /'-d'\n {2}= did you mean --hold\?\n$/],
    [["duel", "f.yaml", "-d", "30s"], /did you mean --for\?/],
    // `--store`, `--rate` and `--tags` are as near.
    [["run", "f.yaml", "--stage", "5s:9"], /'--stage'\n {2}= .*`stages`/],
    [["run", "f.yaml", "--master"], /'--master'\n {2}= .* --shard and --lead/],
    [["run", "f.yaml", "--tag", "a=b"], /'--tag'\n {2}= .* of its flow file;/],
    [["compare", "a", "b"], /but got 2: a, b\.\n {2}= .* <run> --with <run>\n/],
    [
      ["import", "curl", "curl", "-k", "http://a"],
      /'-k'\n {2}= put the command line of curl between quotes: /,
    ],
    [
      ["import", "curl", "curl", "http://a", "-d", "x=1"],
      /'-d'\n {2}= put the command line of curl between quotes: /,
    ],
    [
      ["import", "curl", "curl", "-H", "A: b", "http://a"],
      /'-H'\n {2}= put the command line of curl between quotes: /,
    ],
    [
      ["import", "curl", "curl http://a", "--otu", "a"],
      /'--otu'\n {2}= did you mean --out\?\n$/,
    ],
    [
      ["import", "postman", "c.json", "-e", "env.json"],
      /'-e'\n {2}= did you mean --environment\?\n$/,
    ],
    [["import", "har", "a.har", "-o", "b"], /\n {2}= did you mean --out\?\n$/],
    [
      ["compare", "a", "--with", "b", "--margin", "5"],
      /but it is "5"\.\n {2}= did you mean 5%\?\n$/,
    ],
    [
      ["compare", "a", "--with", "b", "--margin", "0.05"],
      /= did you mean 5% or 0\.05%\?\n$/,
    ],
    [["f.yaml"], /'f\.yaml'\n {2}= to run it: bench run f\.yaml --target/],
  ];
  await Promise.all(rows.map(async ([args, says]) => {
    const run = await bench(args);
    equal(run.code, 2);
    match(run.stderr, /^bench: error: /);
    match(run.stderr, says);
    equal(run.stdout, "");
  }));
});

Deno.test("flow files and targets: what is nearly one is shown as it would be", async () => {
  using fixture = runFixture({ flow: FLOW, url: NOWHERE });
  const rows: [args: string[], says: string][] = [
    [["flow", ...TARGET], "  = did you mean flow.yaml?\n"],
    [
      ["flow.yaml", "--target", NOWHERE],
      `--target: error: ${NOWHERE} is a URL, and a target is a file`,
    ],
    [["flow.yaml", "--target", NOWHERE], `base_urls: ["${NOWHERE}"]`],
    [
      ["flow.yaml", "--target", "localhost:8080/v1"],
      `"http://localhost:8080/v1"`,
    ],
    [["", ...TARGET], "<flow>: error: expected a flow file, got nothing"],
    [
      ["flow.yaml", "--target", ""],
      "--target: error: expected a target's name or path, got nothing",
    ],
    [["a b.har", ...TARGET], "= import it: bench import har 'a b.har'\n"],
    [["k6.js", ...TARGET], "= record what the test sends as a HAR file"],
  ];
  await Promise.all(rows.map(async ([args, says]) => {
    const run = await bench(["run", ...args], { cwd: fixture.path });
    equal(run.code, 2);
    ok(run.stderr.includes(says), run.stderr);
  }));
});

Deno.test("a URL that is no target and no description is shown without its credentials", async () => {
  using fixture = runFixture({ flow: FLOW, url: NOWHERE });
  const host = NOWHERE.slice("http://".length);
  const url = `http://ada:engine-7@${host}/v1?token=engine-8`;
  const address = await bench(
    ["run", "flow.yaml", "--target", `ada:engine-7@${host}`],
    { cwd: fixture.path },
  );
  match(address.stderr, /^--target: error: •+@\S+ is an address, /);
  ok(address.stderr.includes(`base_urls: ["${NOWHERE}"]`), address.stderr);
  const runs = await Promise.all([
    ["run", "flow.yaml", "--target", url],
    ["run", "flow.yaml", ...TARGET, "--openapi", url],
    ["import", "openapi", url],
  ].map((args) => bench(args, { cwd: fixture.path })));
  for (const { code, stdout, stderr } of runs) {
    equal(code, 2);
    match(stderr, /http:\/\/•+@.*\?token=•+ is a URL/);
    ok(!/engine/.test(stdout + stderr), stderr);
  }
  const [{ stderr }] = runs as [typeof runs[0] & object];
  ok(stderr.includes(`base_urls: ["${NOWHERE}/v1"]`), stderr);
});

Deno.test("demo: runs its example against its own target, and can be interrupted", async () => {
  using fixture = runFixture({ flow: FLOW, url: NOWHERE });
  const command = follow(spawnBench(["demo"], { cwd: fixture.path }));
  await command.said("demo_load.bench.yaml");
  command.process.kill("SIGINT");
  const { code, stdout, stderr } = await command.ended();
  equal(code, 130, stdout + stderr);
  match(stdout, /^shop .*PASS/);
  match(stderr, /^# a whole flow over HTTP: \S+shop\.bench\.yaml$/m);
  ok(!stderr.includes("--target http"), "no command that is none");
  ok(runIds(`${fixture.path}/.bench/runs`).length > 0);
});

Deno.test("a second run in the same second has a directory of its own", async () => {
  await using server = recordingServer();
  using fixture = runFixture({ flow: FLOW, url: server.url });
  const runs = await Promise.all([fixture.run(), fixture.run(), fixture.run()]);
  equal(new Set(runs.map(({ meta }) => meta.id)).size, 3);
});
