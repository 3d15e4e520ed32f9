import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { demoTest } from "./visitor.ts";

demoTest(
  "GET /limited: the first request has to wait, one that waited passes",
  async (ask, clock) => {
    const first = await ask("GET /limited");
    deepStrictEqual([first.status, first.headers.get("retry-after")], [
      429,
      "1",
    ]);
    clock.ms += 1_000;
    strictEqual((await ask("GET /limited")).status, 200);
    strictEqual((await ask("GET /limited")).status, 429);
  },
);

demoTest(
  "GET /limited: each caller has a bucket, and it holds one second's worth",
  async (ask, clock) => {
    const asked = async (count: number, path: string) => {
      const statuses = [];
      for (let each = 0; each < count; each++) {
        statuses.push((await ask(path)).status);
      }
      return statuses;
    };
    deepStrictEqual(await asked(1, "GET /limited?rate=3&key=a"), [429]);
    clock.ms += 60_000;
    deepStrictEqual(await asked(4, "GET /limited?rate=3&key=a"), [
      200,
      200,
      200,
      429,
    ]);
    deepStrictEqual(await asked(1, "GET /limited?rate=3&key=b"), [429]);
    clock.ms += 334;
    deepStrictEqual(await asked(2, "GET /limited?rate=3&key=a"), [200, 429]);
  },
);

demoTest("GET /limited: a slow rate says how long to wait", async (ask) => {
  const { headers } = await ask("GET /limited?rate=0.1");
  strictEqual(headers.get("retry-after"), "10");
  for (const rate of ["0", "-1", "x"]) {
    strictEqual((await ask(`GET /limited?rate=${rate}`)).status, 400);
  }
});

demoTest(
  "GET /flaky: fails as often as asked for, then works, then from the start",
  async (ask) => {
    const statuses = [];
    for (let asked = 0; asked < 6; asked++) {
      statuses.push((await ask("GET /flaky?key=a&fail=2")).status);
    }
    deepStrictEqual(statuses, [503, 503, 200, 503, 503, 200]);
  },
);

demoTest(
  "GET /slow: no more than asked for wait at once",
  async (ask, clock) => {
    const wake = Promise.withResolvers<void>();
    const asleep = Promise.withResolvers<void>();
    clock.sleep = () => (asleep.resolve(), wake.promise);
    const first = ask("GET /slow?most=1");
    await asleep.promise;
    strictEqual((await ask("GET /slow?most=1")).status, 429);
    wake.resolve();
    strictEqual((await first).status, 200);
    strictEqual((await ask("GET /slow?most=1")).status, 200);
    strictEqual((await ask("GET /slow?most=x")).status, 400);
  },
);

demoTest("GET /slow: sleeps as long as asked for", async (ask, clock) => {
  deepStrictEqual((await ask("GET /slow?ms=250")).body, { ms: 250 });
  await ask("GET /slow");
  deepStrictEqual(clock.slept, [250, 100]);
  for (const ms of ["-1", "x", "60001"]) {
    strictEqual((await ask(`GET /slow?ms=${ms}`)).status, 400);
  }
});
