import { deepStrictEqual, ok } from "node:assert/strict";
import { parseThreshold } from "../../../../lib/language/expressions/threshold.ts";
import { findKnee } from "../../../../lib/results/knee/knee.ts";
import type { AgentSample } from "../../../../lib/model/result/agent.ts";
import type { SecondPoint } from "../../../../lib/model/result/series.ts";
import type { Distribution } from "../../../../lib/model/metrics.ts";

/*
 * Runs of the flows in `examples/stress/` against the demo target on a machine
 * of two cores, as `series.json` and `agent.json` had them; two of them while
 * other programs kept that machine busy. `busy_before_its_limiter`,
 * `one_thread_of_two_cores` and `single_bad_windows` are runs against a server whose
 * machine is made up: its readings are what its responses are said to cost.
 */

const RECORDED = new URL("../../../vectors/knee/", import.meta.url);

interface Recorded {
  readonly threshold: string;
  readonly class: string;
  readonly vus: number | null;
  readonly at_ms: number | null;
  readonly points: readonly (
    & Pick<
      SecondPoint,
      "t" | "vus" | "started" | "completed" | "max" | "buckets"
    >
    & {
      readonly iterations_failed: number;
      readonly iterations_throttled: number;
      readonly bytes_received: number;
    }
  )[];
  readonly samples: readonly AgentSample[];
}

/** By the coarse buckets, as finer ones are not stored. */
function latencyOf(
  seconds: readonly Pick<SecondPoint, "buckets" | "max">[],
): Distribution {
  const values = seconds.flatMap(({ buckets }) => buckets)
    .flatMap(([bucket, count]): number[] =>
      Array(count).fill(0.01 * 2 ** ((bucket + 0.5) / 4))
    ).toSorted((a, b) => a - b);
  const count = values.length;
  return {
    count,
    min: values[0] ?? 0,
    avg: values.reduce((sum, each) => sum + each, 0) / Math.max(1, count),
    max: Math.max(0, ...seconds.map((each) => each.max ?? 0)),
    percentile: (p) => values[Math.max(0, Math.ceil(p / 100 * count) - 1)] ?? 0,
  };
}

const names = [...Deno.readDirSync(RECORDED)].map(({ name }) => name).sort();

Deno.test("findKnee: there are recordings of all classes", () => {
  const classes = names.map((name) => read(name).class);
  deepStrictEqual([...new Set(classes)].sort(), [
    "degraded",
    "inconclusive",
    "throttled",
  ]);
});

for (const name of names) {
  Deno.test(`findKnee: the recorded run ${name} gives what it gave`, () => {
    const { threshold, points, samples, ...expected } = read(name);
    const knee = findKnee({
      breached: [parseThreshold(threshold)],
      seconds: points,
      latencyOf,
      samples,
    });
    ok(knee);
    deepStrictEqual(
      { class: knee.class, vus: knee.vus, at_ms: knee.at_ms },
      expected,
    );
  });
}

function read(name: string): Recorded {
  return JSON.parse(Deno.readTextFileSync(new URL(name, RECORDED)));
}
