import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { makeBurner } from "../../../../cli/demo/stress.ts";
import { demoTest } from "./visitor.ts";

demoTest(
  "GET /locked: one caller after the other holds the lock",
  async (ask, clock) => {
    const responses = await Promise.all(
      [1, 2, 3].map(() => ask("GET /locked?ms=20")),
    );
    deepStrictEqual(responses.map(({ status }) => status), [200, 200, 200]);
    deepStrictEqual(clock.slept, [20, 20, 20]);
  },
);

demoTest(
  "GET /locked: ten milliseconds when nothing is said",
  async (ask, clock) => {
    deepStrictEqual((await ask("GET /locked")).body, { locked_ms: 10 });
    deepStrictEqual(clock.slept, [10]);
  },
);

demoTest(
  "GET /burn: responds when the cores were busy for as long",
  async (ask) => {
    const { status, body } = await ask("GET /burn?ms=1");
    deepStrictEqual([status, body], [200, { burned_ms: 1 }]);
  },
);

demoTest(
  "work that is too long, negative or no number is refused",
  async (ask) => {
    for (const path of ["/burn", "/locked"]) {
      for (const ms of ["1001", "-1", "much"]) {
        strictEqual(
          (await ask(`GET ${path}?ms=${ms}`)).status,
          400,
          `${path} ${ms}`,
        );
      }
    }
  },
);

Deno.test("makeBurner: close lets go of everyone who waits, and it can burn again", async () => {
  const burner = makeBurner(2);
  const long = burner.burn(600_000);
  burner.close();
  await long;
  await burner.burn(1);
  burner.close();
});
