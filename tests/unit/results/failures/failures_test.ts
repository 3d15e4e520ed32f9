import assert from "node:assert/strict";
import {
  FailureGroups,
  MAX_GROUPS,
  mergeFailures,
} from "../../../../lib/results/failures/failure_groups.ts";
import {
  allFailures,
  reasonOf,
} from "../../../../lib/results/failures/failures.ts";
import {
  type Failure,
  openMessage,
} from "../../../../lib/model/result/failure.ts";
import type {
  CheckResult,
  StepResult,
} from "../../../../lib/model/result/iteration.ts";
import { failureGroup } from "../../../../lib/results/report/counted.ts";
import { valuesText } from "../../../../lib/results/report/failure_texts.ts";
import type { CountedFailure } from "../../../../lib/model/result/totals.ts";
import {
  attemptOf,
  failedIteration,
  iterationOf,
  responseOf,
  stepOf,
} from "../record/fixtures.ts";

/** As it is reported. */
function shown(failure: CountedFailure): string {
  return failure.varies ? openMessage(failure) : failure.message;
}

const STEPS = ["login", "browse", "pay"].map((id) => ({ id }));

function groupsOf(messages: readonly string[], from = 0): FailureGroups {
  const groups = new FailureGroups(STEPS);
  messages.forEach((message, index) =>
    groups.note(failedIteration(from + index, message))
  );
  return groups;
}

const ALIKE = [
  [
    "numbers",
    ["took 12ms of 10ms", "took 1.5ms of 10ms"],
    "took <n> of <n>",
  ],
  [
    "how long a connection was idle",
    ["idle for 0.4 ms", "idle for 12 ms"],
    "idle for <n> ms",
  ],
  ["uuids", [
    "no order 0f8fad5b-d9cb-469f-a165-70867728950e",
    "no order 7c9e6679-7425-40de-944b-e07fc1f90ae7",
  ], "no order <id>"],
  [
    "long hex ids",
    ["no trace deadbeef0123", "no trace 0123deadbeef99"],
    "no trace <id>",
  ],
] as const;

for (const [what, messages, expected] of ALIKE) {
  Deno.test(`FailureGroups counts messages that differ in ${what} together`, () => {
    const { groups } = groupsOf(messages).data();
    assert.deepEqual(groups.map((each) => [shown(each), each.count]), [[
      expected,
      2,
    ]]);
  });
}

Deno.test("FailureGroups counts statuses apart, with a reason phrase and without", () => {
  const messages = [
    "response status was 500",
    "response status was 502",
    "response status was 502 Bad Gateway",
    "close code 1011",
  ];
  assert.deepEqual(
    groupsOf(messages).data().groups.map(shown).toSorted(),
    messages.toSorted(),
  );
});

Deno.test("FailureGroups counts one assertion on the latency together, whatever the unit", () => {
  const groups = new FailureGroups(STEPS);
  for (const took of ["980us", "60ms", "1.2s", "1m30s"]) {
    const check = "latency < 41us";
    const failure = {
      code: "assertion",
      message: `${check} does not hold: latency is the duration ${took}`,
      check,
    };
    const steps = [stepOf({ outcome: "failed" as const, failure })];
    groups.note(iterationOf({ failed: true, steps }));
  }
  assert.deepEqual(
    groups.data().groups.map((each) => [shown(each), each.count]),
    [["latency < 41us does not hold: latency is the duration <n>", 4]],
  );
});

Deno.test("FailureGroups leaves the assertion in a message as it is, wherever it stands", () => {
  const groups = new FailureGroups(STEPS);
  for (const [rounds, actual] of [[3, 7], [4, 8]]) {
    const check = "$.count == 2";
    const failure = {
      code: "poll",
      message:
        `gave up after ${rounds} rounds: ${check} does not hold: $.count is the integer ${actual}`,
      check,
    };
    const steps = [stepOf({ outcome: "failed" as const, failure })];
    groups.note(iterationOf({ failed: true, steps }));
  }
  assert.deepEqual(
    groups.data().groups.map(shown),
    [
      "gave up after <n> rounds: $.count == 2 does not hold: $.count is the integer <n>",
    ],
  );
});

const NOWHERE = () => ({ file: "a.yaml", line: 1, column: 1 });

