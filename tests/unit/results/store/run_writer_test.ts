import assert from "node:assert/strict";
import {
  isRunId,
  makeRunId,
  StoreError,
  storeError,
} from "../../../../lib/results/store/layout.ts";
import { readMeta } from "../../../../lib/results/store/reader.ts";
import {
  addJudgement,
  createRun,
  metaText,
} from "../../../../lib/results/store/run_writer.ts";
import {
  clean,
  finished,
  ID,
  running,
  STARTED,
  traceOf,
  withRun,
  withStore,
} from "./fixtures.ts";

const WRITER = import.meta.resolve(
  "../../../../lib/results/store/run_writer.ts",
);

Deno.test("makeRunId names the second, the flow and six hex digits", () => {
  assert.equal(
    makeRunId("check_out-2", STARTED + 999, () => 0),
    "20261120T180211Z-check_out-2-000000",
  );
  assert.match(makeRunId("a", STARTED, () => 0.999999999), /-ffffff$/);
});

Deno.test("makeRunId shortens a flow's name to what a file system takes", () => {
  const id = makeRunId("f".repeat(5000), STARTED, () => 0);
  assert.equal(id.length, 224);
  assert.equal(isRunId(id), true);
});

Deno.test("isRunId takes what makeRunId gives and nothing that leaves the store", () => {
  assert.equal(isRunId(makeRunId("flow", STARTED, () => 0.5)), true);
  for (
    const text of [
      "..",
      "a/b",
      `${ID}/..`,
      `${ID}\n`,
      "20261120T180211Z-a b-7f3a01",
      "",
    ]
  ) {
    assert.equal(isRunId(text), false, JSON.stringify(text));
  }
});

Deno.test("createRun makes the store and the run, and leaves no file behind", async () => {
  await withStore(async (store) => {
    const run = await createRun(`${store}/a/b/`, ID);
    run.release();
    assert.equal(run.dir, `${store}/a/b/${ID}`);
    assert.deepEqual([...Deno.readDirSync(run.dir)], []);
  });
});

Deno.test(
  "createRun: a process that has no descriptor left writes every file",
  {
    ignore: Deno.build.os === "windows",
  },
  async () => {
    await withStore(async (store) => {
      const script = `
      import { createRun } from ${JSON.stringify(WRITER)};
      // The runtime opens its pipe for signals now: without room for it, it panics.
      const ignored = () => {};
      Deno.addSignalListener("SIGUSR2", ignored);
      Deno.removeSignalListener("SIGUSR2", ignored);
      const run = await createRun(${JSON.stringify(store)}, "${ID}");
      const traces = run.openTraces("sampled");
      traces.append(${JSON.stringify(traceOf(0))});
      try {
        for (;;) Deno.openSync("/dev/null");
      } catch (error) {
        if (error.code !== "EMFILE") throw error;
      }
      await run.writeMeta(${JSON.stringify(running())});
      const series = { schema: "", resolution_ms: 1000, points: [] };
      await run.appendSeries(series);
      traces.restart();
      traces.append(${JSON.stringify(traceOf(1))});
      await traces.finish(false);
      await run.writeSeries(series);
      await run.writeFlow("{}");`;
      const { code, stderr } = await new Deno.Command("bash", {
        args: [
          "-c",
          'ulimit -n 100; exec "$@"',
          "-",
          Deno.execPath(),
          "eval",
          script,
        ],
      }).output();
      assert.equal(code, 0, new TextDecoder().decode(stderr));
      const files = [...Deno.readDirSync(`${store}/${ID}`)];
      assert.deepEqual(files.map(({ name }) => name).sort(), [
        "flow.json",
        "meta.json",
        "series.json",
        "traces.idx",
        "traces.json",
      ]);
    });
  },
);

Deno.test(
  "TraceWriter: traces that do not fit at the end leave those of before, and no file beside them",
  {
    ignore: Deno.build.os === "windows",
  },
  async () => {
    await withStore(async (store) => {
      const script = `
      import { createRun } from ${JSON.stringify(WRITER)};
      const run = await createRun(${JSON.stringify(store)}, "${ID}");
      const traces = run.openTraces("sampled");
      traces.append(${JSON.stringify(traceOf(0))});
      traces.flush();
      traces.restart();
      const trace = ${JSON.stringify(traceOf(1))};
      trace.attributes = { filler: "x".repeat(200_000) };
      traces.append(trace);
      await traces.finish(false).catch(({ message }) => console.log(message));`;
      const { stdout, stderr } = await new Deno.Command("bash", {
        args: [
          "-c",
          'trap "" XFSZ; ulimit -f 128; exec "$@"',
          "-",
          Deno.execPath(),
          "eval",
          script,
        ],
      }).output();
      const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
      assert.match(text(stdout), /traces\.json\.tmp/, text(stderr));
      const files = [...Deno.readDirSync(`${store}/${ID}`)];
      assert.deepEqual(files.map(({ name }) => name), ["traces.json.part"]);
    });
  },
);

