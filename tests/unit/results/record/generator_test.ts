import { deepStrictEqual, equal, ok } from "node:assert/strict";
import {
  generatorFigures,
  GeneratorRecorder,
  generatorSeconds,
  mergeGenerators,
} from "../../../../lib/results/record/generator.ts";

const EVERY = 20;
const COST = {
  durationMs: 2_000,
  threads: 2,
  cpuSeconds: [0.5],
  cpuTotal: 1,
  unserved: 3,
};

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
  return generatorFigures(recorder.data(), COST).loop_lag_p99_ms;
}

Deno.test("the generator's lag: one hiccup of a few seconds' run is not its p99", () => {
  equal(lagP99(8, [60]), 0);
});

Deno.test("the generator's lag: a standstill counts for as long as it lasted", () => {
  // One timer of 450, and still a quarter of the time.
  ok(lagP99(12, [3_000]) > 2_500);
});

Deno.test("the generator's lag: timers that are always late are reported", () => {
  ok(Math.abs(lagP99(2, Array(100).fill(60)) - 60) < 1);
});

Deno.test("the generator's lateness: of few slots a single late one is not its p99, two are", () => {
  const lateP99 = (count: number, late: number) => {
    const recorder = new GeneratorRecorder(0);
    for (let slot = 0; slot < count; slot++) {
      recorder.late(slot < late ? 40 : 0);
    }
    return generatorFigures(recorder.data(), COST).late_p99_ms;
  };
  for (const count of [2, 3, 10, 99, 100]) {
    equal(lateP99(count, 1), 0, `${count}`);
    ok(lateP99(count, 2) > 39, `${count}`);
  }
  ok(lateP99(1, 1) > 39);
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

Deno.test("generatorFigures and generatorSeconds give shares of all threads", () => {
  const recorder = new GeneratorRecorder(0);
  recorder.late(12);
  recorder.held(250);
  recorder.waitedForCore(400);
  recorder.loopLag(3, 900, EVERY);
  const data = mergeGenerators([
    recorder.data(),
    new GeneratorRecorder(0).data(),
  ]);
  deepStrictEqual(generatorFigures(data, COST), {
    cpu_share: 0.25,
    core_wait_share: 0.1,
    cores: null,
    loop_lag_p99_ms: 3,
    late_p50_ms: 12,
    late_p99_ms: 12,
    unserved_slots: 3,
    held_requests: 1,
    held_ms: 250,
  });
  deepStrictEqual(generatorSeconds(data, COST), [{
    cpu_share: 0.25,
    core_wait_share: 0.2,
    loop_lag_ms: 3,
    lateness_ms: 12,
  }]);
  // The run ended before the second that follows did.
  recorder.loopLag(5, 1_020, EVERY);
  deepStrictEqual(
    generatorSeconds(mergeGenerators([recorder.data()]), COST)[1],
    {
      loop_lag_ms: 5,
      lateness_ms: 0,
    },
  );
});
