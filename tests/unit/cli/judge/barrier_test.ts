import assert from "node:assert/strict";
import { Barrier } from "../../../../cli/judge/barrier.ts";

Deno.test("Barrier opens when the last one has come", async () => {
  const barrier = new Barrier(2);
  const order: string[] = [];
  const first = barrier.arrive().then(() => order.push("first"));
  await Promise.resolve();
  assert.deepEqual(order, []);
  await Promise.all([first, barrier.arrive()]);
  assert.deepEqual(order, ["first"]);
});

Deno.test("Barrier lets no one wait for who never comes", async () => {
  const barrier = new Barrier(2);
  const first = barrier.arrive();
  barrier.break(new Error("refused"));
  await assert.rejects(first, /refused/);
});
