import { prepared, ShardedFixture } from "../shards/sharded_fixture.ts";

/** A store that is gone with the test. */
export function temporaryStore(): Disposable & { readonly storeDir: string } {
  const storeDir = Deno.makeTempDirSync();
  return {
    storeDir,
    [Symbol.dispose]: () => Deno.removeSync(storeDir, { recursive: true }),
  };
}

/** Waits of 100 ms on a clock that jumps: nothing is sent. */
const WAITS = `flow: waits
profile: { mode: load, vus: 6, hold: 6s }
steps:
  - { id: rest, wait: 100ms }
`;

/** The run directories of three shards that were cut off from each other. */
export async function apart(storeDir: string): Promise<string[]> {
  const fixture = new ShardedFixture(await prepared({ flow: WAITS }), 3);
  const { clock } = fixture;
  const begun = Promise.withResolvers<void>();
  const lead = fixture.lead({
    storeDir,
    opened(pool) {
      const carryOut = pool.run.bind(pool);
      pool.run = (at) => {
        begun.resolve();
        return carryOut(at);
      };
    },
  });
  const one = await fixture.join(1, { storeDir });
  const two = await fixture.join(2, { storeDir });
  await clock.drive(begun.promise);
  await clock.drive(clock.sleep(3_000));
  fixture.network.wires.forEach((each) => each.cut());
  const outcomes = await clock.drive(
    Promise.all([lead, one, two].map((each) => each.outcome)),
  );
  return outcomes.map((each) => each.directory!);
}
