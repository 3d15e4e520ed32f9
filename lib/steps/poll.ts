import {
  either,
  optional,
  required,
  spread,
  type ValueOf,
} from "../language/fields/field.ts";
import { longerThan0 } from "../language/fields/durations.ts";
import { mapping, type Rule } from "../language/fields/mapping.ts";
import { integer } from "../language/fields/scalars.ts";
import { assertions } from "../language/flow/assertions.ts";
import { openHttp } from "./http/attempt.ts";
import { callFacts, REQUEST_FIELDS } from "./http/block.ts";
import { compileBody } from "./http/body.ts";
import { checkBodyFiles } from "./http/body_fields.ts";
import { CALL_SUGGESTIONS, callLine, checkCalls } from "./http/call.ts";
import type { Protocol, Repeat } from "./protocol.ts";

/** A poll ends at some time. */
const bounded: Rule = {
  form: { anyOf: [{ required: ["timeout"] }, { required: ["max_attempts"] }] },
  check(find, slot) {
    if (find("timeout") ?? find("max_attempts")) return;
    slot.report({
      code: "poll-bound",
      message:
        `${slot.what} needs \`timeout\` or \`max_attempts\`, or it could go on for ever`,
    });
  },
  ir: {
    message: "`poll` needs `timeout_us` or `max_attempts`",
    holds: ({ timeout_us, max_attempts }) =>
      timeout_us !== undefined || max_attempts !== undefined,
  },
};

const block = mapping({
  call: spread(callLine, "`METHOD /path`, as in a `call` step"),
  ...either(REQUEST_FIELDS),
  until: required(
    assertions({ least: { code: "poll-until", needs: "one assertion" } }),
    "assertions; the poll ends when all of them hold",
  ),
  interval: required(
    longerThan0,
    "from the start of one round to the start of the next, more than 0; a round that took longer is followed by the next at once",
    { ir: "interval_us" },
  ),
  timeout: optional(
    longerThan0,
    "gives up after this time: it ends a round under way, and no round begins later; `timeout` or `max_attempts` is needed",
    { ir: "timeout_us" },
  ),
  max_attempts: optional(
    integer({ min: 1 }),
    "gives up after this many rounds",
  ),
}, {
  rules: [bounded],
  places: ["poll", "step"],
  hint:
    "for example `poll: { call: GET /ready, until: [status == 200], interval: 1s, timeout: 30s }`",
});
type PollBlock = ValueOf<typeof block>;

/** The same request again and again until its response is the expected one. */
export const poll: Protocol<PollBlock> = {
  kind: "poll",
  doc: "a request repeated until assertions hold",
  block,
  keys: ["extract", "assert", "throttle", "auth", "timeout"],
  instead: {
    retry:
      "`interval`, `timeout` and `max_attempts` of the `poll` block say how often",
  },
  requests: true,
  maxAttempts: ({ timeout_us = Infinity, max_attempts, interval_us }) =>
    Math.min(Math.ceil(timeout_us / interval_us), max_attempts ?? Infinity),
  waitsUs: ({ timeout_us, max_attempts, interval_us }) => [
    0,
    timeout_us ?? (max_attempts ?? 1) * interval_us,
  ],
  facts: callFacts,
  checkFlow: checkCalls,
  checkFiles: checkBodyFiles,
  suggest: ([key]) => key === "call" ? CALL_SUGGESTIONS : {},
  open: async (block, tools) => ({
    ...openHttp(block, tools, { body: await compileBody(block, tools) }),
    repeat: repeatOf(block),
  }),
};

function repeatOf(
  { until, interval_us, timeout_us, max_attempts }: PollBlock,
): Repeat {
  return {
    until: until.map((assertion, index) => ({
      pointer: `/until/${index}`,
      assertion,
    })),
    intervalMs: interval_us / 1_000,
    ...(timeout_us !== undefined && { timeoutMs: timeout_us / 1_000 }),
    ...(max_attempts !== undefined && { maxAttempts: max_attempts }),
  };
}
