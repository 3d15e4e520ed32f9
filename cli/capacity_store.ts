import type { Capacity, CapacityTrial } from "../lib/model/result/capacity.ts";
import { FILES } from "../lib/results/store/layout.ts";

/**
 * Keeps the run of the lower bound, or else the last one, with all trials in its
 * `meta.json`; the others are removed.
 *
 * @returns the kept run's directory
 */
export async function storeCapacity(
  trials: readonly {
    readonly trial: CapacityTrial;
    readonly directory: string;
  }[],
  capacity: Capacity,
  store: string,
): Promise<string> {
  const kept =
    trials.findLast(({ trial }) =>
      trial.level === capacity.lower && trial.held
    ) ?? trials.at(-1)!;
  const path = `${kept.directory}/${FILES.meta}`;
  // It is redacted already, and a verdict on a level holds no value of anyone.
  const meta = JSON.parse(await Deno.readTextFile(path));
  await Deno.writeTextFile(
    path,
    `${JSON.stringify({ ...meta, capacity }, null, 2)}\n`,
  );
  const name = kept.directory.split(/[/\\]/).at(-1)!;
  await Deno.mkdir(store, { recursive: true });
  await Deno.rename(kept.directory, `${store}/${name}`);
  const apart = kept.directory.slice(0, -name.length - 1);
  await Deno.remove(apart, { recursive: true });
  return `${store}/${name}`;
}
