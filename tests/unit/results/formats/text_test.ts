import assert from "node:assert/strict";
import { stripVTControlCharacters } from "node:util";
import { Page } from "../../../../lib/results/formats/page.ts";
import { shareText } from "../../../../lib/results/report/figures.ts";
import { renderSummary } from "../../../../lib/results/formats/text.ts";
import type { RunMeta } from "../../../../lib/model/result/run.ts";
import { rateText } from "../../../../viewer/model/words.ts";
import { CASES, RUN_DIR } from "./summary_cases.ts";

const GOLDEN = new URL("../../../golden/summary/", import.meta.url);
const DEFAULTS = { color: false, width: 80, runDir: RUN_DIR };
const { meta: PASS } = CASES["pass"]!;
const SUMMARIES: typeof CASES = {
  ...CASES,
  pass_wide_colour: { meta: PASS, options: { color: true, width: 140 } },
  narrow: { meta: PASS, options: { width: 48 } },
};

/*
 * To accept changed summaries, and then read the diff:
 * deno test -A tests/unit/results/formats/text_test.ts -- --update
 */
for (const [name, { meta, options }] of Object.entries(SUMMARIES)) {
  Deno.test(`renderSummary of ${name} is the golden text`, async () => {
    const file = new URL(`${name}.txt`, GOLDEN);
    const actual = renderSummary(meta, { ...DEFAULTS, ...options });
    if (Deno.args.includes("--update")) await Deno.writeTextFile(file, actual);
    assert.equal(actual, await Deno.readTextFile(file));
  });
}

Deno.test("renderSummary counts the row that a program asked for from 1, as the rows it lists", () => {
  const { meta } = CASES["fail_with_rows"]!;
  const text = renderSummary({ ...meta, options: { row: 1 } }, DEFAULTS);
  assert.match(text, /^ {2}driven by {2}row 2$/m);
});

Deno.test("renderSummary and the page write a rate alike", () => {
  const { meta } = CASES["pass"]!;
  for (const requests of [3, 412, 48_541, 123_456]) {
    const run = { ...meta, requests, duration_ms: 10_000 };
    const rate = rateText(requests / 10);
    assert.equal(
      / {2}(\S+) requests\/s/.exec(renderSummary(run, DEFAULTS))?.[1],
      rate.replace("/s", ""),
    );
  }
});

Deno.test("renderSummary keeps its columns under each other beside wide letters", () => {
  const { meta } = CASES["pass"]!;
  // Letters of two columns, of one, and of one and none.
  const steps = ["検索する", "ab", "e\u0301"].map((id) => ({
    ...meta.steps[0]!,
    id,
  }));
  const thresholds = steps.map(({ id }) => ({
    ...meta.thresholds[0]!,
    expression: `${id}: p95(latency) < 1s`,
  }));
  const lines = renderSummary({ ...meta, steps, thresholds }, DEFAULTS)
    .split("\n").filter((line) => /検索する|ab|\u0301/.test(line));
  const shown = lines.map((line) =>
    line.replace("検索する", "12345678").replace("\u0301", "")
  );
  const [limits, rows] = [shown.slice(0, 3), shown.slice(-3)];
  for (const [which, part] of [[limits, "ms ("], [rows, "ms"]] as const) {
    const ends = which.map((line) => line.indexOf(part));
    assert.ok(ends[0]! > 0);
    assert.deepEqual(ends, [ends[0], ends[0], ends[0]]);
  }
});

Deno.test("renderSummary shortens long step ids so that no two look the same", () => {
  const { meta } = CASES["pass"]!;
  const path = "getCustomersCustomerIdOrdersOrderId";
  const alike = `${"x".repeat(40)}%${"y".repeat(40)}`;
  const ids = [
    ...[`${path}Items`, `${path}Lines`, `update${"X".repeat(60)}`],
    ...[alike.replace("%", "1"), alike.replace("%", "2")],
  ];
  const steps = ids.map((id) => ({ ...meta.steps[0]!, id }));
  const flows = ids.map((name) => ({
    ...{ name, weight: 1, throttle_rate: 0, error_rate: 0, thresholds: [] },
    iterations: meta.iterations,
    iteration_time: meta.latency,
    latency: meta.latency,
  }));
  const text = renderSummary({ ...meta, steps, flows }, DEFAULTS);
  const rows = [...text.matchAll(/^ {4}(\S{30,}) /gm)].map(([, id]) => id);
  const shown = [
    ...["getCustomersCus…dersOrderIdItems", "getCustomersCus…dersOrderIdLines"],
    `update${"X".repeat(25)}…`,
    ...ids.slice(3),
  ];
  assert.deepEqual(rows, [...shown, ...shown]);
});

Deno.test("renderSummary says the same without colour", () => {
  for (const { meta, options } of Object.values(SUMMARIES)) {
    const all = { ...DEFAULTS, ...options };
    assert.equal(
      stripVTControlCharacters(renderSummary(meta, { ...all, color: true })),
      renderSummary(meta, { ...all, color: false }),
    );
  }
});

Deno.test("renderSummary keeps to 80 columns, but for what must not be broken", () => {
  for (const { meta } of Object.values(CASES)) {
    for (const line of renderSummary(meta, DEFAULTS).split("\n")) {
      if (line.startsWith("knee_point_found:")) continue;
      assert.ok(stripVTControlCharacters(line).length <= 80, line);
    }
  }
});

