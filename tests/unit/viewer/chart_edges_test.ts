import { deepStrictEqual, match, ok } from "node:assert/strict";
import fc from "fast-check";
import type { ComparedFigure } from "../../../lib/results/comparison/comparison.ts";
import { forestOf } from "../../../viewer/chart/forest.tsx";
import { axisTo } from "../../../viewer/chart/frame.tsx";
import { lineChart } from "../../../viewer/chart/line_chart.tsx";
import { distribution } from "../../../viewer/chart/latency.tsx";
import { markupOf } from "../../../viewer/markup/jsx_runtime.ts";
import { workspace } from "../../support/bench.ts";
import {
  asker,
  groupOf,
  metaOf,
  putRun,
  verdictOf,
} from "../../support/viewer_fixture.ts";
import { FILES, ID, META, page } from "./exported_run.ts";

Deno.test("axisTo: an axis of its own range has the values between its ticks", () => {
  const MIB = 1024 ** 2;
  deepStrictEqual(
    axisTo(812 * MIB, "binary", 805 * MIB).ticks,
    [804, 806, 808, 810, 812].map((each) => each * MIB),
  );
  fc.assert(fc.property(
    fc.double({ min: 0, max: 1e12, noNaN: true }),
    fc.double({ min: 0, max: 1e12, noNaN: true }),
    (a, b) => {
      const [min, max] = [Math.min(a, b), Math.max(a, b)];
      const { ticks, share } = axisTo(max, "any", min);
      ok(ticks[0]! <= min && ticks.at(-1)! >= max * (1 - 1e-9), `${ticks}`);
      ok(ticks.length <= 6 && share(min) <= share(max));
    },
  ));
});

/** The texts of each line of a chart. */
const valuesOf = (text: string, id: string) =>
  JSON.parse(
    new RegExp(`id="${id}"[\\s\\S]*?chart-data">([^<]*)<`).exec(text)![1]!
      .replaceAll("&quot;", '"'),
  ).values as (string | null)[][];

Deno.test("the steps of bytes up a chart differ, and have one unit", () => {
  const GIB = 1024 ** 3;
  const sideOf = (...values: number[]) => {
    const { text } = lineChart({
      id: "chart",
      title: "Memory",
      summary: "",
      points: values.map((memory, t) => ({ t, memory })),
      lines: [["used", 0, ({ memory }) => memory]],
      unit: "bytes",
      around: true,
    });
    const [, side = ""] = text.match(/<div class="y"[^>]*>(.*?)<\/div>/s) ?? [];
    return [...side.matchAll(/<span>(.*?)<\/span>/g)].map(([, each]) => each);
  };
  deepStrictEqual(sideOf(1.11 * GIB, 1.17 * GIB), [
    "1.18 GiB",
    "1.16 GiB",
    "1.14 GiB",
    "1.12 GiB",
    "1.1 GiB",
  ]);
  deepStrictEqual(sideOf(0.85 * GIB, 1.3 * GIB), [
    "1.4 GiB",
    "1.2 GiB",
    "1 GiB",
    "0.8 GiB",
  ]);
});

Deno.test("forest plot: a change beyond the axis is an arrow, one on it a bar", () => {
  const figure = (value: number): ComparedFigure => ({
    metric: "p50",
    unit: "ms",
    base: 1,
    candidate: 1 + value,
    change: { value, low: value, high: value },
    verdict: "worse",
  });
  const [near, far, fell] = [figure(0.5), figure(4), figure(-0.9)];
  const draw = forestOf([near, far, fell], 0.05);
  const value = (each: ComparedFigure) =>
    /class="value"[^>]* d="([^"]+)"/.exec(markupOf(draw(each)!))![1];
  match(value(near)!, /^M[\d.]+ 2V12$/);
  deepStrictEqual(value(far), "M230 2L236 7L230 12");
  deepStrictEqual(value(fell), "M10 2L4 7L10 12");
});