/** A text that an assertion did not expect. */
function unexpected(text: string, iteration: number, secrets: string[] = []) {
  const check = '$.state == "done"';
  const message = `${check} does not hold: $.state is the string ${text}`;
  const failure = {
    ...{ code: "assertion", message, check },
    expected: { type: "string", text: "done" },
    actual: { type: "string", text },
  };
  const steps = [stepOf({ outcome: "failed" as const, failure })];
  return iterationOf({ iteration, failed: true, steps, secrets });
}

Deno.test("FailureGroups counts an assertion once, whatever text came, and how often each did", () => {
  const [one, other] = [new FailureGroups(STEPS), new FailureGroups(STEPS)];
  const texts = ["new", "paid", "paid", "is", "paid", "new"];
  texts.forEach((text, at) =>
    (at < 3 ? one : other).note(unexpected(text, at))
  );
  const { groups } = mergeFailures([one.data(), other.data()]);
  const [meta, ...more] = groups.map((each) => failureGroup(each, NOWHERE));
  assert.deepEqual(more, []);
  assert.equal(
    meta!.message,
    '$.state == "done" does not hold: $.state is the string <text>',
  );
  assert.deepEqual(meta!.actual, { type: "string", text: "new" });
  assert.deepEqual(meta!.values, [
    { text: "paid", count: 3 },
    { text: "new", count: 2 },
  ]);
  assert.deepEqual(valuesText(meta!), [
    "expected: string <done>",
    "actual:   string <paid> (3), <new> (2) and others",
  ]);
});

Deno.test("FailureGroups says no counts where each text is another one, or all are the same", () => {
  for (const texts of [["a", "b", "c"], ["a", "a"]]) {
    const groups = new FailureGroups(STEPS);
    texts.forEach((text, at) => groups.note(unexpected(text, at)));
    const [group] = groups.data().groups;
    const meta = failureGroup(group!, NOWHERE);
    assert.equal(meta.values, undefined);
    assert.equal(valuesText(meta)[1], "actual:   string <a>");
  }
});

Deno.test("FailureGroups counts no text that is a secret of its iteration", () => {
  const groups = new FailureGroups(STEPS);
  for (let at = 0; at < 4; at++) {
    const text = `token-${at % 2}-of-it`;
    groups.note(unexpected(text, at, [text]));
  }
  const [group, ...more] = groups.data().groups;
  assert.deepEqual(more, []);
  assert.ok(!JSON.stringify(group).includes("token-"), JSON.stringify(group));
  assert.equal(group!.count, 4);
});

Deno.test("FailureGroups distinguishes statuses and close codes", () => {
  const messages = [
    "status 500",
    "status 404",
    "close code 1006",
    "close code 1011",
  ];
  assert.equal(groupsOf(messages).data().groups.length, 4);
});

Deno.test("FailureGroups counts an assertion on the status apart for each status", () => {
  const groups = new FailureGroups(STEPS);
  const seen = [
    "status is the integer 404",
    "status is the integer 503",
    "status is the integer 404",
    "status is NOT_FOUND (5): no item 12",
    "status is NOT_FOUND (5): no item 7",
  ];
  for (const actual of seen) {
    const check = "status < 300";
    const message = `${check} does not hold: ${actual}`;
    const failure = { code: "assertion", message, check };
    const steps = [stepOf({ outcome: "failed" as const, failure })];
    groups.note(iterationOf({ failed: true, steps }));
  }
  assert.deepEqual(
    groups.data().groups.map((each) => [shown(each), each.count]),
    [
      ["status < 300 does not hold: status is the integer 404", 2],
      ["status < 300 does not hold: status is the integer 503", 1],
      ["status < 300 does not hold: status is NOT_FOUND (5): no item <n>", 2],
    ],
  );
});

Deno.test("FailureGroups keeps the first failure of a group as it was", () => {
  const [group] = groupsOf(["took 12ms", "took 12ms"], 5).data().groups;
  assert.deepEqual([group!.iteration, group!.message], [5, "took 12ms"]);
});

