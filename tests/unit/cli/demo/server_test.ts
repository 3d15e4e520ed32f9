import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { startDemoTarget } from "../../../../cli/demo/server.ts";
import { demoTest } from "./visitor.ts";
import { STRICT } from "../../../support/strict.ts";

demoTest(
  "startDemoTarget: listens on loopback, on a port of its own",
  async (ask, _clock, target) => {
    match(target.url, /^http:\/\/127\.0\.0\.1:\d+$/);
    deepStrictEqual((await ask("GET /health")).body, { status: "ok" });
  },
);

demoTest("startDemoTarget: every response is JSON", async (ask) => {
  for (const route of ["GET /health", "GET /items/1", "GET /nothing"]) {
    const { headers } = await ask(route);
    strictEqual(headers.get("content-type"), "application/json", route);
  }
});

demoTest(
  "startDemoTarget: an unknown path is 404, a wrong method 405 with Allow",
  async (ask) => {
    const missing = await ask("GET /nothing/here");
    deepStrictEqual([missing.status, missing.body], [404, {
      error: "there is nothing at `/nothing/here`",
    }]);
    const wrong = await ask("DELETE /login");
    deepStrictEqual([wrong.status, wrong.headers.get("allow")], [405, "POST"]);
  },
);

demoTest("GET /items/*: an item by its number", async (ask) => {
  const { status, body } = await ask("GET /items/42?trace=1");
  deepStrictEqual([status, body], [200, { id: 42, name: "Item 42" }]);
  strictEqual((await ask("GET /items/x")).status, 404);
});

demoTest("POST /echo: gives a JSON object back", async (ask) => {
  const body = { a: [1, { b: null }] };
  deepStrictEqual((await ask("POST /echo", { body })).body, body);
  strictEqual((await ask("POST /echo", { body: [1] })).status, 400);
});

Deno.test({
  name: "startDemoTarget: DENO_SERVE_ADDRESS does not move it",
  ...STRICT,
  async fn() {
    Deno.env.set("DENO_SERVE_ADDRESS", "tcp:0.0.0.0:0");
    try {
      const target = await startDemoTarget({ port: 0, hostname: "127.0.0.1" });
      match(target.url, /^http:\/\/127\.0\.0\.1:\d+$/);
      await target.close();
    } finally {
      Deno.env.delete("DENO_SERVE_ADDRESS");
    }
  },
});
