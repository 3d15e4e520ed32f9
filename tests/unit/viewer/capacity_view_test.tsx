import assert from "node:assert/strict";
import type { RunMeta } from "../../../lib/model/result/run.ts";
import { markupOf } from "../../../viewer/markup/jsx_runtime.ts";
import {
  capacityView,
  trialsTable,
} from "../../../viewer/page/capacity_view.tsx";
import { checksTable, phasesTable } from "../../../viewer/page/run_tables.tsx";

const trial = (level: number, change = {}) => ({
  level,
  duration_ms: 10_000,
  held: true,
  limited: false,
  requests_per_second: level,
  p50: 10,
  p95: level,
  error_rate: 0,
  throttle_rate: 0,
  broken: [],
  ...change,
});

Deno.test("capacityView has the bounds, the curve over the levels, and every trial", () => {
  const capacity = {
    unit: "requests_per_second" as const,
    lower: 40,
    upper: 80,
    cause: "p95(latency) < 50ms: 80ms",
    trials: [
      trial(20),
      trial(80, { held: false, broken: ["p95(latency) < 50ms: 80ms"] }),
      trial(40),
      trial(160, { limited: true }),
    ],
  };
  const limit = {
    ...{ metric: "latency", stat: "p95", limit: 50, pass: false },
    expression: "p95(latency) < 50ms",
  } as unknown as RunMeta["thresholds"][number];
  const p99 = { ...limit, stat: "p99", expression: "p99(latency) < 50ms" };
  const html = markupOf(
    <>
      {capacityView(capacity, [limit, p99])}
      {trialsTable(capacity)}
    </>,
  );
  assert.match(html, /<p>Above: p95\(latency\) &lt; 50ms: 80ms\.<\/p>/);
  const most = {
    upper: null,
    cause: "`--most` lets no level above 40 be tried",
  };
  assert.match(
    markupOf(<>{capacityView({ ...capacity, ...most }, [])}</>),
    /<p>No upper bound: <code>--most<\/code> lets/,
  );
  assert.match(html, /class="limit"[\s\S]*p95\(latency\) &lt; 50ms/);
  assert.doesNotMatch(html, /p99\(latency\)/);
  assert.match(html, /id="chart-capacity-rate"/);
  assert.match(html, /id="chart-capacity-p95"/);
  assert.match(html, /times&quot;:\[20,40,80\]/);
  // Its axis encloses the levels, and the bounds look different.
  assert.match(html, /span&quot;:\[0,100\]/);
  assert.match(html, /class="mark held"/);
  assert.match(html, /class="mark broke"/);
  assert.match(html, /class="shade"[^>]*d="M400 0H800V200H400z"/);
  assert.match(html, /broke: p95\(latency\) &lt; 50ms: 80ms/);
  assert.match(html, /the generator was the limit/);
});

Deno.test("trialsTable groups the digits of a level before its point only", () => {
  const html = markupOf(trialsTable({
    unit: "requests_per_second",
    lower: null,
    upper: 0.15625,
    cause: "p95(latency) < 50ms: 80ms",
    trials: [trial(0.15625), trial(1280.5)],
  }));
  assert.match(html, />0\.15625</);
  assert.match(html, />1,280\.5</);
});

Deno.test("capacityView and trialsTable show no percentile of too few samples", () => {
  const capacity = {
    unit: "vus" as const,
    lower: 2,
    upper: null,
    cause: "no level surely broke",
    trials: [
      trial(1, { samples: 129 }),
      trial(2, { samples: 130 }),
      trial(3, { samples: 9 }),
      trial(4, { samples: 0, p50: null, p95: null }),
    ],
  };
  const cells = markupOf(trialsTable(capacity)).matchAll(
    /<tr>.*?>([1-4])<.*?\/s<\/td><td[^>]*>(.*?)<\/td><td[^>]*>(.*?)<\/td>/gs,
  );
  assert.deepEqual([...cells].map(([, ...each]) => each), [
    ["1", "10ms", "too few"],
    ["2", "10ms", "2ms"],
    ["3", "too few", "too few"],
    ["4", "–", "–"],
  ]);
  const p95 = markupOf(capacityView(capacity, [])).split("chart-capacity-p95");
  assert.match(p95.at(-1)!, /\[null,&quot;2ms&quot;,null,null\]/);
  const few = capacity.trials.map((each) => ({ ...each, samples: 9 }));
  const none = markupOf(capacityView({ ...capacity, trials: few }, []));
  assert.match(none, /chart-capacity-rate/);
  assert.doesNotMatch(none, /chart-capacity-p95|No samples/);
});

Deno.test("capacityView of one level has no curve", () => {
  const html = markupOf(capacityView({
    unit: "vus",
    lower: 1,
    upper: null,
    cause: "`--most` lets no level above 1 be tried",
    trials: [trial(1)],
  }, []));
  assert.doesNotMatch(html, /chart-capacity/);
});

Deno.test("phasesTable has the phases that happened, a row a step", () => {
  const ttfb = { count: 130, avg: 5, p50: 4, p95: 8, p99: 9, max: 9 };
  const meta = {
    steps: [{ id: "pay", phases: { ttfb } }, { id: "old" }],
  } as unknown as RunMeta;
  const html = markupOf(phasesTable(meta)!);
  assert.match(html, /pay.*–.*–.*4ms.*p95 8ms/s);
  const cellOf = (count: number) => {
    const steps = [{ id: "pay", phases: { ttfb: { ...ttfb, count } } }];
    const few = markupOf(phasesTable({ steps } as unknown as RunMeta)!);
    return /data-label="ttfb">(.*?)<\/td>/s.exec(few)![1]!
      .replaceAll(/<[^>]*>/g, "");
  };
  assert.equal(cellOf(129), "4ms p95 too few");
  assert.equal(cellOf(9), "avg 5ms");
  assert.doesNotMatch(html, /old/);
  // A bar is as long as its step's share of the time of all.
  const two = markupOf(
    phasesTable({
      steps: [
        { id: "pay", phases: { ttfb } },
        { id: "look", phases: { ttfb: { ...ttfb, avg: 15 } } },
      ],
    } as unknown as RunMeta)!,
  );
  assert.match(
    two,
    /pay[\s\S]*H66\.7V10[\s\S]*25%[\s\S]*look[\s\S]*H200V10[\s\S]*75%/,
  );
  assert.equal(phasesTable({ ...meta, steps: [] }), undefined);
});

Deno.test("phasesTable and checksTable of many steps show what matters, the others folded away", () => {
  const ttfb = { count: 9, avg: 5, p50: 4, p95: 8, p99: 9, max: 9 };
  const steps = Array.from({ length: 20 }, (_, i) => ({
    id: `s${i}`,
    phases: { ttfb: { ...ttfb, avg: i + 1 } },
    checks: [{ check: "status == 200", passed: 9, failed: i === 3 ? 2 : 0 }],
  }));
  const meta = { steps } as unknown as RunMeta;
  const names = (html: string) =>
    [...html.matchAll(/<th scope="row"[^>]*>(s\d+)</g)].map(([, id]) => id);
  const [shown, folded] = markupOf(phasesTable(meta)!).split("<details>");
  assert.deepEqual(names(shown!).slice(0, 2), ["s19", "s18"]);
  assert.match(folded!, /8 steps with less of the time/);
  assert.equal(names(shown!).length + names(folded!).length, 20);
  const [failed, held] = markupOf(checksTable(meta)!).split("<details>");
  assert.deepEqual(names(failed!), ["s3"]);
  assert.match(held!, /19 checks that always held/);
});
