import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import {
  AuthError,
  type Lease,
  type OldToken,
} from "../../../../lib/steps/auth/scheme.ts";
import { TokenRefusal } from "../../../../lib/steps/auth/token_response.ts";
import { TokenKeeper } from "../../../../lib/steps/auth/tokens.ts";
import { ManualClock, settle } from "../../../support/manual_clock.ts";
import { REQUEST } from "./token_exchange.ts";

/** An hour, renewed 30 s before its end. */
const HOUR = { renewInMs: 3_570_000, endsInMs: 3_600_000 };
const DOWN = new AuthError("token-status", "its status was 503");

/** A source whose tokens come when the test says so. */
function keeper() {
  const clock = new ManualClock(0);
  const asked: (OldToken | undefined)[] = [];
  const waiting: PromiseWithResolvers<Lease>[] = [];
  const source = new TokenKeeper((_, old) => {
    asked.push(old);
    const pending = Promise.withResolvers<Lease>();
    waiting.push(pending);
    return pending.promise;
  }, clock);
  return {
    clock,
    source,
    asked,
    async give(token: string, times: Omit<Lease, "token"> = HOUR) {
      waiting.shift()!.resolve({ token, ...times });
      await settle();
    },
    async fail(error: Error = DOWN) {
      waiting.shift()!.reject(error);
      await settle();
    },
    /** With the token `first` in hand. */
    async holding(token: string, times?: Omit<Lease, "token">) {
      const fetched = source.fetch(REQUEST);
      await this.give(token, times);
      strictEqual(await fetched, token);
    },
  };
}

Deno.test("tokens: the valid token is used while its renewal is under way", async () => {
  const all = keeper();
  const { source, clock, asked } = all;
  await all.holding("one");
  clock.time = HOUR.renewInMs - 1;
  strictEqual(source.current(REQUEST), "one");
  strictEqual(asked.length, 1);
  clock.time = HOUR.renewInMs;
  strictEqual(source.current(REQUEST), "one");
  clock.time = HOUR.endsInMs - 1;
  strictEqual(source.current({ ...REQUEST }), "one");
  strictEqual(asked.length, 2, "one renewal for all who ask");
  await all.give("two");
  strictEqual(source.current(REQUEST), "two");
  strictEqual(asked.length, 2);
});

Deno.test("tokens: one that falls due while all steps wait is renewed then, and again after a failure", async () => {
  const all = keeper();
  const { source, clock, asked } = all;
  await all.holding("one");
  strictEqual(source.current(REQUEST), "one");
  await clock.pass(HOUR.renewInMs - 1);
  strictEqual(asked.length, 1);
  await clock.pass(1);
  strictEqual(asked.length, 2, "no step asked for a token meanwhile");
  await all.fail();
  await clock.pass(1_000);
  strictEqual(asked.length, 3);
  await all.give("two");
  strictEqual(source.current(REQUEST), "two");
  source.close();
  await clock.pass(HOUR.endsInMs);
  strictEqual(asked.length, 3, "none is renewed when the run is over");
});

Deno.test("tokens: of many credentials only those in use are renewed on time", async () => {
  const all = keeper();
  const { source, clock, asked } = all;
  await all.holding("one");
  const other = source.fetch({ ...REQUEST, clientId: "other" });
  await all.give("else");
  await other;
  await clock.pass(HOUR.renewInMs);
  deepStrictEqual(asked.slice(2).map((old) => old?.token), ["one", "else"]);
  await all.give("two");
  await all.give("more");
  strictEqual(source.current(REQUEST), "two");
  await clock.pass(HOUR.renewInMs);
  deepStrictEqual(asked.slice(4).map((old) => old?.token), ["two"]);
  source.close();
});

Deno.test("tokens: an expired token is never handed out", async () => {
  const all = keeper();
  await all.holding("one");
  all.clock.time = HOUR.endsInMs;
  strictEqual(all.source.current(REQUEST), undefined);
  const both = Promise.all([
    all.source.fetch(REQUEST),
    all.source.fetch(REQUEST),
  ]);
  await all.give("two");
  deepStrictEqual(await both, ["two", "two"]);
  strictEqual(all.asked.length, 2);
});

Deno.test("tokens: a failed renewal is repeated after 1 s, 2 s, 4 s, and the token is used until it expires", async () => {
  const all = keeper();
  const { source, clock, asked } = all;
  await all.holding("one");
  let at = HOUR.renewInMs;
  for (const pause of [1_000, 2_000, 4_000, 8_000]) {
    clock.time = at;
    strictEqual(source.current(REQUEST), "one");
    await all.fail();
    const before = asked.length;
    at += pause;
    clock.time = at - 1;
    strictEqual(source.current(REQUEST), "one");
    strictEqual(asked.length, before, `asked within ${pause} ms`);
  }
  strictEqual(asked.length, 5);
  clock.time = HOUR.endsInMs;
  strictEqual(source.current(REQUEST), undefined);
});

Deno.test("tokens: without a token every caller fails at once with the reason until the pause is over", async () => {
  const all = keeper();
  const { source, clock, asked } = all;
  let at = 0;
  const pauses = [1, 2, 4, 8, 16, 30, 30].map((seconds) => seconds * 1_000);
  for (const pause of pauses) {
    clock.time = at;
    const fetched = rejects(source.fetch(REQUEST), { code: DOWN.code });
    await all.fail();
    await fetched;
    const before = asked.length;
    at += pause;
    clock.time = at - 1;
    for (let caller = 0; caller < 5; caller++) {
      await rejects(source.fetch(REQUEST), {
        name: "AuthError",
        code: DOWN.code,
        message: DOWN.message,
        retryInMs: 1,
      });
    }
    strictEqual(asked.length, before, `asked within ${pause} ms`);
  }
  strictEqual(asked.length, pauses.length);
});

