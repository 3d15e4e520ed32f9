import assert from "node:assert/strict";
import { retryAfter } from "../../../../lib/steps/http/retry_after.ts";

const NOW = Date.parse("Fri, 20 Nov 2026 18:00:00 GMT");

Deno.test("retryAfter reads seconds and HTTP dates, and nothing else", () => {
  const table: [value: string, ms: number | undefined][] = [
    ["0", 0],
    ["7", 7_000],
    [" 120 ", 120_000],
    ["Fri, 20 Nov 2026 18:00:30 GMT", 30_000],
    ["Friday, 20-Nov-26 18:00:30 GMT", 30_000],
    ["Fri Nov 20 18:00:30 2026 GMT", 30_000],
    ["Fri, 20 Nov 2026 17:59:00 GMT", 0],
    ["-1", undefined],
    ["1.5", undefined],
    ["soon", undefined],
    ["", undefined],
    ["2026-11-20T18:00:30Z", undefined],
  ];
  for (const [value, ms] of table) {
    assert.equal(retryAfter(value, NOW), ms, JSON.stringify(value));
  }
});
