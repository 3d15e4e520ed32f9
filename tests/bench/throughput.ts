import { getFlow, runBench } from "./bench_command.ts";
import type { Figure } from "./figure.ts";
import { runRivals } from "./rivals.ts";
import {
  memoryOf,
  perCpu,
  shareOf,
  type ToolRun,
  toolTable,
} from "./tool_run.ts";

const VUS = 50;
/** Steps of a long flow. */
const LONG = 20;

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
  const profile = `{ mode: load, vus: ${VUS}, hold: ${seconds}s }`;
  const { cost, meta } = await runBench(getFlow(profile), url, seconds + 30);
  const own: ToolRun = { tool: "bench", count: meta.requests, ...cost };
  const long = await runBench(
    getFlow(profile, LONG),
    url,
    seconds + 30,
  );
  const ofLong = long.meta.requests / long.cost.cpuSeconds;
  const of = (name: string) => rivals.find(({ tool }) => tool === name);
  const runs = [own, ...rivals];
  return {
    runs,
    table: toolTable("requests", runs, of("wrk")),
    figures: [
      ...shareOf(`${label}: requests`, own, of("wrk"), 0.75),
      ...shareOf(`${label}: requests`, own, of("k6")),
      {
        name: `${label}: requests of ${LONG} steps per CPU second, of one's`,
        value: ofLong / perCpu(own),
        unit: "",
      },
      memoryOf(`${label}, ${VUS} VUs`, own, 110),
    ],
  };
}
