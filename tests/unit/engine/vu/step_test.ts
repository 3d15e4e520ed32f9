import assert from "node:assert/strict";
import type {
  CompiledPoll,
  CompiledStep,
} from "../../../../lib/engine/vu/compiled_step.ts";
import {
  IMMEDIATE,
  type Limiter,
} from "../../../../lib/engine/limiter/limiter.ts";
import type { Retry } from "../../../../lib/language/ir.ts";
import { type Adapter, promised } from "../../../../lib/steps/protocol.ts";
import type { StepResult } from "../../../../lib/model/result/iteration.ts";
import { attempted } from "../../../support/attempted.ts";
import { RequestError } from "../../../../lib/wire/http1/request_head.ts";
import { runStep, type Script, VuFixture } from "./vu_fixture.ts";

const RETRY: Retry = {
  on_status: [503, 429],
  backoff: "fixed",
  max_attempts: 3,
  base_delay_us: 100_000,
};

async function run(
  script: Script,
  change: (step: CompiledStep) => CompiledStep = (step) => step,
): Promise<{ fixture: VuFixture; result: StepResult }> {
  const fixture = new VuFixture();
  const step = change(fixture.step(script));
  const result = await fixture.clock.drive(runStep(step, fixture.vu(0)));
  return { fixture, result };
}

Deno.test("StepRun retries a listed status until it passes, or the attempts are used up", async () => {
  const table = [
    { says: "passes at once", statuses: [200], attempts: 1, outcome: "passed" },
    {
      says: "passes the third time",
      statuses: [503, 503, 200],
      attempts: 3,
      outcome: "passed",
    },
    {
      says: "stays an error",
      statuses: [503],
      attempts: 3,
      outcome: "failed",
    },
    {
      says: "stays throttled",
      statuses: [429],
      attempts: 3,
      outcome: "throttled",
    },
    {
      says: "an error that is not listed",
      statuses: [500],
      attempts: 1,
      outcome: "failed",
    },
  ];
  for (const { says, statuses, attempts, outcome } of table) {
    const { fixture, result } = await run({
      statuses,
      facts: { retry: RETRY },
    });
    assert.equal(result.attempts.length, attempts, says);
    assert.equal(result.outcome, outcome, says);
    assert.equal(fixture.samples.length, attempts, `${says}: one sample each`);
  }
});

Deno.test("StepRun waits between attempts as the policy says", async () => {
  const table = [
    { backoff: "fixed", waits: [100, 100, 100] },
    { backoff: "exponential", waits: [100, 200, 400] },
    { backoff: "honor_retry_after", waits: [700, 700, 700] },
  ] as const;
  for (const { backoff, waits } of table) {
    const retry = { ...RETRY, backoff, max_attempts: 4 };
    const { fixture, result } = await run({
      statuses: [503],
      retryAfterMs: 700,
      facts: { retry },
    });
    assert.deepEqual(
      result.attempts.map(({ backoff }) =>
        backoff && backoff.endedAt - backoff.startedAt
      ),
      [...waits, undefined],
      backoff,
    );
    const gaps = fixture.sent.slice(1).map((at, index) =>
      at - fixture.sent[index]! - 10
    );
    assert.deepEqual(gaps, waits, backoff);
  }
});

Deno.test("StepRun says how long a backoff was, not how long it should have been", async () => {
  const fixture = new VuFixture();
  const step = fixture.step({ statuses: [503, 200], facts: { retry: RETRY } });
  const vu = fixture.vu(0);
  // Responses take their 10 ms; a timer of 100 ms is 7 ms late.
  const sleep = vu.sleep.bind(vu);
  vu.sleep = (ms) => sleep(ms === 100 ? 107 : ms);
  const { attempts } = await fixture.clock.drive(runStep(step, vu));
  const { startedAt, endedAt } = attempts[0]!.backoff!;
  assert.deepEqual([fixture.elapsed(startedAt), fixture.elapsed(endedAt)], [
    10,
    117,
  ]);
});

