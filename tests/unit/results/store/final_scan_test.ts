import assert from "node:assert/strict";
import { redact } from "../../../../lib/results/redact/redacted.ts";
import { finalScan } from "../../../../lib/results/store/final_scan.ts";
import { readTrace } from "../../../../lib/results/store/trace_reader.ts";
import { clean, finished, traceOf, withRun, writeTraces } from "./fixtures.ts";
import { secretsOf } from "../redact/secrets_of.ts";

Deno.test("finalScan finds nothing in a run that was redacted, whatever words the secrets are", async () => {
  await withRun(async (run) => {
    const secrets = secretsOf(
      "pass",
      "load",
      "1",
      "checkout",
      "passed",
      "2026",
      "HTTP",
    );
    await run.writeMeta(redact(finished(), secrets));
    await writeTraces(run, "all", false, [
      redact(traceOf(1, "load pass"), secrets),
    ]);
    assert.deepEqual(await finalScan(run.dir, secrets), []);
  });
});

Deno.test("finalScan scrubs a secret in place and names the file", async () => {
  await withRun(async (run) => {
    await run.writeMeta(
      clean({ ...finished(), notes: ["the key is hunter2"] }),
    );
    const found = await finalScan(run.dir, secretsOf("hunter2"));
    assert.deepEqual(found, ["meta.json"]);
    const text = await Deno.readTextFile(`${run.dir}/meta.json`);
    assert.deepEqual(JSON.parse(text).notes, ["the key is [redacted]"]);
    assert.deepEqual(await finalScan(run.dir, secretsOf("hunter2")), []);
  });
});

Deno.test("finalScan keeps traces readable through their index", async () => {
  await withRun(async (run) => {
    const traces = [traceOf(0, "hunter2 hunter2"), traceOf(1, "fine")];
    await writeTraces(run, "all", false, traces.map(clean));
    await finalScan(run.dir, secretsOf("hunter2"));
    const first = await readTrace(run.dir, traces[0]!.trace_id);
    assert.equal(first!.spans[0]!.response!.body, "[redacted] [redacted]");
    assert.deepEqual(await readTrace(run.dir, traces[1]!.trace_id), traces[1]);
  });
});

Deno.test("finalScan looks at files it does not know", async () => {
  await withRun(async (run) => {
    await Deno.writeTextFile(`${run.dir}/left.tmp`, '{"x": "hunter2"}');
    assert.equal((await finalScan(run.dir, secretsOf("hunter2"))).length, 1);
  });
});
