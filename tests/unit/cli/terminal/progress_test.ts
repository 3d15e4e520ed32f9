import { deepStrictEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import type { Console } from "../../../../cli/terminal/console.ts";
import { progressView } from "../../../../cli/terminal/progress.ts";
import type { RunProgress } from "../../../../lib/run.ts";

const PROGRESS: RunProgress = {
  lateMs: 0,
  elapsedMs: 3_100,
  done: 0.375,
  iterations: {
    started: 307,
    completed: 304,
    passed: 304,
    failed: 0,
    throttled: 12,
    interrupted: 0,
  },
  requests: 608,
  perSecond: 210.4,
  p95Ms: 1.93,
  vus: 7,
};

/** What a view of `progress` writes to a terminal this wide. */
function shown(progress: RunProgress, liveWidth: number, live = true): string {
  let text = "";
  const console: Console = {
    out: () => {},
    print: () => {},
    command: () => {},
    err: (said) => text += said,
    live,
    liveWidth,
    width: 80,
    outColor: false,
    errColor: false,
  };
  progressView(console).update(progress);
  return text.replace("\r\x1b[2K", "");
}

Deno.test("progress: a narrow terminal takes the bar and then whole figures", () => {
  deepStrictEqual(
    [100, 90, 80, 60, 20, 3].map((columns) => shown(PROGRESS, columns)),
    [
      "[======          ]  37%  3s  304 iterations  210 req/s  p95 1.93ms  0 failed  12 throttled  7 VUs",
      "[===     ]  37%  3s  304 iterations  210 req/s  p95 1.93ms  0 failed  12 throttled  7 VUs",
      "37%  3s  304 iterations  210 req/s  p95 1.93ms  0 failed  12 throttled  7 VUs",
      "3s  304 iterations  210 req/s  p95 1.93ms  0 failed",
      "3s  304 iterations",
      "3s",
    ],
  );
});

Deno.test("progress: a line never reaches the terminal's last column", () => {
  fc.assert(fc.property(
    fc.integer({ min: 1, max: 200 }),
    fc.nat(1_000_000),
    (width, completed) => {
      const iterations = { ...PROGRESS.iterations, completed };
      ok(shown({ ...PROGRESS, iterations }, width).length < width);
    },
  ));
});

Deno.test("progress: until a second is whole there is no rate, and no zero in its place", () => {
  const early = { ...PROGRESS, perSecond: undefined, p95Ms: 0 };
  const line = shown(early, 100);
  ok(!line.includes("req/s"), line);
  ok(line.endsWith("7 VUs"), line);
});

Deno.test("progress: what is no live terminal gets plain lines, and few", () => {
  equal(shown(PROGRESS, 80, false), "");
  const later = { ...PROGRESS, elapsedMs: 10_000 };
  equal(
    shown(later, 80, false),
    "10s  304 iterations  210 req/s  p95 1.93ms  0 failed  12 throttled  7 VUs\n",
  );
});

Deno.test("progress: every count has its thousands apart", () => {
  const counts = { completed: 15_237, failed: 14_237, throttled: 1_000 };
  const iterations = { ...PROGRESS.iterations, ...counts };
  const line = shown({ ...PROGRESS, iterations, perSecond: 48_541.2 }, 140);
  ok(
    line.endsWith(
      "15,237 iterations  48,541 req/s  p95 1.93ms  14,237 failed  1,000 throttled  7 VUs",
    ),
    line,
  );
});
