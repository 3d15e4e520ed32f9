import {
  deepStrictEqual,
  doesNotMatch,
  equal,
  match,
  ok,
} from "node:assert/strict";
import { join } from "node:path";
import { sum } from "../../lib/base/values/sum.ts";
import { readSeries } from "../../lib/results/store/reader.ts";
import { rawResponse } from "../support/raw_response.ts";
import { follow } from "../support/live_command.ts";
import { recordingServer } from "../support/recording_server.ts";
import { runFixture, runIds } from "../support/run_fixture.ts";
import { bench } from "../support/bench.ts";
import { benchOnSmallDisk, hasSmallDisks } from "../support/small_disk.ts";

const ROWS = `flow: rows
data: rows.csv
steps:
  - { id: one, call: "GET /{{ user.n }}" }
`;
const FILES = {
  "rows.csv": `n\n${Array.from({ length: 40 }, (_, n) => n).join("\n")}\n`,
};
const LOAD = `flow: load
profile: { mode: load, vus: 2, hold: 60s }
steps:
  - { id: one, call: GET /one }
`;

const FAILING = `flow: failing
data: rows.csv
steps:
  - id: one
    call: "GET /{{ user.n }}"
    assert: [${Array.from({ length: 20 }, (_, n) => `$.a${n} == 1`).join(", ")}]
`;

Deno.test("store: a file in its place is refused before the first request", async () => {
  await using server = recordingServer();
  using fixture = runFixture({
    flow: ROWS,
    url: server.url,
    files: { ...FILES, "runs": "a file" },
  });
  const { code, stderr, stdout } = await fixture.run();
  equal(code, 2, stderr);
  match(
    stderr,
    /^bench: error: Cannot make the run store `runs`: it is a file, not a directory of runs\n/,
  );
  match(stderr, /--store or BENCH_STORE/);
  equal(stdout, "");
  equal(server.arrivals.length, 0);
});

Deno.test("store: a path below a file is refused before the first request", async () => {
  await using server = recordingServer();
  using fixture = runFixture({ flow: ROWS, url: server.url, files: FILES });
  const env = { BENCH_STORE: "flow.yaml/runs" };
  const run = await bench(["run", "flow.yaml", "--target", "target.yaml"], {
    ...{ cwd: fixture.path, env },
  });
  equal(run.code, 2, run.stderr);
  match(run.stderr, /: `flow\.yaml` is a file, not a directory\n/);
  equal(server.arrivals.length, 0);
});

for (const flow of [ROWS, LOAD]) {
  const mode = flow === ROWS ? "an integration" : "a load";
  Deno.test(`store: ${mode} run that loses its directory ends with 3 and says so`, async () => {
    const latch = Promise.withResolvers<void>();
    await using server = recordingServer(async ({ index }) => {
      if (index > 0) await latch.promise;
      return rawResponse(200);
    });
    using fixture = runFixture({ flow, url: server.url, files: FILES });
    const command = follow(fixture.start(["--workers", "2"]));
    await server.arrival(1);
    const store = join(fixture.path, "runs");
    const [id] = runIds(store);
    // Moved in one call: a run that goes on writing makes files in a folder
    // that is being emptied.
    Deno.renameSync(join(store, id!), join(fixture.path, "gone"));
    latch.resolve();
    const { code, stdout, stderr } = await command.ended();
    equal(code, 3, stdout + stderr);
    match(
      stderr,
      /^bench: error: Cannot (write|touch) `runs\/.*`: it does not exist/m,
    );
    match(
      stdout,
      /^(rows|load) {2}ERROR /,
      "its figures are reported all the same",
    );
    match(stdout, /^ {2}stopped: Cannot /m);
    doesNotMatch(stdout, /^ {2}(run|view) /m, "there is nothing to look at");
    deepStrictEqual(runIds(store), [], "nothing was made in its place");
  });
}