Deno.test("StepRun holds of a step that passed at once its response alone, and says the same of it", async () => {
  const { result } = await run({ statuses: [200], latencyMs: () => 5 });
  const { step, startedAt, endedAt, outcome, isError, attempts } = result;
  assert.deepEqual(Object.keys(result), ["of", "response"]);
  assert.equal(endedAt - startedAt, 5);
  assert.deepEqual([step, outcome, isError, attempts.length], [
    ...[0, "passed", false, 1],
  ]);
  const [attempt] = attempts;
  assert.deepEqual([attempt!.startedAt, attempt!.endedAt, attempt!.outcome], [
    ...[startedAt, endedAt, "passed"],
  ]);
  assert.equal(attempt!.response?.status, 200);
});

Deno.test("StepRun lasts from its first attempt to the end of its last", async () => {
  const { fixture, result } = await run({
    statuses: [503, 200],
    facts: { retry: RETRY },
  });
  assert.equal(fixture.elapsed(result.startedAt), 0);
  assert.equal(fixture.elapsed(result.endedAt), 120);
});

Deno.test("StepRun gives up a backoff when the run has to end at once", async () => {
  const fixture = new VuFixture();
  const step = fixture.step({ statuses: [503], facts: { retry: RETRY } });
  const stopping = fixture.clock.sleep(50).then(() =>
    fixture.stop.hard("interrupted", "")
  );
  const [result] = await fixture.clock.drive(
    Promise.all([runStep(step, fixture.vu(0)), stopping]),
  );
  assert.equal(result.attempts.length, 1);
  assert.equal(fixture.elapsed(), 50);
  assert.equal(fixture.elapsed(result.attempts[0]!.backoff!.endedAt), 50);
  assert.equal(fixture.samples.length, 1);
  // The attempt was counted when its response came.
  assert.deepEqual([result.cutOff, result.attempts[0]!.sampled], [true, true]);
});

/** A poll until the status is `until`. */
function polling(
  until: number,
  bounds: Partial<CompiledPoll>,
) {
  return (step: CompiledStep): CompiledStep => {
    const poll: CompiledPoll = {
      intervalMs: 1_000,
      ...bounds,
      conditions: [],
      until: {
        extractions: [],
        assertions: [{
          pointer: "/steps/0/block/until/0",
          needsBody: false,
          read: () => ({ type: "number", text: "" }),
          check: ({ status }) =>
            status === until ? undefined : {
              message: `status is ${status}`,
              check: "status",
              expected: { type: "number", text: String(until) },
              actual: { type: "number", text: String(status) },
            },
        }],
        held: [{
          kind: "until",
          name: "0",
          startedAt: NaN,
          endedAt: NaN,
        }],
      },
    };
    return { ...step, poll, rules: { ...step.rules, judgesStatus: true } };
  };
}

/** In the place of a status: no response came. */
const REFUSED = 0;
const TIMED_OUT = -1;

Deno.test("StepRun polls until its conditions hold, or a bound is reached", async () => {
  const table: readonly [
    says: string,
    statuses: number[],
    bounds: Parameters<typeof polling>[1],
    rounds: number,
    outcome: string,
  ][] = [
    [
      "the third round has it",
      [202, 404, 200],
      { maxAttempts: 5 },
      3,
      "passed",
    ],
    ["too many rounds", [202], { maxAttempts: 4 }, 4, "failed"],
    [
      "too long: a round that would begin after the timeout is none",
      [202],
      { timeoutMs: 2_500 },
      3,
      "failed",
    ],
    [
      "a round that would begin as the time ends is none",
      [202],
      { timeoutMs: 3_000 },
      3,
      "failed",
    ],
    [
      "a throttled round does not end it",
      [429, 200],
      { maxAttempts: 5 },
      2,
      "passed",
    ],
    [
      "a refused connection is a round that does not hold",
      [REFUSED, 200],
      { maxAttempts: 5 },
      2,
      "passed",
    ],
    [
      "the bound reached with a throttle",
      [202, 429],
      { maxAttempts: 2 },
      2,
      "throttled",
    ],
    [
      "the last response was a throttle, and nothing came after it",
      [429, REFUSED],
      { maxAttempts: 2 },
      2,
      "throttled",
    ],
    [
      "a throttle, and another response after it",
      [429, 202],
      { maxAttempts: 2 },
      2,
      "failed",
    ],
  ];
  for (const [says, statuses, bounds, rounds, outcome] of table) {
    const { fixture, result } = await run({ statuses }, polling(200, bounds));
    assert.equal(result.attempts.length, rounds, says);
    assert.equal(result.outcome, outcome, says);
    assert.equal(fixture.samples.length, rounds, says);
    fixture.sent.forEach((at, round) =>
      assert.equal(fixture.elapsed(at), round * 1_000, says)
    );
  }
});