Deno.test("tokens: a token ends the doubling of pauses", async () => {
  const all = keeper();
  const { source, clock } = all;
  for (const at of [0, 1_000, 3_000]) {
    clock.time = at;
    const fetched = rejects(source.fetch(REQUEST));
    await all.fail();
    await fetched;
  }
  clock.time = 7_000;
  await all.holding("one", { renewInMs: 10, endsInMs: 10 });
  clock.time = 7_010;
  const fetched = rejects(source.fetch(REQUEST));
  await all.fail();
  await fetched;
  await rejects(source.fetch(REQUEST), { retryInMs: 1_000 });
});

Deno.test("tokens: one that is refused is fetched anew, once for all who were refused", async () => {
  const all = keeper();
  const { source, clock, asked } = all;
  await all.holding("one");
  clock.time = 10;
  source.refused(REQUEST, 5);
  source.refused(REQUEST, 6);
  strictEqual(source.current(REQUEST), undefined);
  const both = Promise.all([source.fetch(REQUEST), source.fetch(REQUEST)]);
  await all.give("two");
  deepStrictEqual(await both, ["two", "two"]);
  deepStrictEqual(asked, [undefined, { token: "one", refused: true }]);
  clock.time = 20;
  source.refused(REQUEST, 9);
  strictEqual(source.current(REQUEST), "two", "that one carried the old token");
});

Deno.test("tokens: refused one after another, they are fetched anew at once, then after 1 s, 2 s, 4 s", async () => {
  const all = keeper();
  const { source, clock, asked } = all;
  await all.holding("token-0");
  for (const [index, pause] of [0, 1_000, 2_000, 4_000].entries()) {
    const token = `token-${index}`;
    clock.time += pause - 1;
    if (pause > 0) source.refused(REQUEST, clock.time);
    strictEqual(source.current(REQUEST), token);
    clock.time += 1;
    source.refused(REQUEST, clock.time);
    strictEqual(source.current(REQUEST), undefined);
    await all.holding(`token-${index + 1}`);
  }
  strictEqual(asked.length, 5);
  // One that was good for half a minute and more is no sign of such a server.
  clock.time += 30_001;
  source.refused(REQUEST, clock.time);
  await all.holding("later");
  clock.time += 1_000;
  source.refused(REQUEST, clock.time);
  strictEqual(source.current(REQUEST), undefined);
});

Deno.test("tokens: a thread without a token gets the valid one, and is not made to wait for its renewal", async () => {
  const all = keeper();
  await all.holding("one");
  all.clock.time = HOUR.renewInMs + 1;
  deepStrictEqual(await all.source.lease(REQUEST), {
    token: "one",
    renewInMs: 0,
    endsInMs: 29_999,
  });
  strictEqual(all.asked.length, 1);
});

Deno.test("tokens: a thread that has a token due for renewal waits for the next one", async () => {
  const all = keeper();
  await all.holding("one");
  const old = { token: "one", refused: false };
  all.clock.time = HOUR.renewInMs;
  const renewed = all.source.lease(REQUEST, old);
  await all.give("two");
  deepStrictEqual(await renewed, { token: "two", ...HOUR });
  // What another thread has is older: the newest one, and no request.
  deepStrictEqual(await all.source.lease(REQUEST, old), {
    token: "two",
    ...HOUR,
  });
  strictEqual(all.asked.length, 2);
});

Deno.test("tokens: a thread keeps its token when the renewal fails, and hears when to ask", async () => {
  const all = keeper();
  await all.holding("one");
  all.clock.time = HOUR.renewInMs;
  const renewed = all.source.lease(REQUEST, { token: "one", refused: false });
  await all.fail();
  deepStrictEqual(await renewed, {
    token: "one",
    renewInMs: 1_000,
    endsInMs: 30_000,
  });
});

Deno.test("tokens: a pause that another thread names takes the place of the own one", async () => {
  const all = keeper();
  const fetched = rejects(all.source.fetch(REQUEST));
  await all.fail(new AuthError("token-status", "down", 17_000));
  await fetched;
  all.clock.time = 16_000;
  await rejects(all.source.fetch(REQUEST), { retryInMs: 1_000 });
});

/** [what the endpoint asks for, in s; how long it is left alone] */
const asked: readonly [number | undefined, number][] = [
  [undefined, 1],
  [0, 1],
  [12, 12],
  [86_400, 120],
];

for (const [seconds, pause] of asked) {
  Deno.test(`tokens: an endpoint whose Retry-After says ${seconds ?? "nothing"} is left alone for ${pause} s`, async () => {
    const all = keeper();
    const { source, clock, asked } = all;
    const pending = rejects(source.fetch(REQUEST), { message: "slow down" });
    const wait = seconds === undefined ? undefined : seconds * 1_000;
    await all.fail(
      new TokenRefusal("slow down", { status: 503, retryAfterMs: wait }),
    );
    await pending;
    clock.time = pause * 1_000 - 1;
    await rejects(source.fetch(REQUEST), { message: "slow down" });
    strictEqual(asked.length, 1);
    clock.time++;
    const next = source.fetch(REQUEST);
    await all.give("t");
    strictEqual(await next, "t");
  });
}
