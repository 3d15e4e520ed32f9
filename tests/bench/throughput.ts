import { runBench } from "./bench_command.ts";
import { columns, type Figure, short } from "./figure.ts";
import { runRivals, type ToolRun } from "./rivals.ts";

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
  const profile = `{ mode: load, vus: ${VUS}, hold: ${seconds}s }`;
  const { cost, meta } = await runBench(profile, url, seconds + 30);
  const own: ToolRun = { tool: "bench", requests: meta.requests, ...cost };
  const runs = [own, ...rivals];
  const wrk = rivals.find(({ tool }) => tool === "wrk");
  const k6 = rivals.find(({ tool }) => tool === "k6");
  return {
    runs,
    table: table(runs, wrk),
    figures: [
      ...(wrk
        ? [{
          name: `${label}: requests per CPU second, of wrk's`,
          value: perCpu(own) / perCpu(wrk),
          unit: "",
          wanted: { op: ">=" as const, limit: 0.5 },
        }]
        : []),
      ...(k6
        ? [{
          name: `${label}: requests per CPU second, of k6's`,
          value: perCpu(own) / perCpu(k6),
          unit: "",
          wanted: { op: ">=" as const, limit: 4 },
        }]
        : []),
    ],
  };
}

function perCpu({ requests, cpuSeconds }: ToolRun): number {
  return requests / cpuSeconds;
}

function table(runs: readonly ToolRun[], wrk: ToolRun | undefined): string {
  const head = ["", "requests", "req/s", "CPU s", "req/CPU s", "RSS MB"];
  return columns([
    [...head, "of wrk"],
    ...runs.map((run) => [
      run.tool,
      String(run.requests),
      short(run.requests / run.wallSeconds),
      run.cpuSeconds.toFixed(2),
      short(perCpu(run)),
      short(run.peakRssMb),
      wrk ? (perCpu(run) / perCpu(wrk)).toFixed(2) : "",
    ]),
  ]);
}