Deno.test("FailureGroups gives a throttle a group of its own, with the status", () => {
  const groups = new FailureGroups(STEPS);
  const attempts = [
    attemptOf({
      outcome: "throttled",
      response: responseOf({}, { status: 429 }),
    }),
  ];
  groups.note(iterationOf({
    throttled: true,
    steps: [stepOf({ outcome: "throttled", attempts })],
  }));
  const [group] = groups.data().groups;
  assert.deepEqual(
    [group!.outcome, group!.code, group!.message],
    ["throttled", "throttled", "Throttled by the target: status 429"],
  );
});

Deno.test("a throttle is reported in the words of its protocol, in its group and in its span", () => {
  const table: [
    text: string | undefined,
    status: number | undefined,
    says: string,
  ][] = [
    [
      "status RESOURCE_EXHAUSTED (8): quota",
      8,
      ": status RESOURCE_EXHAUSTED (8): quota",
    ],
    [
      "close code 1013 (try again later)",
      undefined,
      ": close code 1013 (try again later)",
    ],
    [undefined, 429, ": status 429"],
    [undefined, undefined, ""],
  ];
  for (const [statusText, status, says] of table) {
    const { status: _, ...bare } = responseOf();
    const response = {
      ...bare,
      ...(statusText !== undefined && { statusText }),
      ...(status !== undefined && { status }),
    };
    const attempts = [attemptOf({ outcome: "throttled", response })];
    const step = stepOf({ outcome: "throttled", attempts });
    const groups = new FailureGroups(STEPS);
    groups.note(iterationOf({ throttled: true, steps: [step] }));
    const message = `Throttled by the target${says}`;
    assert.equal(groups.data().groups[0]!.message, message);
    assert.deepEqual(reasonOf(step), { code: "throttled", message });
  }
});

Deno.test("a throttle says how many attempts there were before the step gave up", () => {
  const attempt = attemptOf({
    outcome: "throttled",
    response: responseOf({}, { status: 429 }),
  });
  const of = (count: number) =>
    stepOf({
      outcome: "throttled",
      attempts: new Array(count).fill(attempt),
    });
  assert.equal(
    reasonOf(of(3))?.message,
    "Throttled by the target: status 429, after 3 attempts",
  );
  const groups = new FailureGroups(STEPS);
  for (const count of [2, 3]) {
    groups.note(iterationOf({ throttled: true, steps: [of(count)] }));
  }
  assert.deepEqual(groups.data().groups.map(({ count }) => count), [2]);
});

Deno.test("FailureGroups counts every failed step of a recording flow and gives the first", () => {
  const groups = new FailureGroups(STEPS);
  const failure = (message: string) => ({ code: "status", message });
  const first = groups.note(iterationOf({
    failed: true,
    steps: [
      stepOf({ step: 1, outcome: "failed", failure: failure("a") }),
      stepOf({ step: 2, outcome: "failed", failure: failure("b") }),
    ],
  }));
  const all = groups.data().groups;
  assert.equal(first, all[0]!.key);
  assert.deepEqual(all.map(({ step }) => step), ["browse", "pay"]);
});

Deno.test(`FailureGroups keeps ${MAX_GROUPS} groups and counts the rest together`, () => {
  const words = Array.from(
    { length: MAX_GROUPS + 7 },
    (_, i) => `word${"x".repeat(i)}`,
  );
  const { groups, other } = groupsOf(words).data();
  assert.deepEqual([groups.length, other], [MAX_GROUPS, 7]);
});

Deno.test("mergeFailures adds up, sorts by count, and keeps the earliest sample", () => {
  const merged = mergeFailures([
    groupsOf(["b", "a"], 10).data(),
    groupsOf(["a"], 3).data(),
  ]);
  assert.deepEqual(
    merged.groups.map((
      { message, count, iteration },
    ) => [message, count, iteration]),
    [["a", 2, 3], ["b", 1, 10]],
  );
});

const check = (
  kind: "extract" | "assert",
  name: string,
  failure?: Failure,
): CheckResult => ({
  ...{ kind, name, startedAt: NaN, endedAt: NaN },
  ...(failure && { failure }),
});