Deno.test("StepRun ends a poll when its conditions hold, whatever the status: a 429 is still a throttle", async () => {
  const { result } = await run(
    { statuses: [200, 429] },
    polling(429, { maxAttempts: 9 }),
  );
  assert.equal(result.attempts.length, 2);
  assert.equal(result.outcome, "throttled");
});

Deno.test("StepRun begins a round at once when the one before took longer than the interval", async () => {
  const { fixture } = await run(
    {
      statuses: [202, 202, 202, 200],
      latencyMs: (round) => round === 1 ? 2_300 : 10,
    },
    polling(200, { maxAttempts: 9 }),
  );
  assert.deepEqual(fixture.sent.map((at) => fixture.elapsed(at)), [
    0,
    1_000,
    3_300,
    4_300,
  ]);
});

Deno.test("StepRun gives a poll's rounds what is left of its time, and begins none without", async () => {
  const limits: (number | undefined)[] = [];
  const { result } = await run(
    { statuses: [202], latencyMs: () => 400 },
    (step) => {
      const { adapter } = step;
      const attempt: Adapter["attempt"] = (context, end, withinMs) => {
        limits.push(withinMs);
        adapter.attempt(context, end, withinMs);
      };
      const bounds = { intervalMs: 1, timeoutMs: 1_024 };
      return polling(200, bounds)({ ...step, adapter: { attempt } });
    },
  );
  assert.deepEqual(limits, [1_024, 624, 224]);
  assert.equal(result.outcome, "failed");
});

Deno.test("StepRun begins no round of a poll whose time was over while it was held back", async () => {
  const fixture = new VuFixture();
  let entered = 0;
  const held: Limiter = {
    async acquire(requester) {
      if (entered++ > 0) await requester.sleep(5_000);
      return IMMEDIATE;
    },
  };
  const step = polling(200, { timeoutMs: 3_000 })(
    fixture.step({ statuses: [202] }),
  );
  const result = await fixture.clock.drive(runStep(step, fixture.vu(0, held)));
  assert.equal(fixture.sent.length, 1);
  assert.equal(fixture.samples.length, 1, "no round is counted twice");
  assert.equal(
    result.failure?.message,
    "gave up after 1 round within 3s: status is 202",
  );
});

Deno.test("StepRun ends a poll at a request that cannot be made", async () => {
  const attempt = promised(() =>
    Promise.reject(new RequestError("no such place"))
  );
  const { result } = await run(
    {},
    (step) =>
      polling(200, { maxAttempts: 9 })({ ...step, adapter: { attempt } }),
  );
  assert.equal(result.attempts.length, 1);
  assert.equal(result.failure?.message, "no such place");
});

Deno.test("StepRun says what a poll was still waiting for, and where that stands", async () => {
  const { result } = await run(
    { statuses: [202] },
    polling(200, { maxAttempts: 2 }),
  );
  assert.deepEqual(result.failure, {
    code: "poll",
    check: "status",
    message: "gave up after 2 rounds: status is 202",
    pointer: "/steps/0/block/until/0",
    expected: { type: "number", text: "200" },
    actual: { type: "number", text: "202" },
  });
  const [first] = result.attempts;
  assert.deepEqual(first!.checks?.map(({ kind, name }) => [kind, name]), [
    ["until", "0"],
  ]);
});

Deno.test("StepRun says why the last round of a poll had no response", async () => {
  const { result } = await run(
    { statuses: [202, REFUSED] },
    polling(200, { maxAttempts: 2 }),
  );
  assert.deepEqual(result.failure, {
    code: "refused",
    message: "gave up after 2 rounds: connection refused",
  });
});

Deno.test("StepRun says what a poll was waiting for, where its bound cut the last round off", async () => {
  const { result } = await run({ statuses: [202, TIMED_OUT] }, (step) => {
    const bounds = { intervalMs: 1_000, timeoutMs: 1_500 };
    return polling(200, bounds)(step);
  });
  assert.equal(result.attempts.length, 2);
  assert.equal(
    result.failure?.message,
    "gave up after 2 rounds within 1.5s: status is 202",
  );
});

