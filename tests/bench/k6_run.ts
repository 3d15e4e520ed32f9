import { join } from "node:path";
import { type ProcessCost, processCost } from "./process_cost.ts";
import { onPath } from "../support/tools.ts";
import type { ToolRun } from "./tool_run.ts";

/** One of k6's tests. */
export interface K6Test {
  readonly script: string;
  /** Files the script reads, beside it. */
  readonly files?: Readonly<Record<string, string>>;
  /** The counter of k6's summary of how much was done. */
  readonly counter: string;
  readonly seconds: number;
}

/** Of k6's summary: the figures of each metric. */
export type K6Metrics = Readonly<
  Record<string, Readonly<Record<string, number>>>
>;

/** Runs k6 on core 1; undefined where it is not installed. */
export async function runK6(
  { script, files = {}, counter, seconds }: K6Test,
): Promise<ToolRun | undefined> {
  if (!onPath("k6")) return;
  const { metrics, cost } = await k6Cost(script, files, seconds);
  return { tool: "k6", count: metrics[counter]?.["count"] ?? NaN, ...cost };
}

/** Runs a script on core 1; what its summary says. */
export async function runK6Script(
  script: string,
  files: Readonly<Record<string, string>>,
  seconds: number,
): Promise<K6Metrics> {
  return (await k6Cost(script, files, seconds)).metrics;
}

async function k6Cost(
  script: string,
  files: Readonly<Record<string, string>>,
  seconds: number,
): Promise<{ readonly metrics: K6Metrics; readonly cost: ProcessCost }> {
  const folder = await Deno.makeTempDir({ prefix: "bench-k6-" });
  try {
    const all = Object.entries({ ...files, "script.js": script });
    for (const [name, text] of all) {
      await Deno.writeTextFile(join(folder, name), text);
    }
    const summary = join(folder, "summary.json");
    const cost = await processCost(
      [
        ...["k6", "run", "--quiet", "--summary-export", summary],
        join(folder, "script.js"),
      ],
      { core: 1, limitSeconds: seconds + 40 },
    );
    const text = await Deno.readTextFile(summary);
    return {
      metrics: (JSON.parse(text) as { metrics: K6Metrics }).metrics,
      cost,
    };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
