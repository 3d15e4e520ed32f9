import assert from "node:assert/strict";
import type { Retry } from "../../../../lib/model/ir/flow.ts";
import { backoff, shouldRetry } from "../../../../lib/engine/outcome/retry.ts";
import { replyOf } from "../../results/record/fixtures.ts";

const POLICY: Retry = {
  on_status: [429, 503],
  backoff: "exponential",
  max_attempts: 3,
  base_delay_us: 100_000,
};

Deno.test("shouldRetry tries a listed status again while attempts are left", () => {
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
    const { status: _, ...reply } = replyOf();
    const answer = status === undefined ? reply : { ...reply, status };
    assert.equal(
      shouldRetry(POLICY, attempt, answer),
      again,
      `${status} at attempt ${attempt}`,
    );
  }
});

Deno.test("backoff is fixed, doubles, or does what the answer asks", () => {
  const asks = (ms: number | undefined) =>
    replyOf({}, { retryAfter: () => ms });
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
  for (const [kind, attempt, asked, wanted] of table) {
    assert.equal(
      backoff({ ...POLICY, backoff: kind }, attempt, asks(asked)),
      wanted,
      `${kind}, attempt ${attempt}, asked for ${asked}`,
    );
  }
});
