import { ok } from "node:assert/strict";
import { workspace } from "../../support/bench.ts";
import { asker, metaOf, putRun } from "../../support/viewer_fixture.ts";

Deno.test("the run page says of how many shards a run is, and which were lost", async () => {
  using folder = workspace({});
  const share = { workers: 1, iterations: 1, requests: 1, generator: null };
  const shards = [null, null, 9_000].map((lost_at_ms, shard) => ({
    ...share,
    shard,
    lost_at_ms,
  }));
  const meta = metaOf({ shards });
  putRun(folder.path, meta);
  const page = await (await asker(folder.path)(`/runs/${meta.id}`)).text();
  ok(page.includes("Run by 3 shards; shard 2 was lost after 9s."));
});
