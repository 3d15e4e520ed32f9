import assert from "node:assert/strict";
import {
  classifyWindow,
  signalOf,
} from "../../../../lib/results/knee/class.ts";
import {
  from12,
  kneeOf,
  machine,
  type MachineFacts,
  ramp,
  type SecondFacts,
  SLOW_FROM_12,
} from "./knee_series.ts";

const THROTTLED_FROM_12: (t: number) => SecondFacts = (t) =>
  t >= 12 ? { throttled: (t + 1) * 4 } : {};

const CLASSES: readonly [
  rule: string,
  run: (t: number) => SecondFacts,
  machine: ((t: number) => MachineFacts) | undefined,
  verdict: string,
  reason: RegExp,
][] = [
  [
    "CPU that climbs with the break is degraded",
    SLOW_FROM_12,
    from12({ cpu: 0.7 }),
    "degraded",
    /CPU climbed by 60 points$/,
  ],
  [
    "CPU that goes on rising into the break is degraded",
    SLOW_FROM_12,
    (t) => ({ cpu: 0.1 + 0.04 * t }),
    "degraded",
    /CPU climbed by 56 points$/,
  ],
  [
    "CPU that was used up before the break is degraded",
    SLOW_FROM_12,
    (t) => ({ cpu: Math.min(0.9, 0.1 + 0.2 * t) }),
    "degraded",
    /CPU climbed by 80 points$/,
  ],
  [
    "CPU that was high from the start is flat",
    SLOW_FROM_12,
    () => ({ cpu: 0.85 }),
    "inconclusive",
    /neither the machine's use nor throttle_rate rose with it; CPU was at 85% as the ramp began$/,
  ],
  [
    "CPU that stood still before the break did not climb with it",
    SLOW_FROM_12,
    (t) => ({ cpu: Math.min(0.7, 0.1 + 0.2 * t) }),
    "inconclusive",
    /CPU 10% -> 70% -> 70% \(1\.4 of 2 cores\), .* rose with it$/,
  ],
  [
    "one of two cores is a thread at its end",
    SLOW_FROM_12,
    (t) => ({ cpu: Math.min(0.5, 0.1 + 0.1 * t) }),
    "inconclusive",
    /CPU 10% -> 50% -> 50% \(1\.0 of 2 cores\), .*; one of 2 cores was busy: single-threaded\?$/,
  ],
  [
    "a load that has not caught up explains nothing",
    SLOW_FROM_12,
    (t) => ({ load: 0.1 + 0.05 * t }),
    "inconclusive",
    /neither/,
  ],
  [
    "memory that climbs by exactly a fifth is degraded",
    SLOW_FROM_12,
    from12({ memory: 0.5 }),
    "degraded",
    /memory climbed by 20 points$/,
  ],
  [
    "load that climbs is degraded",
    SLOW_FROM_12,
    from12({ load: 0.9 }),
    "degraded",
    /load climbed by 80 points$/,
  ],
  [
    "a climb that is too small explains nothing",
    SLOW_FROM_12,
    from12({ cpu: 0.29, memory: 0.49, load: 0.29 }),
    "inconclusive",
    /neither/,
  ],
  [
    "throttles that rise on a flat machine are throttled",
    THROTTLED_FROM_12,
    from12({}),
    "throttled",
    /throttle_rate rose by 40 points while CPU, memory and load stayed flat$/,
  ],
  [
    "a target that was busy before its limiter is throttled",
    THROTTLED_FROM_12,
    (t) => ({ cpu: Math.min(0.6, 0.1 + 0.06 * t), load: 0.1 + 0.03 * t }),
    "throttled",
    /throttle_rate rose by 40 points while CPU, memory and load stayed flat$/,
  ],
  [
    "use that is high but flat does not stand in the way of throttled",
    THROTTLED_FROM_12,
    () => ({ cpu: 0.95, memory: 0.95, load: 2 }),
    "throttled",
    /throttle_rate rose by 40 points/,
  ],
  [
    "throttles together with CPU are mixed",
    THROTTLED_FROM_12,
    from12({ cpu: 0.6 }),
    "inconclusive",
    /mixed signals: CPU climbed by 50 points, and throttle_rate rose by 40 points$/,
  ],
  [
    "without an agent it is unknown",
    THROTTLED_FROM_12,
    undefined,
    "inconclusive",
    /no agent was attached$/,
  ],
];

