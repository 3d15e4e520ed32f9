import assert from "node:assert/strict";
import fc from "fast-check";
import {
  AllTraces,
  keptTraces,
  mergeTraces,
  SampledTraces,
  sampledTraces,
  sampleRank,
  sampleSize,
  type TraceOffer,
} from "../../../../lib/results/traces/traces.ts";
import { sum } from "../../../../lib/base/values/sum.ts";
import { FairShare } from "../../../../lib/results/traces/selection.ts";
import { PassedStep } from "../../../../lib/model/result/iteration.ts";
import {
  startMarks,
  type StepResponse,
} from "../../../../lib/model/result/response.ts";
import type { Outcome } from "../../../../lib/model/outcome.ts";
import type { Trace } from "../../../../lib/model/result/trace.ts";

function traceOf(iteration: number, body = ""): Trace {
  const response = { line: "HTTP/1.1 200 OK", headers: [], body };
  const span = {
    span_id: "0000000000000001",
    name: "http_call",
    kind: "call" as const,
    start_us: 0,
    duration_us: 1,
  };
  return {
    trace_id: iteration.toString(16).padStart(32, "0"),
    iteration,
    vu: 0,
    outcome: "passed",
    start_us: 0,
    duration_us: 1,
    spans: [{ ...span, response }],
  };
}

function offer(
  iteration: number,
  durationMs = 1,
  group?: string,
): TraceOffer {
  return {
    iteration,
    ...(group !== undefined && { group }),
    durationMs,
    hold() {
      return () => this.build();
    },
    steps: [],
    runStart: 0,
    build: () => traceOf(iteration),
  };
}

/** A step from `start` to `end` that passed. */
function stepOf(start: number, end: number): PassedStep {
  const response = {
    ...{ signal: "ok", bytesSent: 1, bytesReceived: 1 },
    marks: { ...startMarks(start), firstByte: end, end },
  } as unknown as StepResponse;
  return new PassedStep({ index: 0, held: [] }, response);
}

Deno.test("SampledTraces keeps the 50 slowest", () => {
  const keeper = new SampledTraces(sampleRank(1));
  for (let i = 0; i < 1_000; i++) keeper.offer(offer(i, (i * 7919) % 1_000));
  const ranks = keeper.data().slowest.map(({ rank }) => rank);
  assert.deepEqual(ranks, Array.from({ length: 50 }, (_, i) => 999 - i));
});

Deno.test("SampledTraces draws 200 evenly over the run", () => {
  const keeper = new SampledTraces(sampleRank(1));
  for (let i = 0; i < 20_000; i++) keeper.offer(offer(i));
  const late =
    keeper.data().sample.filter(({ item }) => item.iteration >= 10_000).length;
  assert.equal(keeper.data().sample.length, 200);
  assert.ok(late > 60 && late < 140, `${late} of 200 in the second half`);
});

Deno.test("sampledTraces: 200 iterations, fewer of long ones, at least 20", () => {
  const sizeOf = (...lengths: number[]) => {
    const flows = lengths.map((length) => ({
      flow: { steps: new Array(length) },
    }));
    const keepers = [1, 2].map(() => sampledTraces(1, flows));
    for (let i = 0; i < 1_000; i++) keepers[i % 2]!.offer(offer(i));
    const parts = keepers.map((each) => each.data());
    const size = sampleSize(sum(lengths, (each) => each), lengths.length);
    const merged = mergeTraces(parts, size).sample.length;
    assert.deepEqual(parts.map(({ sample }) => sample.length), [size, size]);
    assert.equal(merged, size);
    return size;
  };
  assert.deepEqual(
    [sizeOf(1), sizeOf(40), sizeOf(200), sizeOf(40, 40), sizeOf(1_000)],
    [200, 200, 40, 200, 20],
  );
});

Deno.test("SampledTraces keeps a rare failure beside a frequent one", () => {
  const keeper = new SampledTraces(sampleRank(1));
  for (let i = 0; i < 2_000; i++) {
    keeper.offer(offer(i, 1, i === 1_999 ? "rare" : "frequent"));
  }
  const groups = keeper.data().failures.map(({ group }) => group);
  assert.equal(groups.length, 200);
  assert.ok(groups.includes("rare"));
});

Deno.test("SampledTraces.draws says beforehand which iterations the rank keeps", () => {
  const keeper = new SampledTraces(sampleRank(1));
  for (let i = 0; i < 3_000; i++) {
    const sampled = keeper.keeps(i);
    keeper.offer(offer(i));
    const kept = keeper.data().sample.some(({ item }) => item.iteration === i);
    assert.equal(kept, sampled, `iteration ${i}`);
  }
});

