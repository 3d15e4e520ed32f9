import { deepStrictEqual, rejects } from "node:assert/strict";
import { duel, type DuelSide } from "../../../../cli/judge/duel.ts";
import { systemEnvironment } from "../../../../cli/inputs/environment.ts";
import { documentInput } from "../../../support/run_in_process.ts";

const STEPS = [{ id: "one", call: "GET /" }];

function duelOf(carryOut: (side: DuelSide) => Promise<never>) {
  const target = (port: number) =>
    documentInput({ name: "t", base_urls: [`http://127.0.0.1:${port}`] });
  return duel({
    ...{ for: 10_000_000, margin: 0.02, environment: systemEnvironment },
    flow: documentInput({ flow: "f", steps: STEPS }),
    targets: [target(1), target(2)],
    carryOut: (_, side) => carryOut(side),
  });
}

Deno.test("duel(): the sides begin together, when the last one is ready", async () => {
  const order: string[] = [];
  const ready = Promise.withResolvers<void>();
  const both = duelOf(async ({ side, listeners }) => {
    if (side === 1) {
      await Promise.resolve();
      order.push("ready");
      ready.resolve();
    }
    await listeners[0]!.start!({} as never);
    order.push("begins");
    throw new Error("enough");
  });
  await ready.promise;
  await rejects(both, /enough/);
  await Promise.resolve();
  deepStrictEqual(order, ["ready", "begins", "begins"]);
});

Deno.test("duel(): no side waits for one that never comes", async () => {
  await rejects(
    duelOf(async ({ side, listeners }) => {
      if (side === 1) throw new Error("refused");
      await listeners[0]!.start!({} as never);
      throw new Error("begins alone");
    }),
    /refused/,
  );
});
