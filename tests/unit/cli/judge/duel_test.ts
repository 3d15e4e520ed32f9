import { deepStrictEqual, rejects } from "node:assert/strict";
import { duel, type DuelSide } from "../../../../cli/judge/duel.ts";
import type { PreparedRun } from "../../../../lib/compile.ts";
import type { ReadyRun } from "../../../../lib/engine/run_context/run_context.ts";
import { type RunOutcome, Stop } from "../../../../lib/run.ts";
import { systemEnvironment } from "../../../../cli/inputs/environment.ts";
import { documentInput } from "../../../support/run_in_process.ts";

const STEPS = [{ id: "one", call: "GET /" }];

function duelOf(
  carryOut: (
    side: DuelSide,
    prepared: PreparedRun,
  ) => Promise<RunOutcome<string>>,
  flow: object = { flow: "f", steps: STEPS },
  ports: readonly [number, number] = [1, 2],
) {
  const target = (port: number) =>
    documentInput({ name: "t", base_urls: [`http://127.0.0.1:${port}`] });
  return duel({
    ...{ for: 10_000_000, margin: 0.02, environment: systemEnvironment },
    flow: documentInput(flow),
    targets: [target(ports[0]), target(ports[1])],
    carryOut: (prepared, side) => carryOut(side, prepared),
  });
}

function readyRun(stop = new Stop()): ReadyRun {
  return { options: { stop } } as ReadyRun;
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
    await listeners[0]!.start!(readyRun());
    order.push("begins");
    throw new Error("enough");
  });
  await ready.promise;
  await rejects(both, /enough/);
  await Promise.resolve();
  deepStrictEqual(order, ["ready", "begins", "begins"]);
});

const LOADS: readonly (readonly [
  what: string,
  profile: unknown,
  vus: number,
  seconds: number,
])[] = [
  ["no load at all", undefined, 1, 10],
  [
    "a warm-up before what is compared",
    { mode: "load", vus: 2, hold: "20s", warm_up: "15s" },
    2,
    25,
  ],
  [
    "the peak of a ramp",
    { mode: "load", vus: { ramp: "1 -> 3 over 2s" } },
    3,
    10,
  ],
  [
    "the highest stage",
    {
      mode: "load",
      stages: [{ vus: 4, over: "2s" }, { vus: 1, over: "5s" }],
    },
    4,
    10,
  ],
];

for (const [what, profile, vus, seconds] of LOADS) {
  Deno.test(`duel(): each side has the load of the profile at its peak: ${what}`, async () => {
    const found: unknown[] = [];
    await rejects(
      duelOf(({ side }, { flow }) => {
        if (side === 0) found.push(flow.profile);
        throw new Error("enough");
      }, {
        version: 1,
        flow: "f",
        steps: STEPS,
        ...profile !== undefined && { profile },
      }),
      /enough/,
    );
    const [{ vus: users, hold_us, mode }] = found as [Record<string, unknown>];
    deepStrictEqual([mode, users, hold_us], ["load", vus, seconds * 1e6]);
  });
}

Deno.test("duel(): sides on one host keep max_rps together", async () => {
  for (const [ports, shared] of [[[1, 1], 1], [[1, 2], 0]] as const) {
    const rates: unknown[] = [];
    await rejects(
      duelOf(
        ({ rate }) => {
          rates.push(rate);
          throw new Error("enough");
        },
        undefined,
        ports,
      ),
      /enough/,
    );
    const known = new Set(rates.filter((each) => each !== undefined));
    deepStrictEqual([rates.length, known.size], [2, shared]);
  }
});

Deno.test("duel(): no side waits for one that never comes", async () => {
  await rejects(
    duelOf(async ({ side, listeners }) => {
      if (side === 1) throw new Error("refused");
      await listeners[0]!.start!(readyRun());
      throw new Error("begins alone");
    }),
    /refused/,
  );
});

Deno.test("duel(): a side whose setup failed stops the other one before its load", async () => {
  const stops = [new Stop(), new Stop()];
  stops[1]!.soft("setup", "`setup` did not pass");
  await rejects(
    duelOf(async ({ side, listeners }) => {
      await listeners[0]!.start!(readyRun(stops[side]));
      throw new Error("enough");
    }),
    /enough/,
  );
  deepStrictEqual(stops.map(({ detail }) => detail), [
    "the other side of the duel made no load",
    "`setup` did not pass",
  ]);
});

Deno.test("duel(): two runs in which no iteration passed leave nothing to compare", async () => {
  const meta = {
    mode: "load",
    exit_code: 1,
    iterations: { completed: 9, passed: 0, failed: 9 },
    requests: 9,
    thresholds: [],
    reason: { text: "9 × one: response status was 404 Not Found" },
  };
  await rejects(
    duelOf(() => Promise.resolve({ meta, directory: "" } as never)),
    {
      message:
        "there is nothing to compare: 9 × one: response status was 404 Not Found",
      exitCode: 1,
    },
  );
});
