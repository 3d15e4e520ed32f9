import assert from "node:assert/strict";
import type { Retry } from "../../../../lib/language/ir.ts";
import {
  backoff,
  isListed,
  mayRetry,
  usedUp,
} from "../../../../lib/engine/outcome/classify.ts";
import { responseOf } from "../../results/record/fixtures.ts";

const POLICY: Retry = {
  on_status: [429, 503],
  backoff: "exponential",
  max_attempts: 3,
  base_delay_us: 100_000,
};

Deno.test("isListed and mayRetry: a listed status is retried while attempts are left", () => {
  const table: [status: number | undefined, attempt: number, again: boolean][] =
    [
      [503, 1, true],
      [429, 2, true],
      [503, 3, false],
      [500, 1, false],
      [200, 1, false],
      [undefined, 1, false],
    ];
  for (const [status, attempt, again] of table) {
    const { status: _, ...response } = responseOf();
    const received = status === undefined ? response : { ...response, status };
    assert.equal(
      isListed(POLICY, received) && mayRetry(POLICY, attempt, received),
      again,
      `${status} at attempt ${attempt}`,
    );
  }
});

Deno.test("mayRetry is false where the target asks for no retry", () => {
  const response = { ...responseOf(), status: 503, forbidsRetry: true };
  assert.equal(mayRetry(POLICY, 1, response), false);
  assert.equal(
    usedUp(response, 1, undefined, "/x").message,
    "gave up after 1 attempt, as the target asks for no retry: the response still had status 503",
  );
});

Deno.test("usedUp says how many attempts there were, and what is wrong with the last response", () => {
  const response = { ...responseOf(), status: 503 };
  const cause = {
    code: "assertion",
    check: "status == 200",
    message: "status == 200 does not hold: status is the integer 503",
    pointer: "/steps/0/assert/0",
  };
  assert.deepEqual(usedUp(response, 3, cause, "/x"), {
    ...cause,
    message:
      "gave up after 3 attempts: status == 200 does not hold: status is the integer 503",
  });
});

Deno.test("backoff of 0 stays 0, however often it doubles", () => {
  const policy = {
    ...POLICY,
    backoff: "exponential",
    base_delay_us: 0,
  } as const;
  assert.equal(backoff(policy, 2_000, () => undefined), 0);
});

Deno.test("backoff is fixed, doubles, or does what the response asks", () => {
  const table = [
    ["fixed", 1, undefined, 100],
    ["fixed", 9, undefined, 100],
    ["exponential", 1, undefined, 100],
    ["exponential", 2, undefined, 200],
    ["exponential", 5, undefined, 1_600],
    ["exponential", 30, undefined, 120_000],
    ["honor_retry_after", 1, 2_000, 2_000],
    ["honor_retry_after", 1, 0, 0],
    ["honor_retry_after", 1, undefined, 100],
    ["honor_retry_after", 1, 3_600_000, 120_000],
  ] as const;
  for (const [kind, attempt, asked, expected] of table) {
    assert.equal(
      backoff({ ...POLICY, backoff: kind }, attempt, () => asked),
      expected,
      `${kind}, attempt ${attempt}, asked for ${asked}`,
    );
  }
});