for (const [rule, run, facts, verdict, reason] of CLASSES) {
  Deno.test(`findKnee: ${rule}`, () => {
    const knee = kneeOf(
      ramp(20, run),
      facts ? machine(20, facts) : [],
      ["p95(latency) < 100ms", "throttle_rate < 10%"],
    );
    assert.equal(knee.class, verdict);
    assert.match(knee.detail, reason);
    assert.deepEqual([knee.vus, knee.at_ms], [13, 12_000]);
  });
}

Deno.test("findKnee: throttles count from a rise of five points on", () => {
  for (const [throttled, expected] of [[5, "throttled"], [4, "inconclusive"]]) {
    const knee = kneeOf(
      ramp(20, (t) => ({
        completed: 100,
        ...(t >= 12 && { throttled: Number(throttled) }),
      })),
      machine(20, () => ({})),
      ["throttle_rate < 3%"],
    );
    assert.equal(knee.class, expected);
  }
});

Deno.test("findKnee: a long ramp is judged by what moved over its edges", () => {
  const breaksAt = 200;
  const slow = ramp(
    240,
    (t) => t >= breaksAt ? { latency: 300, throttled: 400 } : {},
  );
  const noise = (t: number) => 0.02 * Math.sin(t * 7);
  const rising = kneeOf(
    slow.map((each) => ({ ...each, iterations_throttled: 0 })),
    machine(240, (t) => ({ cpu: 0.1 + 0.0025 * t + noise(t) })),
  );
  assert.equal(rising.class, "degraded", rising.detail);
  const limited = kneeOf(
    slow,
    machine(240, (t) => ({ cpu: Math.min(0.55, 0.1 + 0.0025 * t) + noise(t) })),
    ["throttle_rate < 10%"],
  );
  assert.equal(limited.class, "throttled", limited.detail);
});

Deno.test("findKnee: a run that was breached from the start has nothing to compare with", () => {
  for (const cpu of [0.2, 0.95]) {
    const slow = ramp(5, () => ({ latency: 400 }));
    const knee = kneeOf(slow, machine(5, () => ({ cpu })));
    assert.deepEqual([knee.class, knee.vus], ["inconclusive", 1]);
    assert.match(
      knee.detail,
      /; it was breached from the start, so there is nothing to compare with$/,
    );
  }
});

Deno.test("findKnee: an agent that died before the break explains nothing", () => {
  const samples = machine(20, from12({ cpu: 0.9 })).slice(0, 8);
  const knee = kneeOf(ramp(20, SLOW_FROM_12), samples);
  assert.equal(knee.class, "inconclusive");
  assert.match(knee.detail, /CPU 10% -> not read, memory/);
  assert.match(knee.detail, /the agent gave no CPU reading/);
});

Deno.test("findKnee: throttles are not called throttled while the CPU is unknown", () => {
  const samples = machine(20, () => ({})).map((each) => ({
    ...each,
    cpu_seconds_total: null,
  }));
  const knee = kneeOf(ramp(20, THROTTLED_FROM_12), samples, [
    "throttle_rate < 10%",
  ]);
  assert.equal(knee.class, "inconclusive");
});

Deno.test("findKnee: what happened long after the break explains it as little", () => {
  const late = (t: number) => t >= 18 ? { cpu: 1 } : {};
  const knee = kneeOf(ramp(40, SLOW_FROM_12), machine(40, late));
  assert.match(knee.detail, /neither/);
});

/** A figure at three moments, ten seconds apart. */
const course = (first: number, before: number, broken: number) => ({
  first: { value: first, atMs: 0 },
  before: { value: before, atMs: 10_000 },
  broken: { value: broken, atMs: 20_000 },
});
const FLAT = course(0.1, 0.1, 0.1);
const QUIET = { cpu: FLAT, memory: FLAT, load: FLAT, throttleRate: FLAT };

