import { deepStrictEqual, equal, match } from "node:assert/strict";
import { bench, workspace } from "../support/bench.ts";
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
