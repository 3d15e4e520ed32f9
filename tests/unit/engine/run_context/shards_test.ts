import { deepStrictEqual } from "node:assert/strict";
import { lossNotes } from "../../../../lib/engine/run_context/shards.ts";

Deno.test("lossNotes: a share of which nothing came is missing, without a time", () => {
  const why = "its run directory was not given";
  const notes = lossNotes([
    { index: 0, workers: [], lost: { why, atMs: 0 } },
    { index: 1, workers: [], lost: { why, atMs: 2_040 } },
    { index: 2, workers: [] },
  ]);
  deepStrictEqual(notes, [
    `shard 0 of 3 was lost: ${why}; its share is missing`,
    `shard 1 of 3 was lost: ${why}; its share is missing from 2s on`,
  ]);
});
