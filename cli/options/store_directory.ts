import { systemWorld } from "../inputs/world.ts";

/** Where runs are kept: `--store`, else `BENCH_STORE`, else `.bench/runs`. */
export function storeDirectory(
  flag: string | undefined,
  env = systemWorld.env,
): string {
  return flag || env("BENCH_STORE") || ".bench/runs";
}