Deno.test("renderSummary cuts a long line of the flow around what failed, and points at it", () => {
  const { meta } = CASES["fail_with_rows"]!;
  const [failure] = meta.failures;
  const { file, line, column } = failure!;
  const written = `${" ".repeat(4)}assert: [${"$.a == 1, ".repeat(60)}x]`;
  const sources = new Map([[file!, "\n".repeat(line! - 1) + written]]);
  const text = renderSummary(meta, { ...DEFAULTS, sources });
  const [, frame, carets] = /\n +\d+ \| (.*)\n +\| (.*)\n/.exec(text)!;
  assert.ok(frame!.length <= 102, frame!);
  assert.ok(frame!.endsWith("…"));
  assert.equal(
    frame!.slice(carets!.indexOf("^")).slice(0, 8),
    written.slice(column! - 1).slice(0, 8),
  );
});

Deno.test("renderSummary prints the knee on one line, verbatim", () => {
  const { meta } = CASES["knee"]!;
  const text = renderSummary(meta, { ...DEFAULTS, width: 40 });
  assert.ok(
    text.includes(`\nknee_point_found: degraded: ${meta.knee!.detail}\n`),
  );
});

Deno.test("renderSummary has the findings that its figures do not show", () => {
  const { meta } = CASES["pass"]!;
  const found = (name: "drift" | "one_step") => ({
    name,
    seen: `${name} was seen.`,
    why: "",
    hint: "",
  });
  const findings = [found("drift"), found("one_step")];
  const text = renderSummary({ ...meta, findings }, DEFAULTS);
  assert.match(text, /\n {2}! drift was seen\.\n/);
  assert.ok(!text.includes("one_step"));
});

Deno.test("renderSummary has p99.9 where there are samples for it, and with --verbose the phases", () => {
  const { meta } = CASES["pass"]!;
  const phase = { count: 1_204, avg: 2, p50: 1.5, p95: 4, p99: 6, max: 9 };
  const far = {
    ...meta,
    latency: { ...meta.latency, "p99.9": 390 } as RunMeta["latency"],
    latency_intervals: { ...meta.latency_intervals!, samples: 6_636 },
    steps: meta.steps.map((step) => ({
      ...step,
      phases: { connect: { ...phase, count: 10 }, ttfb: phase },
    })),
  };
  assert.match(
    renderSummary(far, DEFAULTS).replaceAll(/\n +/g, "  "),
    /p99 \S+ {2}p99.9 390ms {2}max /,
  );
  assert.doesNotMatch(renderSummary(far, DEFAULTS), /phases/);
  const verbose = renderSummary(far, { ...DEFAULTS, verbose: true });
  const lines = verbose.slice(verbose.indexOf("  phases")).split("\n");
  assert.match(lines[0]!, /^ {2}phases +count +avg +p50 +p95 +p99 +max$/);
  assert.match(lines[1]!, /^ {4}\w+ +connect +10 +2ms +1.5ms/);
  assert.match(lines[2]!, /^ +ttfb +1,204 +2ms/);
  assert.equal(lines[0]!.length, lines[1]!.length);
});

Deno.test("Page.table: one long name moves its own row, and no other", () => {
  const page = new Page(80, false);
  const long = "x".repeat(60);
  page.table(
    ["run", "verdict", "reason"],
    [["a", "held", "r".repeat(20)], [long, "held", ""], ["bc", "held", ""]],
    [0, 1, 2],
  );
  assert.deepEqual(page.text().split("\n").map((line) => line.slice(0, 80)), [
    "    run  verdict  reason",
    `    a    held     ${"r".repeat(20)}`,
    `    ${long}  held`,
    "    bc   held",
    "",
  ]);
});

Deno.test("Page.prose shows what a terminal would obey or leave out", () => {
  const page = new Page(80, false);
  page.prose("a\x1b[31mb\x1b]0;title\x07c\r\n\u202ed\u0000", "  ");
  page.prose("not\u00a0the\u200b same", "  ");
  assert.equal(
    page.text(),
    "  a\\u{1b}[31mb\\u{1b}]0;title\\u{7}c\\r\\n\\u{202e}d\\u{0}\n" +
      "  not\\u{a0}the\\u{200b} same\n",
  );
});

Deno.test("Page.flow never breaks a part", () => {
  const page = new Page(10, false);
  page.flow(["aaaa", "bbbb", "cccccccccccccc", "d"], " ");
  assert.equal(page.text(), " aaaa\n bbbb\n cccccccccccccc\n d\n");
});

const SHARES = [
  [0, "0%"],
  [1, "100%"],
  [0.0341, "3.41%"],
  [0.00001, "<0.01%"],
  [0.99999, ">99.99%"],
] as const;

for (const [share, text] of SHARES) {
  Deno.test(`shareText of ${share} is ${text}`, () =>
    assert.equal(shareText(share), text));
}

Deno.test("renderSummary: the command that shows the run is one that a shell takes", () => {
  const { meta } = Object.values(CASES)[0]!;
  const stores = {
    "a b": "'a b'",
    "it's": "'it'\\''s'",
    "~x": "'~x'",
    "ü/1": "ü/1",
  };
  for (const [store, word] of Object.entries(stores)) {
    const text = renderSummary(meta, { ...DEFAULTS, runDir: `${store}/id` });
    assert.ok(text.includes(`\n  view bench serve --store ${word}\n`), text);
  }
});
