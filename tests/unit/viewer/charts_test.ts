import {
  deepStrictEqual,
  doesNotMatch,
  equal,
  match,
  ok,
} from "node:assert/strict";
import {
  axisTo,
  countTicks,
  logAxis,
  timeTicks,
} from "../../../viewer/chart/frame.tsx";
import {
  findBoxes,
  flameBoxes,
  type FlameNode,
  FlameTree,
} from "../../../viewer/model/flame.ts";
import { workspace } from "../../support/bench.ts";
import {
  asker,
  metaOf,
  putRun,
  verdictOf,
} from "../../support/viewer_fixture.ts";
import { FILES, ID, META, page, SERIES, TRACES } from "./exported_run.ts";

Deno.test("axisTo: people and files come whole, bytes in powers of 1024", () => {
  deepStrictEqual(axisTo(7.5, "whole").ticks, [0, 2, 4, 6, 8]);
  deepStrictEqual(axisTo(1, "whole").ticks, [0, 1]);
  deepStrictEqual(axisTo(0.3, "whole").ticks, [0, 1]);
  const GIB = 1024 ** 3;
  deepStrictEqual(
    axisTo(23.5 * GIB, "binary").ticks,
    [0, 10 * GIB, 20 * GIB, 30 * GIB],
  );
  deepStrictEqual(axisTo(0.5, "binary").ticks, [0, 1]);
});

Deno.test("logAxis: powers of ten around what there is", () => {
  const axis = logAxis([0, 0.3, 42, 100]);
  deepStrictEqual(axis.ticks, [0.1, 1, 10, 100]);
  deepStrictEqual([0, 0.1, 10, 100, 1e9].map(axis.share), [
    0,
    0,
    2 / 3,
    1,
    1,
  ]);
  deepStrictEqual(logAxis([]).ticks, [1, 10]);
});

Deno.test("time axis: round times, no two alike, and runs are whole", () => {
  const labels = (start: number, end: number) =>
    timeTicks(start, end).map(({ label }) => label);
  deepStrictEqual(labels(0, 3), ["0s", "1s", "2s", "3s"]);
  deepStrictEqual(labels(60, 62), ["1m", "1m0.5s", "1m1s", "1m1.5s", "1m2s"]);
  deepStrictEqual(labels(0, 600), ["0s", "2m", "4m", "6m", "8m", "10m"]);
  deepStrictEqual(labels(0, 86_400), ["0s", "6h", "12h", "18h", "24h"]);
  deepStrictEqual(
    countTicks(0, 2, (i) => `run ${i + 1}`).map(({ label }) => label),
    ["run 1", "run 2", "run 3"],
  );
  for (let end = 1; end < 1e7; end = end * 1.7 + 1) {
    const found = labels(0, end);
    ok(found.length > 1 && found.length <= 6, `${end}: ${found}`);
    equal(new Set(found).size, found.length, `${end}: ${found}`);
  }
});

const flame = () => {
  const tree = new FlameTree();
  TRACES.forEach((trace) => tree.add(trace));
  return tree;
};

Deno.test("flameBoxes: what is too narrow for a box of its own is in one all the same", () => {
  const box = (name: string, total: number, ...below: FlameNode[]) => ({
    ...{ name, total, bad: 0, count: 7 },
    children: new Map(below.map((each) => [each.name, each])),
  });
  const top = box("all", 10_000, box("slow", 9_991), box("quick", 9));
  const boxes = flameBoxes(top, []);
  deepStrictEqual(boxes.map(({ name }) => name), ["all", "slow", "other (1)"]);
  equal(boxes.at(-1)!.count, 7);
  equal(boxes.reduce((sum, { self }) => sum + self, 0), 10_000);
});

