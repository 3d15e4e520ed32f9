import { deepStrictEqual, equal, rejects } from "node:assert/strict";
import { writeHistograms } from "../../../../lib/engine/run_context/histogram_file.ts";
import type { HistogramSet } from "../../../../lib/model/result/series.ts";
import { Secrets } from "../../../../lib/results/redact/secrets.ts";
import { readHistograms } from "../../../../lib/results/store/reader.ts";
import { withRun } from "../../results/store/fixtures.ts";

const set = (service: string): HistogramSet => ({
  service,
  response: "r",
  throttled: "t",
  stretches: { ms: 1_000, blocks: "" },
});

/** Of so many steps; `made` counts those that were asked for. */
function histograms(count: number) {
  const made: string[] = [];
  function* steps() {
    for (let i = 0; i < count; i++) {
      made.push(`step_${i}`);
      yield [`step_${i}`, set(`h${i}`)] as const;
    }
  }
  return { made, parts: { overall: set("all"), steps: steps() } };
}

Deno.test("writeHistograms pauses between some steps and the next, and makes none before it is its turn", async () => {
  await withRun(async (run) => {
    const { made, parts } = histograms(25);
    const pauses: number[] = [];
    await writeHistograms(run, parts, new Secrets(), () => {
      pauses.push(made.length);
      return Promise.resolve();
    });
    deepStrictEqual(pauses, [10, 20]);
    const stored = await readHistograms(run.dir);
    deepStrictEqual(stored, {
      schema: 1,
      unit: "us",
      overall: set("all"),
      steps: Object.fromEntries(histograms(25).parts.steps),
    });
    const text = await Deno.readTextFile(`${run.dir}/histograms.json`);
    equal(text, `${JSON.stringify(stored)}\n`);
  });
});

Deno.test("writeHistograms of a flow without steps is a file as well", async () => {
  await withRun(async (run) => {
    await writeHistograms(run, histograms(0).parts, new Secrets());
    deepStrictEqual((await readHistograms(run.dir))?.steps, {});
  });
});

Deno.test("writeHistograms leaves the file before it whole when a step cannot be made", async () => {
  await withRun(async (run) => {
    await writeHistograms(run, histograms(1).parts, new Secrets());
    function* steps() {
      yield ["step_0", set("h0")] as const;
      throw new Error("no such step");
    }
    const broken = { overall: set("other"), steps: steps() };
    await rejects(writeHistograms(run, broken, new Secrets()), /no such step/);
    const stored = await readHistograms(run.dir);
    equal(stored?.overall.service, "all");
    deepStrictEqual([...Deno.readDirSync(run.dir)].map(({ name }) => name), [
      "histograms.json",
    ]);
  });
});

Deno.test("writeHistograms hides secrets", async () => {
  await withRun(async (run) => {
    const secrets = new Secrets();
    secrets.register("hunter2-hunter2");
    const overall = set("hunter2-hunter2");
    await writeHistograms(run, { overall, steps: [["one", overall]] }, secrets);
    const text = await Deno.readTextFile(`${run.dir}/histograms.json`);
    equal(text.includes("hunter2"), false);
  });
});
