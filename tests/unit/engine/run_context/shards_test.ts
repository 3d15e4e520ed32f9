import { deepStrictEqual, equal } from "node:assert/strict";
import {
  healthOfAll,
  lossNotes,
} from "../../../../lib/engine/run_context/shards.ts";
import type { GeneratorHealth } from "../../../../lib/model/result/run.ts";

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

Deno.test("healthOfAll: a run that was too short says so in shards too", () => {
  const health = (limited: boolean, detail: string) =>
    ({ limited, detail }) as GeneratorHealth;
  const short = health(false, "the run was too short to say");
  const limited = health(true, "the generator was the limit: it was");
  equal(healthOfAll(short, []).detail, short.detail);
  equal(healthOfAll(limited, []).detail, "the generator was not the limit");
  const shard = { shard: 1, generator: limited } as never;
  equal(healthOfAll(short, [shard]).detail, `shard 1: ${limited.detail}`);
});

Deno.test("healthOfAll: of many shards that are the limit three are named", () => {
  const limited = { limited: true, detail: "it was" } as GeneratorHealth;
  const shards = (many: number) =>
    Array.from({ length: many }, (_, shard) => ({ shard, generator: limited }));
  const detail = (many: number) =>
    healthOfAll(limited, shards(many) as never[]).detail;
  const three = "shard 0: it was. shard 1: it was. shard 2: it was";
  equal(detail(4), `${three}. shard 3: it was`);
  equal(detail(20), `${three}. The generator was the limit of 17 more shards`);
});
