import assert from "node:assert/strict";
import { addToRun } from "../../../../lib/engine/run_context/add_to_run.ts";
import type { PreparedRun } from "../../../../lib/engine/preflight/prepared_run.ts";
import type { Capacity } from "../../../../lib/model/result/findings.ts";
import { addJudgement } from "../../../../lib/results/store/run_writer.ts";
import { readMeta } from "../../../../lib/results/store/reader.ts";
import {
  clean,
  finished,
  ID,
  STARTED,
  withRun,
} from "../../results/store/fixtures.ts";

const PREPARED = {
  secrets: [],
  flow: { flow: "checkout", steps: [], profile: {} },
} as unknown as PreparedRun;

const CAPACITY: Capacity = {
  unit: "vus",
  lower: 10,
  upper: 20,
  cause: "p95",
  trials: [],
};

Deno.test("addToRun: a verdict that is stored at the same time is kept, and so is the capacity", async () => {
  await withRun(async (run) => {
    await run.writeFlow("{}");
    await run.writeMeta(clean(finished()));
    const others = Array.from({ length: 10 }, (_, n) => `other-${n}`);
    const judge = (other: string) =>
      addJudgement(run.dir, {
        kind: "comparison",
        verdict: "same",
        text: "the same",
        runs: [ID, other],
      });
    await Promise.all([
      ...others.slice(0, 5).map(judge),
      addToRun(PREPARED, run.dir, { capacity: CAPACITY }, {}),
      ...others.slice(5).map(judge),
    ]);
    const { judged = [], capacity } = await readMeta(run.dir, STARTED);
    assert.deepEqual(judged.map(({ runs }) => runs[1]).sort(), others);
    assert.equal(capacity?.cause, "p95");
  });
});