Deno.test("charts: what follows the plan's end is no rate", async () => {
  const flow = FILES["flow.json"] as object;
  const profile = { vus: 2, hold_us: 2e6 };
  const files = { ...FILES, "flow.json": { ...flow, profile } };
  const text = await page(`/runs/${ID}`, files);
  const [rate] = valuesOf(text, "chart-load");
  deepStrictEqual(rate!.map((each) => each === null), [false, false, true]);
});

Deno.test("failures page: the strip of a step counts its attempts, not kept traces", async () => {
  const { points } = FILES["series.json"] as { points: object[] };
  const series = {
    ...FILES["series.json"] as object,
    points: points.map((point) => ({ ...point, steps: [[0, 0, 0, 5]] })),
  };
  const failures = [groupOf({
    step: "login",
    code: "status",
    outcome: "failed",
    message: "response status was 500",
    count: 15,
  })];
  const text = await page(
    `/runs/${ID}/failures`,
    { ...FILES, "series.json": series },
    { ...META, failures },
  );
  match(text, /failed attempts over the run, at most 5 in a second/);
  match(text, /d="M0 10V0h1V10zM1 10V0h1V10zM2 10V0h1V10z"/);
  // The last hundredth of a second is no second, as on the charts.
  const short = await page(
    `/runs/${ID}/failures`,
    { ...FILES, "series.json": series },
    { ...META, failures, duration_ms: 2_010 },
  );
  match(short, /d="M0 10V5h1V10zM1 10V0h1V10z"/);
});

Deno.test("chart: nothing but zeros is a line of text, a far limit a word", async () => {
  const { points } = FILES["series.json"] as { points: object[] };
  const series = {
    ...FILES["series.json"] as object,
    points: points.map((point) => ({
      ...point,
      iterations_failed: 0,
      iterations_throttled: 0,
    })),
  };
  const thresholds = [verdictOf("p95(latency) < 10s", 5, true, 9)];
  const text = await page(
    `/runs/${ID}`,
    { ...FILES, "series.json": series },
    { ...META, thresholds },
  );
  match(text, /<p class="flat" id="chart-rates"><strong>Errors and throttles/);
  match(text, /p95\(latency\) &lt; 10s, above the chart/);
});

Deno.test("run page: figures, load and latency lead, before the list of what else there is", async () => {
  const text = await page(`/runs/${ID}`);
  const at = ["verdict", "figures", "chart-load", "chart-latency", "contents"]
    .concat("thresholds", "steps", "heat", "distribution")
    .map((id) => text.indexOf(`id="${id}"`));
  ok(at.every((each) => each > 0), `${at}`);
  deepStrictEqual(at, at.toSorted((a, b) => a - b));
  match(text, /class="chart leads" id="chart-load"/);
});

Deno.test("run list: what error_rate was in the runs before, where there was any", async () => {
  using folder = workspace({});
  const latency = { min: 1, avg: 2, p50: 2, p90: 4, p95: 5, p99: 8, max: 9 };
  for (const [day, error_rate] of [[20, 0.5], [21, 0]] as const) {
    putRun(
      folder.path,
      metaOf({
        id: `202611${day}T180211Z-checkout-0000aa`,
        started_at: `2026-11-${day}T18:02:11.000Z`,
        iterations: { ...META.iterations, completed: 8 },
        latency,
        error_rate,
      }),
    );
  }
  const text = await (await asker(folder.path)("/")).text();
  deepStrictEqual(text.match(/class="spark \w*"/g), [
    'class="spark bad"',
    'class="spark "',
  ]);
});

Deno.test("distribution: no percentile has a column for which there are too few samples", () => {
  const columns = (count: number) => {
    const latency = { count, min: 1, avg: 1, max: 1, percentile: () => 1 };
    const text = markupOf(
      distribution([{ label: "latency", colour: 0, latency }]),
    );
    return [...text.matchAll(/>(p[\d.]+|max)<\/th>/g)].map(([, name]) => name);
  };
  deepStrictEqual(columns(1), ["max"]);
  deepStrictEqual(columns(10), ["p50", "max"]);
  deepStrictEqual(columns(64), ["p10", "p25", "p50", "p75", "max"]);
});
