import { deepStrictEqual, equal, ok } from "node:assert/strict";
import {
  GeneratorRecorder,
  mergeGenerators,
} from "../../../../lib/results/record/generator.ts";

const EVERY = 20;

/** The p99 of a run in which these timers were late and all others on time. */
function lagP99(seconds: number, late: readonly number[]): number {
  const recorder = new GeneratorRecorder(0);
  let at = 0;
  const left = [...late];
  while (at < seconds * 1_000) {
    const ms = left.shift() ?? 0;
    at += EVERY + ms;
    recorder.loopLag(ms, at, EVERY);
  }
  return mergeGenerators([recorder.data()]).loopLagP99;
}

Deno.test("the generator's lag: one hiccup of a few seconds' run is not its p99", () => {
  equal(lagP99(8, [60]), 0);
});

Deno.test("the generator's lag: a standstill counts for as long as it lasted", () => {
  // One timer of 450, and still a quarter of the time.
  ok(lagP99(12, [3_000]) > 2_500);
});

Deno.test("the generator's lag: timers that are always late are told", () => {
  ok(Math.abs(lagP99(2, Array(100).fill(60)) - 60) < 1);
});

Deno.test("mergeGenerators adds up what threads waited for a core, second by second", () => {
  const thread = (waits: readonly number[]) => {
    const recorder = new GeneratorRecorder(0);
    waits.forEach((ms, second) => {
      recorder.waitedForCore(ms);
      recorder.loopLag(0, second * 1_000 + 900, EVERY);
    });
    return recorder.data();
  };
  const { coreWaitMs, seconds } = mergeGenerators([
    thread([100, 200]),
    thread([50, 0]),
  ]);
  equal(coreWaitMs, 350);
  deepStrictEqual(seconds.map(({ coreWait }) => coreWait), [350, 0]);
  equal(
    mergeGenerators([new GeneratorRecorder(0).data()]).coreWaitMs,
    undefined,
  );
});
