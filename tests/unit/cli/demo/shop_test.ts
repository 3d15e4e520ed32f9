import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { USERS } from "../../../../cli/demo/shop.ts";
import { type Ask, demoTest } from "./visitor.ts";

async function login(ask: Ask, user: string): Promise<Record<string, string>> {
  const { body } = await ask("POST /login", {
    body: { user, password: USERS[user] },
  });
  return { authorization: `Bearer ${body.token}` };
}

demoTest("POST /login: every account gets a token of its own", async (ask) => {
  const tokens = new Set<string>();
  for (const [user, password] of Object.entries(USERS)) {
    const { status, body } = await ask("POST /login", {
      body: { user, password },
    });
    deepStrictEqual([status, body.user], [200, { name: user }]);
    match(body.token, /^[0-9a-f]{32}$/);
    tokens.add(body.token);
  }
  strictEqual(tokens.size, 3);
});

demoTest(
  "POST /login: wrong, unknown and missing credentials are refused",
  async (ask) => {
    const statuses = [];
    for (
      const body of [
        { user: "ada", password: "x" },
        { user: "nobody", password: "x" },
        { user: "constructor", password: "x" },
        { user: "ada" },
        [],
      ]
    ) statuses.push((await ask("POST /login", { body })).status);
    deepStrictEqual(statuses, [401, 401, 401, 400, 400]);
  },
);

demoTest(
  "GET /products: finds by a part of the name, for users only",
  async (ask) => {
    strictEqual((await ask("GET /products?q=engine")).status, 401);
    const headers = await login(ask, "ada");
    const { body } = await ask("GET /products?q=ENGINE%20", { headers });
    deepStrictEqual(body.items.map(({ id }: { id: number }) => id), [5]);
    const all = await ask("GET /products", { headers });
    deepStrictEqual([all.body.count, all.body.query], [5, ""]);
  },
);

demoTest(
  "POST /orders: adds up, and a job packs it after two questions",
  async (ask) => {
    const headers = await login(ask, "grace");
    const { status, body, headers: returned } = await ask("POST /orders", {
      headers,
      body: { product: 3, quantity: 11 },
    });
    deepStrictEqual(
      [status, body.total, body.user, returned.get("location")],
      [201, 1089, "grace", `/orders/${body.id}`],
    );
    const states = [];
    for (let asked = 0; asked < 4; asked++) {
      states.push((await ask(`GET /jobs/${body.job}`)).body.status);
    }
    deepStrictEqual(states, ["pending", "pending", "done", "done"]);
  },
);

demoTest("GET /orders/*: only for the one who ordered", async (ask) => {
  const ada = await login(ask, "ada");
  const { body } = await ask("POST /orders", {
    headers: ada,
    body: { product: 1 },
  });
  const mine = await ask(`GET /orders/${body.id}`, { headers: ada });
  deepStrictEqual([mine.status, mine.body.quantity], [200, 1]);
  const other = await login(ask, "grace");
  const theirs = await ask(`GET /orders/${body.id}`, { headers: other });
  strictEqual(theirs.status, 404);
});

demoTest(
  "POST /orders: an unknown product and a bad quantity are refused",
  async (ask) => {
    const headers = await login(ask, "ada");
    for (const body of [{ product: 9 }, { product: 1, quantity: 0.5 }, {}]) {
      strictEqual((await ask("POST /orders", { headers, body })).status, 422);
    }
  },
);

demoTest("POST /jobs: pending as often as asked for", async (ask) => {
  const { status, body } = await ask("POST /jobs", { body: { polls: 1 } });
  deepStrictEqual([status, body.status], [202, "pending"]);
  const states = [];
  for (let asked = 0; asked < 2; asked++) {
    states.push((await ask(`GET /jobs/${body.id}`)).body.status);
  }
  deepStrictEqual(states, ["pending", "done"]);
  strictEqual((await ask("GET /jobs/job-99")).status, 404);
  strictEqual((await ask("POST /jobs", { body: { polls: -1 } })).status, 422);
  strictEqual((await ask("POST /jobs")).status, 202);
});