Deno.test("SampledTraces draws few of many iterations that begin before any has ended", () => {
  const keeper = new SampledTraces(sampleRank(1));
  const drawn = new Set<number>();
  for (let i = 0; i < 10_000; i++) if (keeper.keeps(i)) drawn.add(i);
  assert.ok(drawn.size < 1_500, `${drawn.size} are copied`);
  for (let i = 9_999; i >= 0; i--) keeper.offer(offer(i));
  const { sample } = keeper.data();
  assert.equal(sample.length, 200);
  assert.ok(sample.every(({ item }) => drawn.has(item.iteration)));
});

Deno.test("sampleRank gives an iteration the same rank on every thread, and another with another seed", () => {
  assert.equal(sampleRank(1)(42), sampleRank(1)(42));
  assert.notEqual(sampleRank(1)(42), sampleRank(2)(42));
  assert.notEqual(sampleRank(1)(42), sampleRank(1)(43));
});

Deno.test("SampledTraces builds no trace that it does not keep", () => {
  const keeper = new SampledTraces(() => 0.5);
  let built = 0;
  for (let i = 0; i < 5_000; i++) {
    keeper.offer({
      iteration: i,
      durationMs: 1,
      hold() {
        return () => this.build();
      },
      steps: [],
      runStart: 0,
      build: () => (built++, traceOf(i)),
    });
  }
  assert.equal([...keptTraces(keeper.data())].length, 200);
  assert.equal(built, 200);
});

Deno.test("SampledTraces builds a trace when it is read, not when it may give way to others", () => {
  const keeper = new SampledTraces(sampleRank(1));
  const built: number[] = [];
  for (let i = 0; i < 1_000; i++) {
    keeper.offer({ ...offer(i, i), build: () => (built.push(i), traceOf(i)) });
  }
  assert.deepEqual(built, []);
  const fresh = () =>
    [...Iterator.from(keeper.fresh()).take(5)].map(({ item }) =>
      item.iteration
    );
  const first = fresh();
  assert.deepEqual(built, first);
  const { slowest, sample } = keeper.data();
  assert.deepEqual(built, first);
  const kept = [...slowest, ...sample].map(({ item }) => item.iteration);
  assert.deepEqual([...new Set(built)].sort(), [...new Set(kept)].sort());
  assert.equal(fresh().some((each) => first.includes(each)), false);
});

Deno.test("SampledTraces holds an iteration rather than its spans, which take more the more steps it has", () => {
  const limits = [1, 200].map((count) => {
    const keeper = new SampledTraces(() => 0);
    // The sample and the slowest are full: the next is kept for its cell alone.
    for (let i = 0; i < 200; i++) keeper.offer(offer(i, 10));
    let limit = NaN;
    const steps = Array.from({ length: count }, () => stepOf(1, 2));
    keeper.offer({
      ...offer(1_000),
      steps,
      hold(most) {
        limit = most;
        return () => this.build();
      },
    });
    return limit;
  });
  assert.deepEqual(limits, [9 * 1024, 208 * 1024]);
});

Deno.test("keptTraces builds a trace when it is asked for, and holds none", () => {
  const keeper = new SampledTraces(sampleRank(1));
  let built = 0;
  for (let i = 0; i < 10; i++) {
    keeper.offer({ ...offer(i), build: () => (built++, traceOf(i)) });
  }
  let asked = 0;
  for (const _ of keptTraces(mergeTraces([keeper.data()]))) {
    assert.equal(built, ++asked);
  }
  assert.equal(asked, 10);
});

Deno.test("TraceData is plain data on another thread", () => {
  const keeper = new SampledTraces(sampleRank(1));
  keeper.offer(offer(7));
  const [cloned] = structuredClone(keeper.data()).sample;
  assert.deepEqual(
    Object.getOwnPropertyDescriptor(cloned, "item")?.value,
    keeper.data().sample[0]!.item,
  );
});

Deno.test("SampledTraces builds at once what would take too much memory until later", () => {
  const keeper = new SampledTraces(sampleRank(1));
  const limits: number[] = [];
  let built = 0;
  keeper.offer({
    ...offer(1),
    hold: (most) => void limits.push(most),
    build: () => (built++, traceOf(1)),
  });
  assert.deepEqual([built, limits.length], [1, 1]);
  assert.ok(limits[0]! * 450 <= 64 * 1024 * 1024, "all of them within 64 MiB");
});

Deno.test("SampledTraces leaves out a body beyond the trace's share and says so", () => {
  const keeper = new SampledTraces(sampleRank(1));
  keeper.offer({
    iteration: 1,
    durationMs: 1,
    hold() {
      return () => this.build();
    },
    steps: [],
    runStart: 0,
    build: () => traceOf(1, "x".repeat(1 << 20)),
  });
  const [trace] = [...keptTraces(keeper.data())];
  assert.deepEqual(trace!.spans[0]!.response, {
    line: "HTTP/1.1 200 OK",
    headers: [],
    body_truncated: true,
  });
  assert.equal(keeper.data().truncated, true);
});

