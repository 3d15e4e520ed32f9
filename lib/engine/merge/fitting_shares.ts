import { sum } from "../../base/values/sum.ts";
import { Refused } from "../../base/errors/bench_error.ts";
import { systemClock } from "../../base/time/clock.ts";
import { readMeta } from "../../results/store/reader.ts";
import type { StoredShare } from "../run_context/stored_share.ts";
import { readShare } from "./read_share.ts";

/** What cannot be put together; nothing was written. */
export class MergeRefused extends Refused {
  override readonly name = "MergeRefused";
}

/** A share, and the run directory it is from. */
export interface FoundShare extends StoredShare {
  readonly dir: string;
}

/**
 * The shares of one run, by shard.
 *
 * @param tolerateLost how many of them may be missing
 * @throws {MergeRefused} when they are not of one run, or not all there
 * @throws {StoreError} when one cannot be read
 */
export async function fittingShares(
  dirs: readonly string[],
  tolerateLost: number,
): Promise<readonly FoundShare[]> {
  const shares: FoundShare[] = [];
  for (const dir of dirs) {
    const whole = await wholeRun(dir);
    if (whole) throw whole;
    const share = await readShare(dir);
    if (!share) throw noShare(dir);
    shares.push({ ...share, dir });
  }
  const [first, ...rest] = shares;
  if (!first) throw new MergeRefused("there is no run directory to merge");
  for (const each of rest) checkSame(first, each);
  checkApart(shares);
  const sorted = shares.toSorted((a, b) => a.shard.index - b.shard.index);
  checkWhole(sorted, tolerateLost);
  return sorted;
}

/** A lead that was killed when it had stored the run leaves shards that do not know. */
async function wholeRun(dir: string): Promise<MergeRefused | undefined> {
  const meta = await readMeta(dir, systemClock.wall()).catch(() => undefined);
  const { shards = [] } = meta ?? {};
  if (shards.length === 0) return undefined;
  if (shards.some((each) => each.lost_at_ms !== null)) return undefined;
  return new MergeRefused(
    `\`${dir}\` is the whole run: its lead stored every share`,
    "there is nothing to join: look at it with `bench serve`",
  );
}

function noShare(dir: string): MergeRefused {
  return new MergeRefused(
    `\`${dir}\` is not the share of a shard: it has no share.json`,
    "a shard that lost its lead has one, and a lead that lost a shard or was killed: leave this one out, and accept it with --tolerate-lost",
  );
}

/** What shares of one run have in common, in the words of a person. */
const COMMON: readonly (readonly [
  name: string,
  of: (share: StoredShare) => string | number,
])[] = [
  ["the flow", ({ facts }) => facts.flow],
  ["what the flow says", ({ facts }) => facts.irSha256.slice(0, 12)],
  ["the version of bench", ({ facts }) => facts.benchVersion],
  ["the target", ({ facts }) => facts.target],
  ["the seed", ({ facts }) => facts.seed],
  ["the number of shards", ({ shard }) => shard.count],
];

function checkSame(first: FoundShare, other: FoundShare): void {
  const differing = COMMON.flatMap(([name, of]) => {
    const [a, b] = [of(first), of(other)];
    return a === b ? [] : [`${name} differs (${a} and ${b})`];
  });
  const message = `\`${first.dir}\` and \`${other.dir}\` are not of one run`;
  if (differing.length > 0) {
    throw new MergeRefused(`${message}: ${differing.join(", ")}`);
  }
  // Every shard gives traces the ids that its lead chose at random.
  if (idsOf(first) === idsOf(other)) return;
  throw new MergeRefused(`${message}: the flow was run twice`);
}

function idsOf({ workers }: StoredShare): string {
  return workers[0]!.snapshot.ids.join();
}

/** What one shard recorded must not count twice, under whatever number. */
function checkApart(shares: readonly FoundShare[]): void {
  shares.forEach((each, nth) => {
    const before = shares.slice(0, nth).find(({ shard, facts }) =>
      shard.index === each.shard.index || facts.id === each.facts.id
    );
    if (!before) return;
    throw new MergeRefused(
      `shard ${
        nameOf(before)
      } is there twice: \`${before.dir}\` and \`${each.dir}\``,
    );
  });
  const { plan: { iterations = Infinity } } = shares[0]!;
  const started = sum(
    shares.flatMap((each) => each.workers),
    (each) => each.snapshot.iterations.started,
  );
  if (started <= iterations) return;
  throw new MergeRefused(
    `the shares have ${started} iterations together, the run has ${iterations}`,
  );
}

function checkWhole(
  shares: readonly FoundShare[],
  tolerateLost: number,
): void {
  const missing = missingOf(shares);
  if (missing.length <= tolerateLost) return;
  const { count } = shares[0]!.shard;
  const one = missing.length === 1;
  throw new MergeRefused(
    `shard${one ? "" : "s"} ${missing.join(", ")} of ${count} ${
      one ? "is" : "are"
    } missing`,
    `give ${
      one ? "its run directory" : "their run directories"
    } as well, or go without with --tolerate-lost ${missing.length}`,
  );
}

/** The shards that no run directory is of. */
export function missingOf(shares: readonly FoundShare[]): readonly number[] {
  const there = new Set(shares.map(({ shard }) => shard.index));
  return Array.from({ length: shares[0]!.shard.count }, (_, index) => index)
    .filter((index) => !there.has(index));
}

function nameOf({ shard: { index, count } }: StoredShare): string {
  return `${index} of ${count}`;
}
