import { deepEqual, equal, ok } from "node:assert/strict";
import {
  readSeries,
  readStoredRows,
} from "../../../../lib/results/store/reader.ts";
import type { Series } from "../../../../lib/model/result/series.ts";
import { clean, finished, withRun } from "./fixtures.ts";

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

Deno.test("rows that meta.json has no room for are in a file of their own", async () => {
  const row = (iteration: number) => ({
    iteration,
    outcome: "passed" as const,
    duration_ms: 1,
    failures: [],
  });
  const list = (...rows: number[]) => clean({ schema: 1, rows: rows.map(row) });
  await withRun(async (run) => {
    const meta = { ...finished(), rows: [row(0), row(3)] };
    await run.finishRows();
    deepEqual(await readStoredRows(run.dir, meta), meta.rows);
    await run.appendRows(list(1));
    await run.appendRows(list(2, 4));
    const all = [0, 1, 2, 3, 4].map(row);
    deepEqual(await readStoredRows(run.dir, meta), all);
    await run.finishRows();
    deepEqual(await readStoredRows(run.dir, meta), all);
    const text = Deno.readTextFileSync(`${run.dir}/rows.json`);
    deepEqual(JSON.parse(text).rows, [1, 2, 4].map(row));
  });
});

Deno.test("rows that would make their file too large to be read are left out", async () => {
  const row = (iteration: number) => ({
    iteration,
    outcome: "passed" as const,
    duration_ms: 1,
    failures: [],
  });
  const list = (...rows: number[]) => clean({ schema: 1, rows: rows.map(row) });
  await withRun(async (run) => {
    const part = `${run.dir}/rows.json.part`;
    const size = () => Deno.statSync(part).size;
    await run.appendRows(list(1));
    Deno.truncateSync(part, 192 * 1024 * 1024);
    const one = size();
    await run.appendRows(list(2));
    ok(size() > one);
    const full = size();
    await run.appendRows(list(3));
    equal(size(), full);
  });
});
