import { equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { rawResponse } from "../support/raw_response.ts";
import { bench, ROOT, workspace } from "../support/bench.ts";
import { programCommand } from "../support/program.ts";
import { python } from "../support/python.ts";
import { recordingServer } from "../support/recording_server.ts";
import { STRICT } from "../support/strict.ts";

const FLOW = `from bench_sdk import Flow

print("what a flow file prints is not IR")
flow = Flow("from_python")
flow.call("home", "GET /home", assert_=["status == 200"])
`;

Deno.test("bench compile reads a Python flow", async () => {
  const folder = join(ROOT, "tests/golden/ir/poll");
  const { code, stdout } = await bench(["compile", join(folder, "flow.py")]);
  equal(code, 0);
  equal(stdout, Deno.readTextFileSync(join(folder, "ir.json")));
});

Deno.test({
  name: "bench run runs a Python flow",
  ...STRICT,
  async fn() {
    await using server = recordingServer();
    using folder = workspace({
      "flow.py": FLOW,
      "target.yaml": `name: here\nbase_urls: ["${server.url}"]\n`,
    });
    const args = ["run", "flow.py", "--target", "target.yaml", "--json"];
    const { code, stdout, stderr } = await bench(args, { cwd: folder.path });
    equal(code, 0, stderr);
    equal(JSON.parse(stdout).flow, "from_python");
    equal(stderr, "what a flow file prints is not IR\n");
    equal(server.arrivals[0]?.line, "GET /home");
  },
});

Deno.test("an error in a Python flow is reported at its location, with its frame", async () => {
  using folder = workspace({ "flow.py": FLOW.replace("GET", "get") });
  const { code, stderr } = await bench(["validate", "flow.py"], {
    cwd: folder.path,
  });
  equal(code, 2);
  equal(
    stderr,
    `what a flow file prints is not IR
flow.py:5:19: error: \`call\` must be "METHOD /path", but it is "get /home"
  |
5 | flow.call("home", "get /home", assert_=["status == 200"])
  |                   ^^^^^^^^^^^
  = did you mean "GET /home"?
`,
  );
});

Deno.test("a literal credential in a Python flow is shown nowhere", async () => {
  const flow = FLOW.replace(
    '"from_python")',
    '"from_python", auth=bearer("s3cr3t"))',
  ).replace("Flow\n", "Flow, bearer\n");
  using folder = workspace({ "flow.py": flow });
  for (const form of ["text", "json"]) {
    const args = ["validate", "flow.py", "--diagnostics", form];
    const { code, stdout, stderr } = await bench(args, { cwd: folder.path });
    equal(code, 2);
    match(stdout + stderr, /must be exactly one \{\{ env\.\* \}\} template/);
    ok(!(stdout + stderr).includes("s3cr3t"), stdout + stderr);
  }
});

Deno.test("a Python flow without Python says what is missing", async () => {
  using folder = workspace({ "flow.py": FLOW });
  const { code, stderr } = await bench(["compile", "flow.py"], {
    cwd: folder.path,
    env: { PATH: folder.path },
  });
  equal(code, 2);
  match(stderr, /there is no python3 on PATH/);
});

Deno.test("a Python flow without the SDK says how to get it", async () => {
  const stub = "#!/bin/sh\necho 'No module named bench_sdk' >&2\nexit 1\n";
  using folder = workspace({ "flow.py": FLOW, "python3": stub });
  Deno.chmodSync(join(folder.path, "python3"), 0o755);
  const { code, stderr } = await bench(["compile", "flow.py"], {
    cwd: folder.path,
    env: { PATH: `${folder.path}:/usr/bin:/bin` },
  });
  equal(code, 2);
  match(stderr, /needs the Python SDK/);
  match(stderr, /pip install/);
});

Deno.test("a file that is no flow is reported at its line, with its frame", async () => {
  using folder = workspace({
    "flow.py": FLOW.replace("assert_", "hedaers"),
  });
  const { code, stderr } = await bench(["validate", "flow.py"], {
    cwd: folder.path,
  });
  equal(code, 2);
  match(stderr, /^flow\.py:5:1: error: TypeError: .*hedaers/m);
  match(stderr, /^5 \| flow\.call\(/m);
});

Deno.test({
  name: "a failure of a Python flow points at its line",
  ...STRICT,
  async fn() {
    await using server = recordingServer(() => rawResponse(404));
    using folder = workspace({
      "flow.py": FLOW,
      "target.yaml": `name: here\nbase_urls: ["${server.url}"]\n`,
    });
    const args = ["run", "flow.py", "--target", "target.yaml"];
    const { code, stdout } = await bench(args, { cwd: folder.path });
    equal(code, 1);
    match(stdout, /flow\.py:5:41/);
    match(stdout, /5 \| flow\.call\("home", "GET \/home"/);
  },
});

Deno.test({
  name: "Flow.run() and execute() are the command's engine",
  ...STRICT,
  async fn() {
    await using server = recordingServer();
    using folder = workspace({});
    const command = programCommand("bench");
    const { stdout, stderr } = await python(
      `
import json
from bench_sdk import Flow, FlowError, Target
flow = Flow("ran")
flow.call("a", "GET /a", assert_=["status == 200"])
target = Target("here", [${JSON.stringify(server.url)}], request_timeout="5s")
options = {"directory": ${JSON.stringify(folder.path)}, "engine": ${
        JSON.stringify(command)
      }}
result = flow.run(target, store=${
        JSON.stringify(join(folder.path, "runs"))
      }, **options)
print(result.passed, result.requests, result.status, result.totals.passed)
print(flow.execute(target, **options).passed)
try:
    flow.run("nowhere", **options)
except FlowError as error:
    print(error.code, "nowhere" in str(error))
`,
      "",
      { NO_COLOR: "1" },
    );
    equal(stderr, "");
    equal(stdout, "True 1 finished 1\nTrue\nno-target True\n");
    const [first, second] = server.arrivals.map(({ text }) => text);
    equal(second, first, "both put the same bytes on the wire");
  },
});
