import { deepStrictEqual, equal, match } from "node:assert/strict";
import type { FailureGroup } from "../../../lib/model/result/run.ts";
import type { Span, Trace } from "../../../lib/model/result/trace.ts";
import {
  keptFailuresIn,
  keptFailuresOf,
} from "../../../viewer/model/failures.ts";
import { workspace } from "../../support/bench.ts";
import {
  asker,
  groupOf,
  metaOf,
  putRun,
} from "../../support/viewer_fixture.ts";
import { tracesText } from "./exported_run.ts";

const CHECK = "latency < 41ms";

const GROUP = groupOf({
  step: "pay",
  code: "assertion",
  message: `${CHECK} does not hold: latency is the duration <n>`,
  check: CHECK,
  count: 2,
  outcome: "failed",
});

interface Facts {
  readonly vu?: number;
  readonly row?: number;
  readonly message?: string;
  readonly outcome?: "failed" | "throttled";
  readonly attributes?: Span["attributes"];
}

/** A trace whose step `pay` did not pass, at this second. */
function badTrace(second: number, facts: Facts = {}): Trace {
  const { vu = 0, row, message, outcome = "failed", attributes = {} } = facts;
  const start_us = second * 1_000_000;
  const times = { start_us, duration_us: 1_000 };
  return {
    trace_id: String(second).padStart(32, "0"),
    iteration: second,
    vu,
    ...(row !== undefined && { row }),
    outcome,
    ...times,
    spans: [
      {
        span_id: "1",
        name: "browse",
        kind: "step",
        outcome: "passed",
        ...times,
      },
      {
        span_id: "2",
        name: "pay",
        kind: "step",
        outcome,
        ...times,
        ...(message !== undefined && {
          failure: {
            code: outcome === "throttled" ? outcome : "assertion",
            message,
            ...(message.startsWith(CHECK) && { check: CHECK }),
          },
        }),
      },
      {
        span_id: "3",
        parent_id: "2",
        name: "http_call",
        kind: "call",
        attributes,
        ...times,
      },
    ],
  };
}

const missed = (ms: number) =>
  `latency < 41ms does not hold: latency is the duration ${ms}ms`;

Deno.test("failures: a trace belongs to the group that its message makes", () => {
  const all = [
    badTrace(3, { message: missed(44), vu: 2 }),
    badTrace(1, { message: missed(99.5), vu: 1 }),
    badTrace(2, { message: "status == 200 does not hold: status is 500" }),
    badTrace(4, { outcome: "throttled", attributes: { status: 429 } }),
    badTrace(5, {
      outcome: "throttled",
      message: "Throttled by the target: status RESOURCE_EXHAUSTED (8)",
      attributes: { status: 8 },
    }),
  ].flatMap(keptFailuresOf);
  deepStrictEqual(
    keptFailuresIn(GROUP, all).map(({ at_us, vu }) => [at_us, vu]),
    [[1_000_000, 1], [3_000_000, 2]],
  );
  const throttled = (status: number | string) =>
    groupOf({
      step: "pay",
      code: "throttled",
      outcome: "throttled",
      message: `Throttled by the target: status ${status}`,
      count: 1,
    });
  equal(keptFailuresIn(throttled(429), all).length, 1);
  equal(keptFailuresIn(throttled(503), all).length, 0);
  equal(keptFailuresIn(throttled("RESOURCE_EXHAUSTED (8)"), all).length, 1);
});

Deno.test("failures: passed steps, and spans that hang on nothing, are none", () => {
  const passed = { ...badTrace(1), outcome: "passed" } as const;
  const spans: Span[] = [
    {
      ...{ span_id: "1", name: "a", kind: "step", outcome: "passed" },
      ...{ start_us: 0, duration_us: 1 },
    },
    {
      ...{ span_id: "2", parent_id: "9", name: "b", kind: "call" },
      ...{ start_us: 0, duration_us: 1 },
    },
  ];
  deepStrictEqual(keptFailuresOf({ ...passed, spans }), []);
});

async function failuresPage(traces: readonly Trace[], group: FailureGroup) {
  using folder = workspace({});
  const meta = metaOf({ failures: [group] });
  putRun(folder.path, meta, { "traces.json": tracesText(traces) });
  const response = await asker(folder.path)(`/runs/${meta.id}/failures`);
  return (await response.text()).replaceAll(/\s+/g, " ");
}

Deno.test("failures page: when a cause was seen, whom it hit, and more traces", async () => {
  const traces = Array.from({ length: 12 }, (_, i) =>
    badTrace(i + 1, {
      message: missed(42 + i),
      vu: i,
      ...(i < 2 && { row: i }),
    }));
  const page = await failuresPage(traces, {
    ...GROUP,
    count: 12,
    trace_id: traces[0]!.trace_id,
  });
  match(page, /Seen from 1s to 12s in 12 kept traces\./);
  match(page, /rows 1, 2</);
  match(page, /VUs 1, 2, 3, 4, 5, 6, 7, 8 and 4 more/);
  const more = /More traces: (.*?)<\/p>/.exec(page)![1]!;
  equal(more.match(/<a /g)!.length, 5);
});

Deno.test("failures page: what throttles asked to wait", async () => {
  const traces = [1_000, 3_000, 2_000].map((retry_after_ms, i) =>
    badTrace(i, {
      outcome: "throttled",
      attributes: { status: 429, retry_after_ms },
    })
  );
  const page = await failuresPage(traces, {
    ...groupOf({
      step: "pay",
      code: "throttled",
      outcome: "throttled",
      message: "Throttled by the target: status 429",
      count: 2,
    }),
  });
  match(
    page,
    /Retry-After: 1s to 3s, in the middle 2s, in 3 kept responses/,
  );
});