Deno.test("createRun refuses a run directory that is there already", async () => {
  await withStore(async (store) => {
    (await createRun(store, ID)).release();
    await assert.rejects(createRun(store, ID), {
      name: "StoreError",
      message:
        `Cannot make the run directory \`${store}/${ID}\`: it exists already`,
    });
  });
});

Deno.test("createRun says what is wrong with a store below a file, and the way out", async () => {
  await withStore(async (store) => {
    await Deno.writeTextFile(`${store}/file`, "");
    await assert.rejects(createRun(`${store}/file/runs`, ID), {
      message:
        `Cannot make the run store \`${store}/file/runs\`: \`${store}/file\` is a file, not a directory`,
      hint: "choose another directory with --store or BENCH_STORE",
    });
  });
});

Deno.test({
  name: "createRun says which directory takes none, such as one of /proc",
  ignore: Deno.build.os !== "linux",
  fn: () =>
    assert.rejects(createRun("/proc/x/runs", ID), {
      message:
        "Cannot make the run store `/proc/x/runs`: `/proc` takes no new directory",
    }),
});

const CODES = [
  ["ENOSPC", "no space is left on the device"],
  ["EACCES", "permission denied"],
  ["EROFS", "the file system is read-only"],
  ["EODD", "strange"],
] as const;

for (const [code, words] of CODES) {
  Deno.test(`storeError says ${code} in words`, () => {
    const error = storeError(
      "Cannot write `x`",
      Object.assign(new Error("strange"), { code }),
    );
    assert.equal(error.message, `Cannot write \`x\`: ${words}`);
  });
}

Deno.test("storeError keeps a StoreError as it is", () => {
  const error = new StoreError("first");
  assert.equal(storeError("second", error), error);
});

Deno.test("RunWriter.writeMeta replaces the file as a whole", async () => {
  await withRun(async (run) => {
    await run.writeMeta(running());
    await run.writeMeta(clean(finished()));
    assert.equal(
      await Deno.readTextFile(`${run.dir}/meta.json`),
      metaText(finished()),
    );
    assert.deepEqual([...Deno.readDirSync(run.dir)].map(({ name }) => name), [
      "meta.json",
    ]);
  });
});

Deno.test("RunWriter.writeFlow keeps the canonical bytes, without a newline", async () => {
  await withRun(async (run) => {
    await run.writeFlow(clean('{"ir":1}'));
    assert.equal(await Deno.readTextFile(`${run.dir}/flow.json`), '{"ir":1}');
  });
});

Deno.test("RunWriter.writeSeries puts one point on a line", async () => {
  await withRun(async (run) => {
    const points = [0, 1].map((t) => ({ t })) as never[];
    await run.writeSeries(clean({ schema: 1, interval_ms: 1000, points }));
    assert.equal(
      await Deno.readTextFile(`${run.dir}/series.json`),
      '{"schema":1,"interval_ms":1000,"points":[\n{"t":0},\n{"t":1}\n]}\n',
    );
  });
});

Deno.test("RunWriter says which file it could not write", async () => {
  await withRun(async (run) => {
    await run.discard();
    await assert.rejects(run.writeMeta(running()), {
      message: `Cannot write \`${run.dir}/meta.json\`: it does not exist`,
    });
  });
});

Deno.test("addJudgement: verdicts of comparisons that end at the same time are all stored", async () => {
  await withRun(async (run) => {
    await run.writeFlow("{}");
    await run.writeMeta(clean(finished()));
    const others = Array.from({ length: 10 }, (_, n) => `other-${n}`);
    await Promise.all(others.map((other) =>
      addJudgement(run.dir, {
        kind: "comparison",
        verdict: "same",
        text: "the same",
        runs: [ID, other],
      })
    ));
    const { judged = [] } = await readMeta(run.dir, STARTED);
    assert.deepEqual(judged.map(({ runs }) => runs[1]).sort(), others);
  });
});