Deno.test("SampledTraces keeps the exchange of the step that did not pass before others, and each line", () => {
  const keeper = new SampledTraces(sampleRank(1));
  const step = (id: string, outcome: Outcome, body: string) => {
    const span = { start_us: 0, duration_us: 1, outcome };
    const [line, headers] = [
      "HTTP/1.1 200 OK",
      [["a", "b"]] as [string, string][],
    ];
    return [
      { ...span, span_id: id, name: id, kind: "step" as const },
      {
        ...{ ...span, outcome: "passed" as const },
        ...{ span_id: `${id}1`, name: "http_call", kind: "call" as const },
        ...{ parent_id: id, response: { line, headers, body } },
      },
    ];
  };
  const spans = [
    ...step("a", "passed", "x".repeat(1 << 20)),
    ...step("b", "passed", "y".repeat(64 * 1024)),
    ...step("c", "failed", "wrong"),
  ];
  keeper.offer({ ...offer(1), build: () => ({ ...traceOf(1), spans }) });
  const [trace] = [...keptTraces(keeper.data())];
  const shown = trace!.spans.flatMap(({ response }) => response ?? []);
  assert.deepEqual(
    shown.map(({ line }) => line),
    Array(3).fill("HTTP/1.1 200 OK"),
  );
  assert.equal(shown[2]!.body, "wrong");
  assert.equal(shown[2]!.headers.length, 1);
  assert.equal(shown[0]!.body_truncated, true);
});

Deno.test("AllTraces hands every trace on until the limit, then says so", () => {
  const written: number[] = [];
  const keeper = new AllTraces(
    (trace) => (written.push(trace.iteration), 40),
    false,
    100,
  );
  const kept = [0, 1, 2, 3].map((i) => keeper.offer(offer(i)));
  assert.deepEqual([written, kept], [[0, 1, 2], [true, true, true, false]]);
  assert.equal(keeper.data().truncated, true);
});

Deno.test("AllTraces goes on with those that did not pass beyond the limit, up to a quarter more", () => {
  const written: number[] = [];
  const keeper = new AllTraces(
    (trace) => (written.push(trace.iteration), 10),
    false,
    40,
  );
  for (let i = 0; i < 4; i++) keeper.offer(offer(i));
  assert.equal(keeper.data().truncated, false);
  keeper.offer(offer(4));
  keeper.offer(offer(5, 1, "login"));
  keeper.offer(offer(6));
  keeper.offer(offer(7, 1, "login"));
  assert.deepEqual(written, [0, 1, 2, 3, 5]);
  assert.equal(keeper.data().truncated, true);
});

Deno.test("AllTraces hands on every trace when that is asked for, and says which are kept", () => {
  const seen: [number, boolean][] = [];
  const keeper = new AllTraces(
    (trace, keep) => (seen.push([trace.iteration, keep]), keep ? 40 : 0),
    true,
    60,
  );
  for (const i of [0, 1, 2]) keeper.offer(offer(i));
  assert.deepEqual(seen, [[0, true], [1, true], [2, false]]);
  assert.equal(keeper.data().truncated, true);
});

Deno.test("mergeTraces keeps no more of each kind than one recorder would", () => {
  const parts = [1, 2, 3].map((seed) => {
    const keeper = new SampledTraces(sampleRank(seed));
    for (let i = 0; i < 500; i++) {
      keeper.offer(offer(seed * 1_000 + i, i, `group ${i % 3}`));
    }
    return keeper.data();
  });
  const { failures, slowest, sample } = mergeTraces(parts);
  assert.deepEqual([failures.length, slowest.length, sample.length], [
    200,
    50,
    200,
  ]);
  assert.ok(slowest.every(({ rank }) => rank >= 483));
});

Deno.test("keptTraces gives a trace kept for two reasons once", () => {
  const keeper = new SampledTraces(sampleRank(1));
  keeper.offer(offer(4, 1, "group"));
  assert.equal([...keptTraces(keeper.data())].length, 1);
});

Deno.test("FairShare never exceeds its limit, and no group that came is without an item while there is room for one each", () => {
  const groups = fc.array(fc.constantFrom("a", "b", "c", "d", "e"), {
    maxLength: 80,
  });
  fc.assert(
    fc.property(groups, fc.integer({ min: 5, max: 12 }), (order, limit) => {
      const share = new FairShare<number>(limit);
      order.forEach((group, index) => share.add(group, index));
      const list = share.list();
      assert.ok(list.length <= limit);
      assert.deepEqual(
        new Set(list.map(({ group }) => group)),
        new Set(order),
      );
      for (const group of new Set(order)) {
        assert.ok(
          list.some((each) => each.item === order.indexOf(group)),
          "the first stays",
        );
      }
    }),
  );
});

Deno.test("sampleRank: seeds that differ by 2^32 are two seeds", () => {
  assert.notEqual(sampleRank(1 + 2 ** 32)(7), sampleRank(1)(7));
});