Deno.test("findBoxes: what is inside a found box is not counted again", () => {
  const boxes = flameBoxes(flame().root, []);
  const whole = findBoxes(boxes, "all");
  equal(whole.share, 1);
  const calls = findBoxes(boxes, "http_call");
  const sum = boxes.filter(({ name }) => name === "http_call")
    .reduce((total, { width }) => total + width, 0);
  ok(Math.abs(calls.share - sum) < 1e-9);
  const everything = findBoxes(boxes, "");
  ok(Math.abs(everything.share - 1) < 1e-9);
  equal(findBoxes(boxes, "nothing like it").boxes.size, 0);
});

Deno.test("run page: a latency chart without samples has no other scale", async () => {
  const link = /logarithmic scale/;
  match(await page(`/runs/${ID}`), link);
  const points = SERIES.points.map((each) => ({
    ...SERIES.points[1],
    t: each.t,
  }));
  const files = { ...FILES, "series.json": { ...SERIES, points } };
  ok(!link.test(await page(`/runs/${ID}`, files)));
});

Deno.test("run page: an open-loop run shows what it offered", async () => {
  const flow = { ...(FILES["flow.json"] as object) };
  const arrival = { count: 3, per_us: 25_000 };
  const files = { ...FILES, "flow.json": { ...flow, profile: { arrival } } };
  const text = await page(`/runs/${ID}`, files);
  match(text, /on average, 120\/s offered/);
  match(text, /offered, a second/);
  ok(!/offered/.test(await page(`/runs/${ID}`)));
});

Deno.test("run page: stages are drawn over what happened, by users and by rate", async () => {
  const flow = { ...(FILES["flow.json"] as object) };
  const planned = async (profile: unknown, line: string) => {
    const files = { ...FILES, "flow.json": { ...flow, profile } };
    const text = await page(`/runs/${ID}`, files);
    ok(!/ramp from/.test(text));
    const [chart = ""] = new RegExp(
      `<figure class="chart[^"]*" id="${line}">[\\s\\S]*?</figure>`,
    ).exec(text) ?? [];
    const data = /chart-data">([^<]*)</.exec(chart)![1]!
      .replaceAll("&quot;", '"');
    return { text, chart, values: JSON.parse(data).values as unknown };
  };
  const users = await planned({
    vus: 1,
    stages: [{ vus: 4, over_us: 1e6 }, { vus: 9, over_us: 0 }, {
      over_us: 1e6,
    }],
  }, "chart-vus");
  match(users.chart, /planned/);
  deepStrictEqual((users.values as unknown[])[0], ["4", "9", null]);
  const rates = await planned({
    vus: 9,
    stages: [
      { arrival: { count: 1, per_us: 10_000 }, over_us: 1e6 },
      { over_us: 1e6 },
    ],
  }, "chart-load");
  deepStrictEqual((rates.values as unknown[])[1], ["50/s", "100/s", null]);
  match(rates.text, /up to 100\/s offered/);
});

Deno.test("run page: where nothing ended while the plan lasted, the rate is that of its end", async () => {
  const series = FILES["series.json"] as { points: object[] };
  const points = series.points.map((each, at) =>
    at < 2
      ? { ...each, passed: 0, failed: 0, throttled: 0, completed: 0 }
      : each
  );
  const flow = FILES["flow.json"] as object;
  const text = await page(`/runs/${ID}`, {
    ...FILES,
    "series.json": { ...series, points },
    "flow.json": { ...flow, profile: { vus: 4, hold_us: 2e6 } },
  });
  match(text, /The rate began at 0\/s, ended at [1-9]/);
});