Deno.test("StepRun fails a step whose retries are used up, whatever its assertions say of the status", async () => {
  const accepting = (step: CompiledStep) => ({
    ...asserting(true)(step),
    rules: { ...step.rules, judgesStatus: true },
  });
  const table = [
    { statuses: [503], outcome: "failed" },
    { statuses: [429], outcome: "throttled" },
    { statuses: [503, 500], outcome: "passed" },
    { statuses: [503, 200], outcome: "passed" },
  ];
  for (const { statuses, outcome } of table) {
    const { fixture, result } = await run(
      { statuses, facts: { retry: RETRY } },
      accepting,
    );
    assert.equal(result.outcome, outcome, statuses.join());
    assert.equal(fixture.samples.at(-1)?.outcome, outcome, statuses.join());
    if (outcome !== "failed") continue;
    assert.deepEqual(result.failure, {
      code: "status",
      message: "gave up after 3 attempts: the response still had status 503",
      pointer: "/steps/0/retry/on_status",
    });
  }
});

Deno.test("StepRun gives an attempt that another follows the class of its own status, whatever its assertions accept", async () => {
  const judging = (step: CompiledStep) => ({
    ...asserting(true)(step),
    rules: {
      ...step.rules,
      throttled: new Set([502]),
      judgesStatus: true,
    },
  });
  const retry = {
    ...RETRY,
    on_status: [202, 404, 429, 502, 503],
    max_attempts: 9,
  };
  const statuses = [503, 404, 429, 502, 202, 200];
  const own = [
    "failed",
    "failed",
    "throttled",
    "throttled",
    "passed",
    "passed",
  ];
  const retried = await run({ statuses, facts: { retry } }, judging);
  const polled = await run({ statuses }, polling(200, { maxAttempts: 9 }));
  for (const { fixture, result } of [retried, polled]) {
    assert.equal(result.outcome, "passed");
    const expected = result === polled.result
      ? own.toSpliced(3, 1, "failed")
      : own;
    assert.deepEqual(result.attempts.map(({ outcome }) => outcome), expected);
    assert.deepEqual(fixture.samples.map(({ outcome }) => outcome), expected);
    assert.deepEqual(result.attempts[0]!.failure, {
      code: "status",
      message: "response status was 503",
    });
  }
});

Deno.test("StepRun says how many attempts there were before a failing check, too", async () => {
  const failing = (step: CompiledStep) => ({
    ...asserting(false)(step),
    rules: { ...step.rules, judgesStatus: true },
  });
  const { result } = await run(
    { statuses: [503], facts: { retry: RETRY } },
    failing,
  );
  assert.deepEqual(result.failure, {
    code: "assertion",
    pointer: "/steps/0/assert/0",
    ...MISMATCH,
    message: "gave up after 3 attempts: no",
  });
});

const MISMATCH = {
  message: "no",
  check: "no",
  expected: { type: "number", text: "1" },
  actual: { type: "number", text: "2" },
};

function asserting(...holds: boolean[]) {
  return (step: CompiledStep): CompiledStep => ({
    ...step,
    assertions: holds.map((each, index) => ({
      pointer: `/steps/0/assert/${index}`,
      needsBody: false,
      read: () => ({ type: "number", text: "1" }),
      check: () => each ? undefined : MISMATCH,
    })),
    held: holds.map((_, index) => ({
      kind: "assert",
      name: String(index),
      startedAt: NaN,
      endedAt: NaN,
    })),
  });
}

Deno.test("StepRun runs every check, and reports the first that fails", async () => {
  const { result } = await run({}, asserting(true, false, false));
  assert.equal(result.outcome, "failed");
  assert.equal(result.failure?.pointer, "/steps/0/assert/1");
  assert.deepEqual(
    result.checks.map((each) => each.failure === undefined),
    [true, false, false],
  );
});

Deno.test("StepRun leaves the shared results of held checks as they are", async () => {
  const fixture = new VuFixture();
  const failing = asserting(false)(fixture.step());
  await fixture.clock.drive(runStep(failing, fixture.vu(0)));
  assert.equal(failing.held[0]!.failure, undefined);
});

