import { deepEqual, equal, ok } from "node:assert/strict";
import { ahead, prepared, ShardedFixture } from "./sharded_fixture.ts";

const FLOW = (bound: string) =>
  `flow: waits
profile: { mode: load, vus: 6, ${bound} }
steps:
  - { id: rest, wait: 100ms }
`;

/** Shards whose connections take `up` to the lead and `down` from it. */
async function slow(up: number, down: number, bound: string) {
  const fixture = new ShardedFixture(await prepared({ flow: FLOW(bound) }), 3);
  const { clock, network } = fixture;
  const after = (ms: number) => (arrive: () => void) =>
    void clock.sleep(ms).then(arrive);
  network.travel = { up: after(up), down: after(down) };
  return fixture;
}

for (const [up, down] of [[200, 200], [350, 50]] as const) {
  Deno.test(`shards: over a link of ${up} ms up and ${down} ms down totals are exact, and all begin within half a round trip`, async () => {
    const fixture = await slow(up, down, "iterations: 240");
    const { clock } = fixture;
    const began: number[] = [];
    const options = (by: number) => ({
      clock: ahead(clock, by),
      opened(pool: { run: (at: number) => Promise<unknown> }) {
        const run = pool.run.bind(pool);
        pool.run = (at) => {
          began.push(at - by);
          return run(at) as never;
        };
      },
    });
    const lead = fixture.lead(options(0));
    const one = await clock.drive(fixture.join(1, options(9_000)));
    const two = await clock.drive(fixture.join(2, options(-4_000)));
    const [outcome] = await clock.drive(
      Promise.all([lead, one, two].map((each) => each.outcome)),
    );
    const { meta } = outcome!;
    equal(meta.status, "finished");
    equal(meta.iterations.completed, 240);
    equal(
      meta.shards!.reduce((sum, each) => sum + each.iterations, 0),
      240,
    );
    equal(began.length, 3);
    const spread = Math.max(...began) - Math.min(...began);
    ok(spread <= (up + down) / 2 + 10, `${spread}`);
  });
}

for (
  const [bound, ms] of [
    ["hold: 5s", 200],
    ["hold: 5s, arrival_cap: 60/s", 300],
  ] as const
) {
  Deno.test(`shards: over a link of ${ms} ms each does as much as the lead (${bound})`, async () => {
    const fixture = await slow(ms, ms, bound);
    const outcome = await fixture.clock.drive(fixture.all());
    const [own, ...others] = outcome.meta.shards!.map((each) =>
      each.iterations
    );
    deepEqual(others, [own, own]);
  });
}

Deno.test("shards: a lead that says nothing for seconds holds up no iteration of the others", async () => {
  const fixture = new ShardedFixture(
    await prepared({ flow: FLOW("hold: 20s") }),
    2,
  );
  const { clock, network } = fixture;
  let held: (() => void)[] | undefined;
  const travel = (arrive: () => void) =>
    void (held ? held.push(arrive) : arrive());
  network.travel = { up: travel, down: travel };
  const lead = fixture.lead();
  const one = await clock.drive(fixture.join(1));
  await fixture.pass(3_000);
  held = [];
  await fixture.pass(8_000);
  for (const arrive of held.splice(0)) arrive();
  held = undefined;
  const [outcome] = await clock.drive(
    Promise.all([lead.outcome, one.outcome]),
  );
  const [own, other] = outcome!.meta.shards!.map((each) => each.iterations);
  equal(other, own);
});

Deno.test("shards: of a pool that ends the run no row is held back", async () => {
  const flow = `version: 1
flow: rows
pools: { user: { path: users.csv, on_exhausted: stop } }
profile: { mode: load, vus: 6, hold: 20s }
steps:
  - { id: rest, wait: 100ms }
`;
  const rows = Array.from({ length: 200 }, (_, row) => `u${row}`);
  const files = { "users.csv": ["name", ...rows].join("\n") };
  const fixture = new ShardedFixture(await prepared({ flow, files }), 3);
  const { meta } = await fixture.clock.drive(fixture.all());
  equal(meta.iterations.completed, 200);
});

for (
  const [bytes, direction] of [[1, "up"], [30, "up"], [4, "down"]] as const
) {
  Deno.test(`shards: a link that breaks ${bytes} bytes into a message (${direction}) ends nothing but that shard, and nothing is counted twice`, async () => {
    const fixture = await slow(20, 20, "hold: 3s");
    const { clock, network } = fixture;
    const lead = fixture.lead({ tolerateLost: 1 });
    const one = await clock.drive(fixture.join(1));
    const two = await clock.drive(fixture.join(2));
    await fixture.pass(1_500);
    network.wires[0]!.cutWithin(direction, bytes);
    const [whole, alone] = await clock.drive(
      Promise.all([lead, one, two].map((each) => each.outcome)),
    );
    ok(one.orphaned());
    ok(!two.orphaned());
    equal(alone!.meta.status, "errored");
    const { meta } = whole!;
    equal(meta.status, "finished");
    const [own, lost, other] = meta.shards!.map((each) => each.iterations);
    equal(meta.iterations.completed, own! + lost! + other!);
    ok(Math.abs(own! - 60) <= 4 && Math.abs(other! - 60) <= 4);
    ok(lost! <= alone!.meta.iterations.completed);
  });
}

Deno.test("shards: one that says something to a lead which has stored the run and ended learns that it did", async () => {
  const fixture = await slow(20, 1_500, "iterations: 60");
  const { clock } = fixture;
  const lead = fixture.lead();
  const one = await clock.drive(fixture.join(1));
  const two = await clock.drive(fixture.join(2));
  const outcomes = await clock.drive(
    Promise.all([lead, one, two].map((each) => each.outcome)),
  );
  deepEqual(outcomes.map(({ meta }) => meta.status), Array(3).fill("finished"));
  deepEqual([one.orphaned(), two.orphaned()], [false, false]);
});
