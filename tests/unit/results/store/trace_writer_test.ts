import assert from "node:assert/strict";
import fc from "fast-check";
import {
  readTrace,
  readTraceIndex,
} from "../../../../lib/results/store/trace_reader.ts";
import {
  indexBytes,
  LineIndex,
  parseIndex,
} from "../../../../lib/results/store/trace_index.ts";
import { clean, traceOf, withRun, writeTraces } from "./fixtures.ts";

Deno.test("TraceWriter writes valid JSON with one trace a line", async () => {
  await withRun(async (run) => {
    const traces = [traceOf(0), traceOf(1, "zwei\n\u2028\u00fc")];
    await writeTraces(run, "all", true, traces.map(clean));
    const text = await Deno.readTextFile(`${run.dir}/traces.json`);
    assert.deepEqual(JSON.parse(text), {
      schema: 1,
      policy: "all",
      traces,
      truncated: true,
    });
    assert.equal(text.split("\n").length, 5);
  });
});

Deno.test("TraceWriter writes traces that are longer than what waits in memory", async () => {
  await withRun(async (run) => {
    // Characters of one to four bytes, so that some lie across where a part ends.
    const long = (index: number) => "x".repeat(index) + "aüあ🏁".repeat(20_000);
    const traces = [0, 1, 2, 3].map((index) => traceOf(index, long(index)));
    await writeTraces(run, "all", false, traces.map(clean));
    const text = await Deno.readTextFile(`${run.dir}/traces.json`);
    assert.deepEqual(JSON.parse(text).traces, traces);
    assert.deepEqual(await readTrace(run.dir, traces[3]!.trace_id), traces[3]);
  });
});

Deno.test("TraceWriter writes valid JSON when there is no trace", async () => {
  await withRun(async (run) => {
    await writeTraces(run, "sampled", false, []);
    const value = JSON.parse(await Deno.readTextFile(`${run.dir}/traces.json`));
    assert.deepEqual(value, {
      schema: 1,
      policy: "sampled",
      traces: [],
      truncated: false,
    });
    assert.deepEqual(await readTraceIndex(run.dir), []);
  });
});

Deno.test("TraceWriter's index finds every trace, whatever its text", async () => {
  const bodies = fc.array(fc.string({ unit: "binary" }), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(bodies, (texts) =>
      withRun(async (run) => {
        const traces = texts.map((text, index) => traceOf(index, text));
        await writeTraces(run, "all", false, traces.map(clean));
        for (const trace of traces) {
          const expected = JSON.parse(new TextDecoder().decode(
            new TextEncoder().encode(JSON.stringify(trace)),
          ));
          assert.deepEqual(await readTrace(run.dir, trace.trace_id), expected);
        }
      })),
    { numRuns: 25 },
  );
});

Deno.test("TraceWriter's index is what the lines of the file give", async () => {
  await withRun(async (run) => {
    await writeTraces(
      run,
      "all",
      false,
      [traceOf(0), traceOf(7, "ü")].map(clean),
    );
    const text = await Deno.readTextFile(`${run.dir}/traces.idx`);
    const bytes = await Deno.readFile(`${run.dir}/traces.json`);
    const index = parseIndex(text, bytes.length);
    assert.deepEqual(index, indexBytes(bytes));
    // Of another file it is not.
    assert.equal(parseIndex(text, bytes.length / 2), undefined);
    assert.deepEqual(index!.map(({ iteration, row }) => [iteration, row]), [[
      0,
      0,
    ], [7, 7]]);
  });
});

Deno.test("LineIndex finds the same however the file is cut into pieces", async () => {
  await withRun(async (run) => {
    const texts = ["a", "ü".repeat(40), "", "line\nbreak"];
    await writeTraces(
      run,
      "all",
      false,
      texts.map((t, i) => clean(traceOf(i, t))),
    );
    const bytes = await Deno.readFile(`${run.dir}/traces.json`);
    for (const size of [1, 7, 64, 100_000]) {
      const lines = new LineIndex();
      for (let at = 0; at < bytes.length; at += size) {
        lines.add(bytes.subarray(at, at + size));
      }
      assert.deepEqual(lines.end(), indexBytes(bytes), `pieces of ${size}`);
    }
    assert.equal(indexBytes(bytes).length, 4);
  });
});

Deno.test("TraceWriter: a killed run keeps the traces that were flushed", async () => {
  await withRun(async (run) => {
    const writer = run.openTraces("all");
    writer.append(clean(traceOf(0)));
    writer.append(clean(traceOf(1)));
    writer.flush();
    const path = `${run.dir}/traces.json.part`;
    const whole = await Deno.readFile(path);
    assert.equal((await readTraceIndex(run.dir)).length, 2);
    assert.deepEqual(await readTrace(run.dir, traceOf(1).trace_id), traceOf(1));
    await Deno.writeFile(path, whole.subarray(0, whole.length - 5));
    assert.deepEqual(
      (await readTraceIndex(run.dir)).map(({ iteration }) => iteration),
      [0],
    );
    await writer.finish(false);
  });
});

Deno.test("TraceWriter: a run that is killed while its traces are chosen anew has those it had", async () => {
  await withRun(async (run) => {
    const writer = run.openTraces("sampled");
    const iterations = async () =>
      (await readTraceIndex(run.dir)).map(({ iteration }) => iteration);
    for (const each of [0, 1, 2]) writer.append(clean(traceOf(each)));
    writer.flush();
    writer.restart();
    writer.append(clean(traceOf(1)));
    writer.flush();
    assert.deepEqual(await iterations(), [0, 1, 2]);
    await writer.finish(false);
    assert.deepEqual(await iterations(), [1]);
    assert.deepEqual(
      [...Deno.readDirSync(run.dir)].map(({ name }) => name).sort(),
      ["traces.idx", "traces.json"],
    );
  });
});

Deno.test("TraceWriter writes without being asked once much is waiting", async () => {
  await withRun(async (run) => {
    const writer = run.openTraces("all");
    writer.append(clean(traceOf(0, "x".repeat(20_000))));
    assert.equal((await readTraceIndex(run.dir)).length, 1);
    await writer.finish(false);
  });
});

Deno.test("TraceWriter.append gives the bytes it takes", async () => {
  await withRun(async (run) => {
    const writer = run.openTraces("all");
    const bytes = writer.append(clean(traceOf(0, "ü")));
    assert.equal(
      bytes,
      new TextEncoder().encode(JSON.stringify(traceOf(0, "ü"))).length,
    );
    await writer.finish(false);
  });
});

Deno.test("readTrace gives nothing for a trace that was not kept", async () => {
  await withRun(async (run) => {
    assert.equal(await readTrace(run.dir, "0".repeat(32)), undefined);
    await writeTraces(run, "all", false, [clean(traceOf(0))]);
    assert.equal(await readTrace(run.dir, "0".repeat(32)), undefined);
  });
});

Deno.test("readTrace says when the index does not fit the file", async () => {
  await withRun(async (run) => {
    await writeTraces(run, "all", false, [traceOf(0), traceOf(1)].map(clean));
    const [first, second] = await readTraceIndex(run.dir);
    const wrong = [{
      ...first!,
      offset: second!.offset,
      length: second!.length,
    }];
    await assert.rejects(
      readTrace(run.dir, first!.trace_id, wrong),
      /traces.idx does not fit/,
    );
  });
});