Deno.test("StepRun keeps a throttled response throttled, whatever its checks say", async () => {
  const { result } = await run({ statuses: [429] }, asserting(false));
  assert.equal(result.outcome, "throttled");
  assert.equal(result.failure, undefined);
  assert.ok(result.checks[0]!.failure, "the check is recorded all the same");
});

Deno.test("StepRun fails a step that could not be sent, which is an attempt and no request", async () => {
  const attempt = promised(() =>
    Promise.reject(new RequestError("no such place"))
  );
  const { fixture, result } = await run(
    {},
    (step) => ({ ...step, adapter: { attempt } }),
  );
  assert.deepEqual(result.failure, {
    code: "request",
    message: "no such place",
  });
  assert.deepEqual([fixture.samples, fixture.unsent], [[], ["failed"]]);
});

Deno.test("StepRun counts a request that the end of the run cuts off, and gives no sample", async () => {
  const fixture = new VuFixture();
  const stopping = fixture.clock.sleep(5).then(() =>
    fixture.stop.hard("interrupted", "")
  );
  const [result] = await fixture.clock.drive(
    Promise.all([runStep(fixture.step(), fixture.vu(0)), stopping]),
  );
  assert.deepEqual([fixture.samples.length, fixture.unsampled], [0, [1]]);
  assert.deepEqual([result.cutOff, result.attempts[0]!.sampled], [
    true,
    undefined,
  ]);
});

Deno.test("StepRun gives an attempt without a response no latency, and a timeout its full duration", async () => {
  const table = [[REFUSED, NaN], [TIMED_OUT, 10], [500, 10]];
  for (const [status, service] of table) {
    const { fixture } = await run({ statuses: [status!] });
    assert.deepEqual(
      fixture.samples.map((
        each,
      ) => [each.outcome, each.service, each.response]),
      [["failed", service, service]],
    );
  }
});

Deno.test("StepRun lets a fault through where nothing came from a target", async () => {
  const attempt = promised(() => Promise.reject(new TypeError("a fault")));
  await assert.rejects(
    run({}, (step) => ({ ...step, exchanges: false, adapter: { attempt } })),
    TypeError,
  );
});

Deno.test("StepRun fails a step that a response broke", async () => {
  const attempt = () => {
    throw new RangeError("too deep");
  };
  const { result } = await run(
    {},
    (step) => ({ ...step, adapter: { attempt } }),
  );
  assert.equal(result.outcome, "failed");
  assert.deepEqual(result.failure, {
    code: "fault",
    message:
      "bench broke on this response, please report it: RangeError: too deep",
  });
});

Deno.test("StepRun lets auth know of refused credentials before the request is repeated, and of nothing else", async () => {
  const table = [
    {
      says: "repeated",
      refuses: true,
      on_status: [401],
      refused: [1_000, 1_110],
    },
    { says: "not listed", refuses: true, on_status: [503], refused: [] },
    { says: "another reason", refuses: false, on_status: [401], refused: [] },
  ];
  for (const { says, refuses, on_status, refused } of table) {
    const shown: number[] = [];
    const { fixture } = await run({ statuses: [401] }, (step) => ({
      ...step,
      retry: { ...RETRY, on_status },
      authorizer: {
        headers: [],
        query: [],
        refused: (_scope, sentAt) => void shown.push(sentAt),
      },
      adapter: {
        attempt: promised(async (context) => {
          const response = await attempted(step.adapter, context);
          return { ...response, refusesCredentials: refuses };
        }),
      },
    }));
    assert.deepEqual(shown, refused, says);
    assert.equal(fixture.sent.length, on_status.includes(401) ? 3 : 1, says);
  }
});

Deno.test("StepRun notifies each response once that no check looks at it any more", async () => {
  const shown: number[] = [];
  const telling = (step: CompiledStep): CompiledStep => ({
    ...step,
    adapter: {
      attempt: promised(async (context) => {
        const response = await attempted(step.adapter, context);
        return {
          ...response,
          checked: () => void shown.push(response.status!),
        };
      }),
    },
  });
  await run(
    { statuses: [202, 203, 200] },
    (step) => polling(200, { maxAttempts: 9 })(telling(step)),
  );
  assert.deepEqual(shown, [202, 203, 200]);
  shown.length = 0;
  await run({ statuses: [204] }, telling);
  assert.deepEqual(shown, [204]);
});