Deno.test("what only follows from a failed step is not reported beside it", () => {
  const extract = new Map([["token", "$.token"]]);
  const named = STEPS.map((each, index) =>
    index === 0 ? { ...each, checks: { extract } } : each
  );
  const status = {
    code: "assertion",
    message: "status == 200",
    pointer: "/a/0",
  };
  const result = iterationOf({
    failed: true,
    steps: [
      stepOf({
        outcome: "failed",
        failure: status,
        attempts: [attemptOf({
          response: responseOf({}, { signal: "failure", status: 401 }),
        })],
        checks: [
          check("extract", "token", {
            code: "extraction",
            message: "cannot extract `token`",
            pointer: "/e/token",
          }),
          check("assert", "0", status),
          check("assert", "1", {
            code: "assertion",
            message: "$.token exists",
            pointer: "/a/1",
            actual: { type: "nothing", text: "" },
          }),
          check("assert", "2", {
            code: "assertion",
            message: "latency < 1ms",
            pointer: "/a/2",
            actual: { type: "duration", text: "2ms" },
          }),
        ],
      }),
      stepOf({
        step: 1,
        outcome: "failed",
        failure: {
          code: "resolution",
          message: "{{ token.id }} has no value",
        },
      }),
      stepOf({
        step: 2,
        outcome: "failed",
        failure: { code: "resolution", message: "{{ user.id }} has no value" },
      }),
    ],
  });
  assert.deepEqual(
    allFailures(result, named).map(({ step, message }) => [step, message]),
    [
      ["login", "status == 200"],
      ["login", "latency < 1ms"],
      ["pay", "{{ user.id }} has no value"],
    ],
  );
  const groups = new FailureGroups(named);
  groups.note(result);
  assert.deepEqual(
    groups.data().groups.map(({ step }) => step),
    ["login", "pay"],
  );
});

Deno.test("a template without a value is reported, unless an earlier step could not extract it", () => {
  const named = ["a", "use", "later"].map((id) => ({
    id,
    checks: { extract: new Map(id === "use" ? [] : [["b", "$.path"]]) },
  }));
  const use = (message: string) =>
    stepOf({
      step: 1,
      outcome: "failed",
      failure: { code: "resolution", message },
    });
  const gone = { code: "extraction", message: "cannot extract `b`" };
  const source = (step: number, failure?: Failure) =>
    stepOf({
      step,
      outcome: "throttled",
      checks: [check("extract", "b", failure)],
    });
  const none = "{{ b }} has no value";
  const table: [title: string, steps: StepResult[], reported: boolean][] = [
    ["a throttled step did extract it", [
      source(0),
      use("{{ b.c }} has no value"),
    ], true],
    ["it could not", [source(0, gone), use(none)], false],
    ["nothing was extracted", [
      stepOf({ step: 0, outcome: "failed" }),
      use(none),
    ], false],
    ["a later step could not", [use(none), source(2, gone)], true],
    [
      "the last one before it could",
      [source(0, gone), source(2), use(none)],
      true,
    ],
  ];
  for (const [title, steps, reported] of table) {
    const result = iterationOf({ failed: true, steps });
    const ids = allFailures(result, named).map(({ step }) => step);
    assert.equal(ids.includes("use"), reported, title);
  }
});

Deno.test("an extraction that is why a step failed is reported, whatever the status", () => {
  const failure = (name: string) => ({
    code: "extraction",
    message: `cannot extract \`${name}\``,
    pointer: `/e/${name}`,
  });
  const [a, b] = [failure("a"), failure("b")];
  const response = responseOf({}, { signal: "failure", status: 404 });
  const result = iterationOf({
    failed: true,
    steps: [stepOf({
      outcome: "failed",
      failure: a,
      attempts: [attemptOf({ response })],
      checks: [check("extract", "a", a), check("extract", "b", b)],
    })],
  });
  assert.deepEqual(
    allFailures(result, STEPS).map(({ message }) => message),
    [a.message, b.message],
  );
});

Deno.test("FailureGroups: a group says when it was last met, on any thread", () => {
  const threads = [4_000, 9_000, 6_000].map((endedAt) => {
    const groups = new FailureGroups(STEPS, undefined, 1_000);
    groups.note(failedIteration(0, "no", { endedAt: 2_000 }));
    groups.note(failedIteration(1, "no", { endedAt }));
    return groups.data();
  });
  const { groups: [group] } = mergeFailures(threads);
  assert.equal(group!.count, 6);
  assert.equal(group!.last_ms, 8_000);
});
