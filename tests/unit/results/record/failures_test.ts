import assert from "node:assert/strict";
import {
  FailureGroups,
  MAX_GROUPS,
  mergeFailures,
  reasonOf,
} from "../../../../lib/results/record/failures.ts";
import {
  attemptOf,
  failedIteration,
  iterationOf,
  replyOf,
  stepOf,
} from "./fixtures.ts";

function groupsOf(messages: readonly string[], from = 0): FailureGroups {
  const groups = new FailureGroups();
  messages.forEach((message, index) =>
    groups.note(failedIteration(from + index, message))
  );
  return groups;
}

const ALIKE = [
  [
    "numbers",
    ["took 12ms of 10ms", "took 1.5ms of 10ms"],
    "took <n>ms of <n>ms",
  ],
  ["what came, and not what was demanded", [
    "latency < 41ms does not hold: latency is the duration 41.2ms",
    "latency < 41ms does not hold: latency is the duration 43ms",
  ], "latency < 41ms does not hold: latency is the duration <n>ms"],
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

for (const [what, messages, wanted] of ALIKE) {
  Deno.test(`FailureGroups counts messages that differ in ${what} together`, () => {
    const { groups } = groupsOf(messages).data();
    assert.deepEqual(groups.map(({ message, count }) => [message, count]), [[
      wanted,
      2,
    ]]);
  });
}

Deno.test("FailureGroups tells statuses and close codes apart", () => {
  const messages = [
    "status 500",
    "status 404",
    "close code 1006",
    "close code 1011",
  ];
  assert.equal(groupsOf(messages).data().groups.length, 4);
});

Deno.test("FailureGroups keeps the first failure of a group as it was", () => {
  const { sample } = groupsOf(["took 12ms", "took 99ms"], 5).data().groups[0]!;
  assert.deepEqual([sample.iteration, sample.message], [5, "took 12ms"]);
});

Deno.test("FailureGroups gives a throttle a group of its own, with the status", () => {
  const groups = new FailureGroups();
  const attempts = [
    attemptOf({ outcome: "throttled", reply: replyOf({}, { status: 429 }) }),
  ];
  groups.note(iterationOf({
    throttled: true,
    steps: [stepOf({ outcome: "throttled", attempts })],
  }));
  const [group] = groups.data().groups;
  assert.deepEqual(
    [group!.outcome, group!.code, group!.sample.message],
    ["throttled", "throttled", "The target asked to slow down: status 429"],
  );
});

Deno.test("a throttle is told in the words of its protocol, in its group and in its span", () => {
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
    const { status: _, ...bare } = replyOf();
    const reply = {
      ...bare,
      ...(statusText !== undefined && { statusText }),
      ...(status !== undefined && { status }),
    };
    const attempts = [attemptOf({ outcome: "throttled", reply })];
    const step = stepOf({ outcome: "throttled", attempts });
    const groups = new FailureGroups();
    groups.note(iterationOf({ throttled: true, steps: [step] }));
    const message = `The target asked to slow down${says}`;
    assert.equal(groups.data().groups[0]!.sample.message, message);
    assert.deepEqual(reasonOf(step), { code: "throttled", message });
  }
});

Deno.test("FailureGroups counts every failed step of a recording flow and gives the first", () => {
  const groups = new FailureGroups();
  const failure = (message: string) => ({ code: "status", message });
  const first = groups.note(iterationOf({
    failed: true,
    steps: [
      stepOf({ step: 1, outcome: "failed", failure: failure("a") }),
      stepOf({ step: 2, outcome: "failed", failure: failure("b") }),
    ],
  }));
  assert.equal(first!.step, 1);
  assert.deepEqual(groups.data().groups.map(({ step }) => step), [1, 2]);
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
      { message, count, sample },
    ) => [message, count, sample.iteration]),
    [["a", 2, 3], ["b", 1, 10]],
  );
});
