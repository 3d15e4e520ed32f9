import assert from "node:assert/strict";
import type { Span } from "../../../../lib/model/result/trace.ts";
import {
  eachTrace,
  readTrace,
  readTraceFacts,
  readTraceIndex,
} from "../../../../lib/results/store/trace_reader.ts";
import { clean, traceOf, withRun, writeTraces } from "./fixtures.ts";

Deno.test("readTraceFacts gives the policy, and whether something was left out", async () => {
  for (const policy of ["all", "sampled"] as const) {
    for (const truncated of [true, false]) {
      await withRun(async (run) => {
        const traces = [traceOf(0, 'x"policy":"all"'.repeat(100)), traceOf(1)];
        await writeTraces(run, policy, truncated, traces.map(clean));
        assert.deepEqual(await readTraceFacts(run.dir), { policy, truncated });
      });
    }
  }
});

Deno.test("readTraceFacts gives nothing for a run without traces", async () => {
  await withRun(async (run) =>
    assert.equal(await readTraceFacts(run.dir), undefined)
  );
});

Deno.test("readTraceFacts and eachTrace understand what a killed process leaves", async () => {
  await withRun(async (run) => {
    const script = `
      import { RunWriter } from ${
      JSON.stringify(
        import.meta.resolve("../../../../lib/results/store/run_writer.ts"),
      )
    };
      const traces = new RunWriter(${
      JSON.stringify(run.dir)
    }).openTraces("all");
      for (const trace of ${
      JSON.stringify([traceOf(0), traceOf(1)])
    }) traces.append(trace);
      traces.flush();
      Deno.kill(Deno.pid, "SIGKILL");`;
    await new Deno.Command(Deno.execPath(), {
      args: ["eval", script],
      stderr: "null",
    }).output();
    assert.deepEqual(await readTraceFacts(run.dir), {
      policy: "all",
      truncated: true,
    });
    const found: number[] = [];
    for await (const { iteration } of eachTrace(run.dir)) found.push(iteration);
    assert.deepEqual(found, [0, 1]);
  });
});

Deno.test("readTraceIndex says that the file of a run that is over is damaged", async () => {
  await withRun(async (run) => {
    const traces = [0, 1, 2].map((each) => clean(traceOf(each)));
    await writeTraces(run, "all", false, traces);
    const path = `${run.dir}/traces.json`;
    const bytes = await Deno.readFile(path);
    for (const index of [true, false]) {
      if (!index) await Deno.remove(`${run.dir}/traces.idx`);
      for (const size of [0, 10, bytes.length / 2 | 0, bytes.length - 3]) {
        await Deno.writeFile(path, bytes.subarray(0, size));
        await assert.rejects(readTraceIndex(run.dir), {
          name: "StoreError",
          message: `Cannot read \`${path}\`: it is cut off after ${size} bytes`,
        });
      }
    }
    const lines = new TextDecoder().decode(bytes).split("\n");
    for (const line of ["", "{", '{"trace_id":"1"}', lines[2]!.slice(1)]) {
      await Deno.writeTextFile(path, lines.with(2, `${line},`).join("\n"));
      await assert.rejects(
        readTraceIndex(run.dir),
        /traces\.json`: line 3 is not a trace/,
      );
    }
    await Deno.writeFile(path, bytes);
    assert.equal((await readTraceIndex(run.dir)).length, 3);
  });
});

Deno.test("readTrace gives spans of earlier versions, which have none, their kinds", async () => {
  await withRun(async (run) => {
    const { spans: [call], ...trace } = traceOf(0);
    const { kind: _, ...old } = call!;
    const names = ["http_call", "login.extract@token", "attempt 2", "connect"];
    const below = names.map((name, i) => ({
      ...{ ...old, name, span_id: String(i), parent_id: "step" },
    }));
    const spans = [{ ...old, name: "login" }, ...below] as unknown as Span[];
    await writeTraces(run, "all", false, [clean({ ...trace, spans })]);
    const read = await readTrace(run.dir, trace.trace_id);
    assert.deepEqual(read!.spans.map(({ kind, label }) => [kind, label]), [
      ["step", undefined],
      ["call", undefined],
      ["extract", "token"],
      ["attempt", undefined],
      ["phase", undefined],
    ]);
  });
});
