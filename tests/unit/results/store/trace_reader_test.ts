import assert from "node:assert/strict";
import type { Span } from "../../../../lib/model/result/trace.ts";
import {
  eachTrace,
  readTrace,
  readTraceFacts,
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