Deno.test("run page: a warm-up is drawn grey before the rest, and is in no figure", async () => {
  const series = FILES["series.json"] as { points: { t: number }[] };
  const warm_up = series.points.slice(0, 2)
    .map((each) => ({ ...each, vus: 7 }));
  const flow = { ...(FILES["flow.json"] as object) };
  const profile = {
    vus: { from: 1, to: 3, over_us: 3e6 },
    hold_us: 2e6,
    warm_up_us: 2e6,
  };
  const files = {
    ...FILES,
    "series.json": { ...series, warm_up },
    "flow.json": { ...flow, profile },
  };
  const { iterations, requests, error_rate, throttle_rate } = META;
  const counted = { iterations, requests, error_rate, throttle_rate };
  const meta = { ...META, warm_up: { duration_ms: 2_000, ...counted } };
  const text = await page(`/runs/${ID}`, files, meta);
  match(text, /Warm-up of 2s before it, in no figure: /);
  const json = await page(`/api/v1/runs/${ID}/series`, files, meta);
  const api = JSON.parse(json);
  deepStrictEqual(
    api.warm_up.map(({ t, vus }: { t: number; vus: number }) => [t, vus]),
    [[-2, 7], [-1, 7]],
  );
  equal(api.points[0].t, 0);
  const chart = /id="chart-vus">[\s\S]*?<\/figure>/.exec(text)![0];
  match(chart, /warm-up, in no figure[\s\S]*ramp from 1 to 3 VUs/);
  doesNotMatch(chart, /The number began at 7|highest, 7/);
  const data = /chart-data">([^<]*)</.exec(chart)![1]!
    .replaceAll("&quot;", '"');
  const { span, times, values } = JSON.parse(data);
  deepStrictEqual([span[0], ...times.slice(0, 3)], [-2, -2, -1, 0]);
  deepStrictEqual(values[1].slice(0, 2), ["7", "7"]);
});

Deno.test("series API: attempts of each flow of a mix, a second", async () => {
  const counts = { completed: 1, passed: 1, failed: 0, throttled: 0 };
  const [first, second] = META.steps;
  const flow = (name: string) => ({
    ...{ name, weight: 1, iterations: counts, latency: META.latency },
    ...{ error_rate: 0, throttle_rate: 0, iteration_time: META.latency },
  });
  const meta = {
    ...META,
    flows: [flow("a"), flow("b")],
    steps: [{ ...first!, id: "a/login" }, { ...second!, id: "b/item" }],
  };
  const json = await page(`/api/v1/runs/${ID}/series`, FILES, meta);
  deepStrictEqual(JSON.parse(json).points[0].flows, [
    [0, 3, 1, 0],
    [1, 2, 0, 1],
  ]);
});

