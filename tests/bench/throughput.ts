import { getFlow, runBench } from "./bench_command.ts";
import type { Figure } from "./figure.ts";
import { runRivals } from "./rivals.ts";
import { memoryOf, shareOf, type ToolRun, toolTable } from "./tool_run.ts";

const VUS = 50;

/** Throughput of every tool against one URL, side by side. */
export interface Throughput {
  readonly runs: readonly ToolRun[];
  readonly table: string;
  readonly figures: readonly Figure[];
}

/** GET on 50 kept-alive connections: `bench` and every rival in turn. */
export async function measureThroughput(
  label: string,
  url: string,
  seconds: number,
): Promise<Throughput> {
  const rivals = await runRivals(url, VUS, seconds);
  const flow = getFlow(`{ mode: load, vus: ${VUS}, hold: ${seconds}s }`);
  const { cost, meta } = await runBench(flow, url, seconds + 30);
  const own: ToolRun = { tool: "bench", count: meta.requests, ...cost };
  const of = (name: string) => rivals.find(({ tool }) => tool === name);
  const runs = [own, ...rivals];
  return {
    runs,
    table: toolTable("requests", runs, of("wrk")),
    figures: [
      ...shareOf(`${label}: requests`, own, of("wrk"), 0.75),
      ...shareOf(`${label}: requests`, own, of("k6")),
      memoryOf(`${label}, ${VUS} VUs`, own, 110),
    ],
  };
}
