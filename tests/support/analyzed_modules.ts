import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** How many modules Deno has looked into since its cache, the folder `cache`, was empty. */
export function analyzedModules(cache: string): number {
  using seen = new DatabaseSync(join(cache, "dep_analysis_cache_v2"));
  const row = seen.prepare("SELECT count(*) AS modules FROM moduleinfocache");
  return Number(row.get()!.modules);
}
