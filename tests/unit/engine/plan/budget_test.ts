import assert from "node:assert/strict";
import { budgetOf, checkRows } from "../../../../lib/engine/plan/budget.ts";
import type { Flow, Pool, Profile } from "../../../../lib/language/ir.ts";
import { PLAN } from "../vu/vu_fixture.ts";
import type { JsonObject } from "../../../../lib/base/values/json.ts";

Deno.test("budgetOf counts the rounds of a poll: one an interval, as long as there is time", () => {
  const second = 1_000_000;
  const table: [bounds: JsonObject, rounds: number][] = [
    [{ timeout_us: 3 * second }, 3],
    [{ timeout_us: 3 * second + 1 }, 4],
    [{ timeout_us: second / 2 }, 1],
    [{ max_attempts: 7 }, 7],
    [{ max_attempts: 7, timeout_us: 3 * second }, 3],
  ];
  for (const [bounds, rounds] of table) {
    const block = { interval_us: second, ...bounds };
    const flow = {
      ir: 1,
      flow: "f",
      steps: [{ id: "p", kind: "poll", block, on_failure: "record" }],
    };
    const budget = budgetOf(
      { flows: [{ flow }] } as unknown as Parameters<typeof budgetOf>[0],
      { ...PLAN, iterations: 2 },
    );
    assert.deepEqual(budget.requestsPerIteration, { least: 1, most: rounds });
    assert.equal(budget.requests, 2 * rounds);
  }
});

Deno.test("checkRows warns of a fixture that a load run may use up, and of no other", () => {
  const pool: Pool = {
    name: "user",
    path: "users.csv",
    format: "csv",
    distribution: "unique-per-vu",
    on_exhausted: "fail",
  };
  const call = (url: string) => ({
    id: "a",
    kind: "call",
    block: { method: "GET", url },
    on_failure: "abort_flow" as const,
  });
  const said = (
    profile: Partial<Profile>,
    facts: Partial<Pool> = {},
    url = "/{{ user.n }}",
    more: Flow["steps"] = [],
  ) => {
    const messages: string[] = [];
    const flow: Flow = {
      ir: 1,
      flow: "f",
      pools: [{ ...pool, ...facts }],
      profile: { mode: "load", vus: 1, ...profile },
      steps: [call(url), ...more],
    };
    checkRows(
      flow,
      new Map([["user", { size: 3 }]]),
      ({ message }) => void messages.push(message),
    );
    return messages.join();
  };
  const none = "those after the first 3 have no row";
  const second = { hold_us: 1_000_000 };
  const endless = `3 rows for as many iterations as the target allows: ${none}`;
  assert.equal(said(second), endless);
  assert.equal(said({ iterations: 20 }), `3 rows for 20 iterations: ${none}`);
  assert.equal(
    said({ ...second, arrival: { count: 9, per_us: 1_000_000 } }),
    `3 rows for 9 iterations: ${none}`,
  );
  assert.equal(said({ iterations: 3 }), "");
  assert.equal(
    said({ ...second, arrival: { count: 3, per_us: 1_000_000 } }),
    "",
  );
  assert.equal(
    said(
      { ...second, arrival: { count: 8, per_us: 1_000_000 } },
      {},
      "/{{ user.n }}",
      [
        { ...call("/b"), id: "b" },
      ],
    ),
    `3 rows for 4 iterations: ${none}`,
    "two requests are one iteration",
  );
  assert.equal(said({ mode: "integration" }), "");
  assert.equal(said(second, {}, "/"), "", "no step needs a row");
  assert.equal(said(second, { on_exhausted: "cycle" }), "");
  assert.equal(said(second, { on_exhausted: "stop" }), "");
  assert.equal(said(second, { distribution: "random" }), "");
});
