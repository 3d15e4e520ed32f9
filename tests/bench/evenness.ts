import { getFlow, runBench } from "./bench_command.ts";
import type { Figure } from "./figure.ts";
import type { WebServer } from "./web_server.ts";

/** Whether each of thousands of busy connections on one thread gets its turn. */
export async function measureEvenness(
  { counted }: WebServer,
  quick: boolean,
): Promise<Figure[]> {
  if (!counted) return [];
  const vus = quick ? 1_000 : 5_000;
  const profile = `{ mode: load, vus: ${vus}, hold: ${quick ? 5 : 20}s }`;
  await runBench(getFlow(profile), counted.url, 90);
  // The log is written once a second.
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  const requests = new Map<string, number>();
  for (const line of (await Deno.readTextFile(counted.log)).split("\n")) {
    if (line) requests.set(line, (requests.get(line) ?? 0) + 1);
  }
  const counts = [...requests.values()];
  const mean = counts.reduce((sum, each) => sum + each, 0) / vus;
  return [{
    name: `${vus} busy connections: requests of the slowest, of their mean`,
    value: Math.min(...counts) / mean,
    unit: "",
    expected: { op: ">=", limit: 0.5 },
  }];
}
