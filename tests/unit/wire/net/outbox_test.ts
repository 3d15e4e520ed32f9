import { deepStrictEqual } from "node:assert/strict";
import { Outbox } from "../../../../lib/wire/net/outbox.ts";
import { ManualClock } from "../../../support/manual_clock.ts";

Deno.test("Outbox: requests of a moment are written in order, behind the work that is under way, each at a moment of its own", async () => {
  const clock = new ManualClock();
  const outbox = new Outbox(clock);
  const from = clock.now();
  const done: (string | number)[] = [];
  const sender = (name: string) => ({
    send(now: number) {
      done.push(name, now - from);
      clock.time += 2;
    },
  });
  outbox.add(sender("first"));
  outbox.add(sender("second"));
  done.push("work");
  await Promise.resolve();
  deepStrictEqual(done, ["work", "first", 0, "second", 2]);
});

Deno.test("Outbox: what is added while others are written goes out with them, and what comes later by itself", async () => {
  const outbox = new Outbox(new ManualClock());
  const done: string[] = [];
  const last = { send: () => void done.push("last") };
  outbox.add({
    send() {
      done.push("first");
      outbox.add(last);
    },
  });
  await Promise.resolve();
  deepStrictEqual(done, ["first", "last"]);
  outbox.add(last);
  await Promise.resolve();
  deepStrictEqual(done, ["first", "last", "last"]);
});
