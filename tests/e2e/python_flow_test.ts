import { deepStrictEqual, equal, match, throws } from "node:assert/strict";
import { bench, spawnBench, workspace } from "../support/bench.ts";
import { follow } from "../support/live_command.ts";
import { recordingServer } from "../support/recording_server.ts";
import { runFixture } from "../support/run_fixture.ts";

Deno.test("Python flow: what is wrong with a row has its locations as well", async () => {
  await using server = recordingServer();
  using fixture = runFixture({
    flow: "",
    url: server.url,
    files: {
      "flow.py": `from bench_sdk import Flow

flow = Flow("places")
flow.call(
    "a",
    "GET /a",
    assert_=[
        "status == 201",
        "$.ok == false",
    ],
)
`,
    },
  });
  const args = ["run", "flow.py", "--target", "target.yaml"];
  const run = fixture.found(
    await bench([...args, "--store", "runs"], { cwd: fixture.path }),
  );
  equal(run.code, 1, run.stderr);
  deepStrictEqual(
    run.meta.rows![0]!.failures.map(({ file, line }) => [file, line]),
    [["flow.py", 8], ["flow.py", 9]],
  );
  match(run.stdout, /flow\.py:8:\d+\n[\s\S]*8 \| "status == 201",/);
});

Deno.test("Python flow: a locustfile is met with the way to what it sends", async () => {
  using folder = workspace({
    "locustfile.py":
      "raise ModuleNotFoundError(\"No module named 'locust'\", name='locust')\n",
  });
  const { code, stderr } = await bench(["validate", "locustfile.py"], {
    cwd: folder.path,
  });
  equal(code, 2);
  match(stderr, /^locustfile\.py:1:1: error: ModuleNotFoundError/m);
  match(stderr, /= a locustfile is not read: .*bench import har <file>$/m);
});

/** The output of `bench validate` for a file with this text. */
async function validated(text: string, env: Record<string, string> = {}) {
  using folder = workspace({ "flow.py": text });
  const { code, stderr } = await bench(["validate", "flow.py"], {
    cwd: folder.path,
    env,
  });
  return { code, stderr };
}

Deno.test("Python flow: errors of a flow that the file itself uses are those of the flow", async () => {
  const { code, stderr } = await validated(`from bench_sdk import *

flow = Flow("used")
flow.call("a", "get /")
flow.call("b", "GET / HTTP")
raise FlowError("text", [
    Diagnostic("flow.py", 4, 16, "error", "call", "wrong method", "a way out"),
    Diagnostic("flow.py", 5, 16, "error", "call", "wrong path", None),
])
`);
  equal(code, 2);
  equal(
    stderr,
    `flow.py:4:16: error: wrong method
  |
4 | flow.call("a", "get /")
  |                ^
  = a way out

flow.py:5:16: error: wrong path
  |
5 | flow.call("b", "GET / HTTP")
  |                ^

2 errors; nothing was sent
`,
  );
});

Deno.test("Python flow: what a file printed before it failed is shown, and all lines of its error", async () => {
  const { stderr } = await validated(
    `print("so far")\nraise ValueError("one\\ntwo")\n`,
  );
  equal(
    stderr,
    `so far
ValueError: one
two
flow.py:2:1: error: ValueError: one
  |
2 | raise ValueError("one\\ntwo")
  | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
`,
  );
});

Deno.test("Python flow: a file that ends Python says where, and what it said", async () => {
  const exit = await validated(`import sys\nsys.exit("set API_TOKEN")\n`);
  equal(exit.code, 2);
  match(
    exit.stderr,
    /^flow\.py:2:1: error: the file ends before it gives a flow: set API_TOKEN$/m,
  );
  const silent = await validated(`import sys\nsys.exit()\n`);
  match(silent.stderr, /^flow\.py:2:1: .*: exit code 0$/m);
});

Deno.test("Python flow: a Python that is too old is named as such", async () => {
  const rows = [
    ["SyntaxError: future feature annotations is not defined", "older"],
    [
      "ImportError: bench_sdk needs Python 3.9 or later, but this is Python 3.7.16",
      "Python 3.7.16",
    ],
  ];
  for (const [said, name] of rows) {
    using old = workspace({
      python3: `#!/bin/sh\necho '${said}' >&2\nexit 1\n`,
    });
    await Deno.chmod(`${old.path}/python3`, 0o755);
    const { code, stderr } = await validated("", {
      PATH: `${old.path}:${Deno.env.get("PATH")}`,
    });
    equal(code, 2);
    equal(
      stderr.split("\n")[0],
      `flow.py: error: flow.py needs Python 3.9 or later, but the python3 on PATH is ${name}`,
    );
  }
});

Deno.test("Python flow: one of another module has its paths from the folder of that module", async () => {
  using folder = workspace({
    "shared/browse.py": `from bench_sdk import Flow
browse = Flow("browse", data="users.csv")
browse.call("item", "GET /items/{{ user.name }}")
`,
    "shared/users.csv": "name\nada\n",
    "flows/main.py": `import sys
sys.path.append("shared")
from browse import browse
`,
    "targets/root.yaml": "name: root\nbase_urls: [http://127.0.0.1:9]\n",
  });
  for (const target of [[], ["--target", "root"]]) {
    const { code, stdout, stderr } = await bench(
      ["validate", "flows/main.py", ...target],
      { cwd: folder.path },
    );
    equal(code, 0, stderr);
    match(stdout, /ok: flow `browse`, 1 step/);
  }
});

Deno.test({
  name:
    "Python flow: one that loads for long is named, and ends with the command",
  ignore: Deno.build.os === "windows",
  async fn() {
    using folder = workspace({
      "flow.py": `import os, pathlib, signal, time
signal.signal(signal.SIGINT, signal.SIG_IGN)
pathlib.Path("pid").write_text(str(os.getpid()))
time.sleep(600)
`,
    });
    const started = spawnBench(["validate", "flow.py"], { cwd: folder.path });
    const command = follow(started);
    await command.said("flow.py is still loading\n");
    started.kill("SIGINT");
    const { code, stderr } = await command.ended();
    equal(code, 130);
    match(stderr, /^bench: error: stopped by SIGINT while flow\.py was load/m);
    const pid = Number(Deno.readTextFileSync(`${folder.path}/pid`));
    throws(() => Deno.kill(pid, "SIGTERM"), Deno.errors.NotFound);
  },
});