/** What is just enough, and what is just not. */
const BOUNDS: readonly [
  rule: string,
  enough: Partial<Parameters<typeof classifyWindow>[0]>,
  short: Partial<Parameters<typeof classifyWindow>[0]>,
][] = [
  [
    "use climbed from 20 points on",
    { cpu: course(0.3, 0.4, 0.5) },
    { cpu: course(0.3, 0.4, 0.499) },
  ],
  [
    "use that rises no more counts at 85 %",
    { cpu: course(0.3, 0.85, 0.85) },
    { cpu: course(0.3, 0.849, 0.849) },
  ],
  [
    "use is still rising at half the pace it had",
    { cpu: course(0.25, 0.5, 0.625) },
    { cpu: course(0.25, 0.5, 0.6249) },
  ],
  [
    "use that fell and then rises is rising",
    { cpu: course(0.3, 0.2, 0.51) },
    { cpu: course(0.3, 0.6, 0.6) },
  ],
  [
    "the load counts at 85 % alone",
    { load: course(0.3, 0.5, 0.85) },
    { load: course(0.3, 0.5, 0.849) },
  ],
  [
    "memory counts as the CPU does",
    { memory: course(0.3, 0.4, 0.5) },
    { memory: course(0.3, 0.5, 0.5) },
  ],
];

for (const [rule, enough, short] of BOUNDS) {
  Deno.test(`classify: ${rule}, and not below`, () => {
    const classOf = (signals: typeof enough) =>
      classifyWindow({ ...QUIET, ...signals }, true).class;
    assert.deepEqual(
      [classOf(enough), classOf(short)],
      ["degraded", "inconclusive"],
    );
  });
}

Deno.test("classify: throttles rose from five points on, and not below", () => {
  const of = (broken: number) =>
    classifyWindow({ ...QUIET, throttleRate: course(0, 0, broken) }, true)
      .class;
  assert.deepEqual([of(0.05), of(0.0499)], ["throttled", "inconclusive"]);
});

Deno.test("classify: one core of two or more is said from 85 to 115 % of it", () => {
  const said = (used: number, cores: number | undefined) => {
    const cpu = course(used, used, used);
    const known = cores === undefined ? {} : { cores };
    return classifyWindow({ ...QUIET, cpu, ...known }, true).reason;
  };
  const core = /one of 4 cores was busy: single-threaded\?$/;
  for (const used of [0.22, 0.25, 0.28]) assert.match(said(used, 4), core);
  for (const used of [0.21, 0.29]) assert.doesNotMatch(said(used, 4), core);
  const none = /rose with it$/;
  for (const cores of [1, undefined]) assert.match(said(0.8, cores), none);
  assert.match(said(0.5, 2), /one of 2 cores/);
});

Deno.test("signalOf: a reading counts by how much of it lies in the stretch, and the nearest of two seconds stands for none", () => {
  const at = (fromMs: number, tMs: number, cpu: number) => ({
    fromMs,
    tMs,
    cpu,
  });
  const read = (points: ReturnType<typeof at>[], fromMs = 4_000) =>
    signalOf(points, "cpu", { before: { fromMs, toMs: fromMs + 4_000 } })
      .before;
  const halves = [at(0, 5_000, 0.2), at(5_000, 9_000, 0.6)];
  const mean = read(halves)!;
  assert.ok(Math.abs(mean.value - 0.5) < 1e-9, `${mean.value}`);
  assert.equal(mean.atMs, 6_000);
  const moments = [at(4_000, 4_000, 0.2), at(8_000, 8_000, 0.4)];
  assert.ok(Math.abs(read(moments)!.value - 0.3) < 1e-9);
  const [near, far] = [at(500, 2_500, 0.7), at(0, 1_000, 0.1)];
  assert.equal(read([far, near])?.value, 0.7);
  assert.equal(read([near, far])?.value, 0.7);
  assert.equal(read([at(0, 2_000, 0.7)])?.value, 0.7);
  assert.equal(read([at(0, 1_999, 0.7)]), undefined);
});
