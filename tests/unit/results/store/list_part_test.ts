import { deepEqual, equal } from "node:assert/strict";
import { readSeries } from "../../../../lib/results/store/reader.ts";
import type { Series } from "../../../../lib/model/result/series.ts";
import { clean, withRun } from "./fixtures.ts";

const point = (t: number) => ({ t, passed: t }) as never;
const series = (...ts: number[]): Series => ({
  schema: 1,
  interval_ms: 1_000,
  points: ts.map(point),
});

Deno.test("a list that grows is read as far as it is whole, until the file is complete", async () => {
  await withRun(async (run) => {
    equal(await readSeries(run.dir), undefined);
    await run.appendSeries(clean(series(0)));
    await run.appendSeries(clean(series(1, 2)));
    deepEqual(await readSeries(run.dir), series(0, 1, 2));
    // As a run leaves it that is killed while it writes.
    const part = `${run.dir}/series.json.part`;
    Deno.writeTextFileSync(part, '{"t":3,"pas', { append: true });
    deepEqual(await readSeries(run.dir), series(0, 1, 2));
    await run.writeSeries(clean(series(0, 1, 2, 3)));
    deepEqual(await readSeries(run.dir), series(0, 1, 2, 3));
    deepEqual([...Deno.readDirSync(run.dir)].map(({ name }) => name), [
      "series.json",
    ]);
  });
});