Deno.test("store: traces that fit nowhere end the run with 3 and leave it readable", async () => {
  await using server = recordingServer(() =>
    rawResponse(200, { filler: "x".repeat(20_000) })
  );
  using fixture = runFixture({ flow: ROWS, url: server.url, files: FILES });
  // Files beyond 128 KiB cannot be written: 20 traces of 20 KiB do not fit.
  const run = await fixture.run([], { before: "trap '' XFSZ; ulimit -f 128" });
  equal(run.code, 3, run.stdout + run.stderr);
  match(
    run.stderr,
    /^bench: error: Cannot write `runs\/.*traces\.json.*`: it would be longer than a limit allows \(`ulimit -f`\)$/m,
  );
  equal(run.meta.status, "errored");
  equal(run.meta.exit_code, 3);
  match(run.stdout, /error_rate 0% \(0 of \d+\)/);
});

Deno.test("store: a run whose files do not fit is searched for secrets too", async () => {
  const SECRET = "analytical-engine";
  let dir = "";
  await using server = recordingServer(({ index }) => {
    if (index === 0) {
      const [id] = runIds(join(fixture.path, "runs"));
      dir = join(fixture.path, "runs", id!);
      Deno.writeTextFileSync(join(dir, "left.txt"), `key: ${SECRET}`);
    }
    return rawResponse(200, { filler: "x".repeat(20_000) });
  });
  const flow = `${ROWS}    headers: { X-Key: "{{ env.KEY }}" }\n`
    .replace(/ \{ id: one, call: (.*) \}/, " id: one\n    call: $1");
  using fixture = runFixture({ flow, url: server.url, files: FILES });
  const run = await fixture.run([], {
    before: "trap '' XFSZ; ulimit -f 128",
    env: { KEY: SECRET },
  });
  equal(run.code, 3, run.stdout + run.stderr);
  equal(Deno.readTextFileSync(join(dir, "left.txt")), "key: [redacted]");
  match(
    run.meta.abort_reason!,
    /limit allows.*; a secret had reached left\.txt/,
  );
});

for (
  const [mode, flow] of [
    ["an integration", ROWS],
    ["a load", LOAD.replace("hold: 60s", "iterations: 60")],
    // What is wrong with its rows takes more room than is kept.
    ["a much failing", FAILING],
  ] as const
) {
  Deno.test({
    name:
      `store: ${mode} run on a disk that is full says in meta.json that it ended`,
    ignore: !await hasSmallDisks(),
    async fn() {
      await using server = recordingServer(() =>
        rawResponse(200, { filler: "x".repeat(20_000) })
      );
      using fixture = runFixture({ flow, url: server.url, files: FILES });
      const args = ["run", "flow.yaml", "--target", "target.yaml"];
      const run = await benchOnSmallDisk(fixture.path, "256k", args);
      equal(run.code, 3, run.stdout + run.stderr);
      match(run.stderr, /traces\.json.*: no space is left on the device/);
      const [id] = runIds(run.left);
      const dir = join(run.left, id!);
      const meta = JSON.parse(Deno.readTextFileSync(join(dir, "meta.json")));
      deepStrictEqual([meta.status, meta.exit_code], ["errored", 3]);
      ok(meta.iterations.completed > 10);
      if (flow !== FAILING) {
        const points = (await readSeries(dir))?.points ?? [];
        const { completed } = meta.iterations;
        equal(sum(points, (point) => point.completed), completed);
      }
      if (flow === FAILING) equal(meta.rows, undefined, "they do not fit");
      match(meta.abort_reason, /no space is left on the device/);
      const unfinished = [...Deno.readDirSync(dir)].filter(({ name }) =>
        name.endsWith(".tmp")
      );
      deepStrictEqual(unfinished, []);
    },
  });
}

Deno.test({
  name: "a report that does not fit on its disk leaves no half of it",
  ignore: !await hasSmallDisks(),
  async fn() {
    await using server = recordingServer();
    using fixture = runFixture({
      flow: FAILING,
      url: server.url,
      files: FILES,
    });
    const args = ["run", "flow.yaml", "--target", "target.yaml"];
    const run = await benchOnSmallDisk(fixture.path, "160k", [
      ...args,
      ...["--junit", "disk/junit.xml", "--report-md", "disk/report.md"],
    ]);
    match(
      run.stderr,
      /cannot write the report disk\/junit\.xml: no space is left on the device/,
    );
    const files = [...Deno.readDirSync(run.left)].map(({ name }) => name);
    deepStrictEqual(files.filter((name) => name.startsWith("junit.xml")), []);
  },
});
