import { join } from "node:path";
import { onPath, processCost } from "./process_cost.ts";
import type { ToolRun } from "./tool_run.ts";

/** One of k6's tests. */
export interface K6Test {
  readonly script: string;
  /** Files the script reads, beside it. */
  readonly files?: Readonly<Record<string, string>>;
  /** The counter of k6's summary that tells how much was done. */
  readonly counter: string;
  readonly seconds: number;
}

/** Runs k6 on core 1; undefined where it is not installed. */
export async function runK6(
  { script, files = {}, counter, seconds }: K6Test,
): Promise<ToolRun | undefined> {
  if (!onPath("k6")) return;
  const place = await Deno.makeTempDir({ prefix: "bench-k6-" });
  try {
    const all = Object.entries({ ...files, "script.js": script });
    for (const [name, text] of all) {
      await Deno.writeTextFile(join(place, name), text);
    }
    const summary = join(place, "summary.json");
    const cost = await processCost(
      [
        ...["k6", "run", "--quiet", "--summary-export", summary],
        join(place, "script.js"),
      ],
      { core: 1, limitSeconds: seconds + 40 },
    );
    const { metrics } = JSON.parse(await Deno.readTextFile(summary)) as {
      metrics: Record<string, { count: number }>;
    };
    return { tool: "k6", count: metrics[counter]?.count ?? NaN, ...cost };
  } finally {
    await Deno.remove(place, { recursive: true });
  }
}
