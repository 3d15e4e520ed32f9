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
profile: { mode: load, vus: 6, hold: 20s }
steps:
  - { id: rest, wait: 100ms }
`;

/**
 * The run directories of three shards that were cut off from each other.
 *
 * @param killed the lead's is as it was at that moment: it was killed
 */
export async function apart(
  storeDir: string,
  killed = false,
  flow = WAITS,
): Promise<string[]> {
  const fixture = new ShardedFixture(await prepared({ flow }), 3);
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
  const left = `${storeDir}/left`;
  if (killed) {
    copyFiles(await shareWritten(clock, storeDir), left);
  }
  fixture.network.wires.forEach((each) => each.cut());
  const outcomes = await clock.drive(
    Promise.all([lead, one, two].map((each) => each.outcome)),
  );
  const [own, ...others] = outcomes.map((each) => each.directory!);
  return [killed ? left : own!, ...others];
}

/** Waits until the lead wrote its share into the one run directory there is. */
export async function shareWritten(
  clock: ShardedFixture["clock"],
  storeDir: string,
): Promise<string> {
  const has = (path: string) =>
    [...Deno.readDirSync(path)].map(({ name }) => name);
  for (;;) {
    await clock.drive(clock.sleep(100));
    const [run] = has(storeDir);
    if (run === undefined) continue;
    const dir = `${storeDir}/${run}`;
    if (has(dir).includes("share.json")) return dir;
  }
}

function copyFiles(from: string, to: string): void {
  Deno.mkdirSync(to);
  for (const { name } of Deno.readDirSync(from)) {
    Deno.copyFileSync(`${from}/${name}`, `${to}/${name}`);
  }
}