Deno.test("run page: load and the target's machine have one time axis, one knee, one ramp", async () => {
  const flow = { ...(FILES["flow.json"] as object) };
  const vus = { from: 1, to: 10, over_us: 2_000_000 };
  const files = { ...FILES, "flow.json": { ...flow, profile: { vus } } };
  const knee = {
    class: "degraded",
    detail: "at 7 VUs",
    vus: 7,
    threshold: "p95(latency) < 9ms",
    at_ms: 1_500,
  } as const;
  const text = await page(`/runs/${ID}`, files, { ...META, knee });
  const charts = [...text.matchAll(
    /<figure class="chart[^"]*" id="([^"]+)">[\s\S]*?<\/figure>/g,
  )].filter(([, id]) => !id!.startsWith("chart-capacity"));
  const clocked =
    /<div class="charts clocked"[\s\S]*?id="contents"/.exec(text)![0];
  deepStrictEqual(
    [...clocked.matchAll(/id="(chart-[^"]+)"/g)].map(([, id]) => id),
    [
      "chart-load",
      "chart-latency",
      "chart-rates",
      "chart-vus",
      "chart-agent-cpu",
      "chart-agent-memory",
      "chart-agent-network",
      "chart-generator",
    ],
  );
  for (const [chart, id] of charts) {
    ok(chart.includes("{&quot;span&quot;:[0,2],"), id!);
    ok(
      chart.includes(
        '<path class="mark" fill="none" stroke="#888" d="M750 0V200">',
      ),
      id!,
    );
    ok(
      chart.includes('<path class="shade" fill="#8882" d="M0 0H1000V200H0z">'),
      id!,
    );
    match(chart, /knee at 1\.5s[\s\S]*ramp from 1 to 10 VUs/);
  }
});

Deno.test("run page: the key figures are those of the chosen part of the time", async () => {
  const figure = (text: string, name: string) =>
    new RegExp(`data-figure="${name}">[\\s\\S]*?<dd class="value">([^<]*)<`)
      .exec(text)?.[1]?.trim();
  const { points } = FILES["series.json"] as {
    points: { t: number; passed: number; failed: number; throttled: number }[];
  };
  const last = points.at(-1)!;
  const part = await page(`/runs/${ID}?t0=${last.t}`);
  equal(
    figure(part, "attempts"),
    String(last.passed + last.failed + last.throttled),
  );
  match(part, /Of 2s to 3s\s+alone/);
  const none = await page(`/runs/${ID}?t0=900`);
  equal(
    figure(none, "requests"),
    figure(await page(`/runs/${ID}`), "requests"),
  );
});

Deno.test("run page: a gap in the readings of the agent is said, be it the only one", async () => {
  const note = /Readings are missing where the lines have gaps/;
  const agent = FILES["agent.json"] as { samples: { t_ms: number }[] };
  doesNotMatch(await page(`/runs/${ID}`), note);
  const last = { ...agent.samples.at(-1)!, t_ms: 9_020, ts_ms: 9_020 };
  const samples = [...agent.samples, last];
  const files = { ...FILES, "agent.json": { ...agent, samples } };
  match(await page(`/runs/${ID}`, files), note);
});

Deno.test("run page: readings of the agent are between bounds, of everything in a chart, whichever way they went", async () => {
  const agent = FILES["agent.json"] as { samples: object[] };
  const samples = agent.samples.map((each, i) => ({
    ...each,
    mem_used_bytes: 3_000 - 1_000 * i,
    net_rx_bytes_total: 10,
    net_tx_bytes_total: 2_000 * i,
  }));
  const files = { ...FILES, "agent.json": { ...agent, samples } };
  const text = (await page(`/runs/${ID}`, files)).replaceAll(/<[^>]+>/g, " ");
  match(text, /Memory of the target\s+Between 1000 B and 2 KiB of 3\.9 KiB\./);
  match(text, /without loopback\s+Between 0 B\/s and 2 kB\/s\./);
});

Deno.test("run page: a threshold of a step with a long name may take several lines", async () => {
  const one = "p95(latency) < 5ms";
  const long = `${"step_".repeat(12)}: ${one}`;
  const thresholds = [one, long].map((each) => verdictOf(each, 7, false, 8));
  const text = await page(`/runs/${ID}`, FILES, { ...META, thresholds });
  match(text, /<code >p95\(latency\) &lt; 5ms<\/code>/);
  match(text, /<code class="long">step_/);
});

Deno.test("run page: the part of the time that is shown is said as far as it reaches", async () => {
  const note = async (query: string) => {
    const text = await page(`/runs/${ID}?${query}`);
    const words = text.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
    return /(Shown from|No second)([^.]*)\. Show the whole/.exec(words)?.slice(
      1,
    )
      .join("");
  };
  deepStrictEqual(
    [
      await note("t0=1&t1=900"),
      await note("t1=2"),
      await note("t0=0.5&t1=1.5"),
    ],
    ["Shown from 1s to 3s", "Shown from 0s to 2s", "Shown from 1s to 2s"],
  );
  equal(await note("t0=900"), "No second of the run is in the chosen part");
});

Deno.test("run page: latency can stand on a logarithmic scale, in the address", async () => {
  const even = await page(`/runs/${ID}?t0=0`);
  match(even, /href="\/runs\/[^"]*\?t0=0&amp;scale=log#time"/);
  const log = await page(`/runs/${ID}?t0=0&scale=log`);
  match(log, /href="\/runs\/[^"]*\?t0=0#time"[^>]*>even scale/);
  match(
    log,
    /id="chart-latency"[\s\S]*?<div class="y"[^>]*><span>10ms<\/span><span>1ms<\/span><\/div>/,
  );
});

Deno.test("run page: a killed run says what is missing, and judges nothing", async () => {
  const killed = metaOf({
    status: "interrupted",
    verdict: null,
    ended_at: null,
    abort_reason: "the process ended without finishing the run",
    iterations: {
      started: 9,
      completed: 5,
      passed: 3,
      failed: 2,
      throttled: 0,
    },
  });
  const text = await page(`/runs/${ID}`, {}, killed);
  match(text, /No threshold was judged/);
  match(text, /The time series is not there: the run was killed/);
  match(text, /The steps&#39; figures are not there/);
  ok(
    !/when the run ends|No threshold was set|no samples|export\/csv/.test(text),
  );
  const { steps } = META;
  ok(!/export\/csv/.test(await page(`/runs/${ID}`, {}, { ...killed, steps })));
  match(await page(`/runs/${ID}`, FILES, killed), /export\/csv/);
  const failures = await page(`/runs/${ID}/failures`, {}, killed);
  match(failures, /The causes are not there: the run was killed/);
  match(failures, /Nothing was throttled/);
});

Deno.test("run page: everything that is wrong with a row stands in its line", async () => {
  const failure = {
    step: "pay",
    code: "assertion",
    message: "first check",
    count: 1,
    outcome: "failed" as const,
    key: "first",
  };
  const row = {
    iteration: 0,
    outcome: "failed" as const,
    duration_ms: 9,
    failures: [failure, { ...failure, step: "ship", message: "second check" }],
    other_failures: 2,
  };
  const rows = [row, { ...row, iteration: 1 }];
  const text = await page(`/runs/${ID}`, FILES, { ...META, rows });
  match(text, /first check<\/div><div>ship: second check<\/div>/);
  match(text, /and 2 more failures/);
});

Deno.test("run page: one iteration is shown, and not listed", async () => {
  const rows = [0, 1].map((iteration) => ({
    iteration,
    outcome: "passed" as const,
    duration_ms: 9,
    trace_id: TRACES[iteration]!.trace_id,
    failures: [],
  }));
  const one = await page(`/runs/${ID}`, FILES, { ...META, rows: [rows[0]!] });
  match(one, /id="waterfall"/);
  ok(!/id="(?:rows|slowest)"/.test(one));
  const two = await page(`/runs/${ID}`, FILES, { ...META, rows });
  ok(!/id="waterfall"/.test(two));
  match(two, /id="rows"/);
  // The rows say how long each took.
  ok(!/id="slowest"/.test(two));
});

Deno.test("run page: what stopped a run is said once", async () => {
  const stopped = metaOf({
    verdict: "fail",
    abort_reason: "`setup` did not pass",
    reason: { text: "`setup` did not pass" },
  });
  const text = await page(`/runs/${ID}`, {}, stopped);
  equal(text.split("<code>setup</code> did not pass").length, 2);
  const failed = "step `b` did not pass; 1 × b: response status was 500";
  const behind = await page(`/runs/${ID}`, {}, {
    ...stopped,
    abort_reason: "step `b` did not pass",
    reason: { text: failed },
  });
  equal(behind.split("<code>b</code> did not pass").length, 2);
  match(behind, /<p>1 × b: response status was 500<\/p>/);
});

Deno.test("run page: names in backticks are code, and what a target sent stays as it is", async () => {
  const abort_reason = "`setup` did not pass: $.name is the string a`b";
  const stopped = metaOf({ verdict: "fail", abort_reason });
  const text = await page(`/runs/${ID}`, {}, stopped);
  ok(
    text.includes(
      "<code>setup</code> did not pass: $.name is the string a`b",
    ),
  );
});

Deno.test("run page: a verdict over a run that passed has its own sign, and no green box around a worse one", async () => {
  const judged = (verdict: "same" | "worse" | "unclear") =>
    page(
      `/runs/${ID}`,
      {},
      metaOf({
        verdict: "pass",
        judged: [{
          kind: "duel",
          verdict,
          text: `B is ${verdict}`,
          runs: [ID],
        }],
      }),
    );
  const banner = /class="banner (\w+)"/;
  const sign =
    /class="verdict (\w+)"><span aria-hidden="true">(.)<\/span> DUEL/;
  for (
    const [verdict, ...expected] of [
      ["same", "pass", "pass", "✓"],
      ["worse", "mixed", "fail", "✗"],
      ["unclear", "pass", "stopped", "?"],
    ] as const
  ) {
    const text = await judged(verdict);
    const found = [banner.exec(text)![1], ...sign.exec(text)!.slice(1, 3)];
    deepStrictEqual(found, expected, verdict);
  }
});

Deno.test("run page: a second is no map and no line", async () => {
  const series = FILES["series.json"] as { points: unknown[] };
  const points = series.points.slice(0, 1);
  const short = { ...FILES, "series.json": { ...series, points } };
  const text = await page(`/runs/${ID}`, short);
  match(text, /Too short for a time series/);
  ok(!/id="heat"/.test(text));
  match(await page(`/runs/${ID}`), /id="heat"/);
});

Deno.test("run page: a chosen part without a second of the run is not called a short run", async () => {
  const text = await page(`/runs/${ID}?t0=90&t1=99`);
  match(text, /No second of the run is in the chosen part\./);
  ok(!text.includes("Too short for a time series"));
});

Deno.test("pages of a run of little more than a second draw no line through what is left of it", async () => {
  const series = FILES["series.json"] as { points: unknown[] };
  const points = series.points.slice(0, 2);
  const files = { ...FILES, "series.json": { ...series, points } };
  const iterations = { ...META.iterations, completed: 2, failed: 2 };
  const lasted = (ms: number) => ({ ...META, iterations, duration_ms: ms });
  const lines = /id="chart-(load|latency|steps|failures)/;
  for (const path of [`/runs/${ID}`, `/runs/${ID}/failures`]) {
    doesNotMatch(await page(path, files, lasted(1_020)), lines);
    match(await page(path, files, lasted(2_000)), lines);
  }
});

Deno.test("flow page: of more targets than there are colours, those that ran last are drawn, and it says so", async () => {
  const wordsOf = async (count: number) => {
    using folder = workspace({});
    // The first target runs once more in the end.
    for (const [hour, target] of [...Array(count).keys(), 0].entries()) {
      const at = String(hour + 10);
      putRun(
        folder.path,
        metaOf({
          id: `20261119T${at}0000Z-checkout-0000aa`,
          started_at: `2026-11-19T${at}:00:00.000Z`,
          target: `place-${target}`,
          iterations: { ...META.iterations, completed: 50 },
          latency: { min: 1, avg: 2, p50: 2, p90: 4, p95: 5, p99: 8, max: 9 },
        }),
      );
    }
    const text = await (await asker(folder.path)("/flows/checkout")).text();
    const [p95] = /id="trend-p95"[\s\S]*?<\/figure>/.exec(text)!;
    return { text, places: new Set(p95.match(/place-\d/g)) };
  };
  const all = await wordsOf(6);
  equal(all.places.size, 6);
  ok(!/targets that ran last/.test(all.text));
  const some = await wordsOf(8);
  deepStrictEqual([...some.places].sort(), [
    ...["place-0", "place-3", "place-4"],
    ...["place-5", "place-6", "place-7"],
  ]);
  match(some.text, /The 6 targets that ran last; the runs of the others/);
});

Deno.test("flow page: no label stands twice, what stays is said to, and axes fit", async () => {
  using folder = workspace({});
  const runs = [
    ["19", { target: "staging" }],
    ["20", { target: "staging" }],
    ["21", { target: "production" }],
    ["22", { status: "interrupted", verdict: null }],
  ] as const;
  for (const [day, more] of runs) {
    const id = `202611${day}T180211Z-checkout-0000aa`;
    const started_at = `2026-11-${day}T18:02:11.000Z`;
    const latency = {
      min: 1,
      avg: 2,
      p50: 2,
      p90: 4,
      p95: 5,
      p99: 8,
      max: 9,
    };
    putRun(
      folder.path,
      metaOf({
        ...{ id, started_at, latency, ...more },
        iterations: { ...META.iterations, completed: 50 },
        error_rate: 0.02,
      }),
    );
  }
  const text = await (await asker(folder.path)("/flows/checkout")).text();
  match(text, /staging: 5ms in all 2 runs\. production: 5ms in one run\./);
  const labels = /class="x"[^>]*>([\s\S]*?)<\/div>/.exec(text)![1]!
    .match(/\d\d-\d\d \d\d:\d\dZ/g);
  deepStrictEqual(labels, ["11-19 18:02Z", "11-20 18:02Z", "11-21 18:02Z"]);
  // A line a target; the run that was interrupted is none of them.
  const [p95] = /id="trend-p95"[\s\S]*?<\/figure>/.exec(text)!;
  deepStrictEqual(
    [...p95.matchAll(/class="line c\d"[^>]*><\/path>/g)].length,
    4,
  );
  match(p95, /staging[\s\S]*production/);
  // Its axis goes no further than the shares do.
  match(text, /id="trend-error"[\s\S]*?<div class="y"[^>]*><span>2%</);
});

Deno.test("one VU and one iteration are said as one", async () => {
  const meta = {
    ...{ ...META, vus: 1 },
    iterations: { ...META.iterations, started: 1, completed: 1 },
  };
  match(await page(`/runs/${ID}/config`, FILES, meta), />1 VU</);
  match(
    await page(`/runs/${ID}/flame`, FILES, meta),
    /Made of the one iteration\./,
  );
});

Deno.test("flame page: of chosen traces, with what is looked for", async () => {
  const all = await page(`/runs/${ID}/flame`);
  match(all, /Made of all|random sample of 3 of/);
  const failed = await page(`/runs/${ID}/flame?outcome=failed&find=HTTP`);
  match(failed, /Made of the\s*1 kept trace\s*that fit\. .*no averages/);
  match(failed, /<code>http<\/code> takes [\d.]+% of the time shown/);
  match(failed, /class="dim"/);
  ok(!failed.includes("login"), "login is in a trace that passed");
  // A box that is opened keeps the filter.
  match(
    failed,
    /href="[^"]*\/flame\?outcome=failed&amp;find=HTTP&amp;at=slow"/,
  );
  match(failed, /href="[^"]*export\/speedscope\?outcome=failed"/);
});

Deno.test("trace page: previous and next stay in the list it was found in", async () => {
  const [, failed] = TRACES;
  const at = `/runs/${ID}/traces/${failed!.trace_id}`;
  const pager = async (search: string) =>
    /<nav class="pager"[\s\S]*?<\/nav>/.exec(await page(at + search))![0];
  match(await pager(""), /3 of[\s\S]*3 kept, by time/);
  match(await pager("?outcome=failed"), /1 of[\s\S]*1 that fit/);
  const slowest = await pager("?sort=-duration");
  match(slowest, /1 of[\s\S]*href="[^"]*\?sort=-duration">next/);
  // An address that does not fit the trace is no dead end.
  match(await pager("?outcome=passed"), /3 of[\s\S]*3 kept, by time/);
});

Deno.test("flame API: the same choice of traces", async () => {
  const read = async (search: string) =>
    JSON.parse(await page(`/api/v1/runs/${ID}/flame${search}`));
  const all = await read("");
  deepStrictEqual([all.traces, all.spans], [3, 22]);
  const failed = await read("?outcome=failed&at=slow");
  deepStrictEqual([failed.traces, failed.spans], [1, 6]);
  equal(failed.boxes[0].name, "slow");
});

Deno.test("tables: every cell knows its column, for narrow screens", async () => {
  const text = await page("/");
  const row = /<tbody>([\s\S]*?)<\/tbody>/.exec(text)![1]!;
  const cells = row.match(/<t[dh]\b[^>]*>/g)!;
  ok(cells.length > 10);
  ok(cells.every((cell) => cell.includes("data-label")), cells.join("\n"));
  match(row, /class="[^"]*\bnone\b[^"]*"\s+data-label="knee"/);
});
