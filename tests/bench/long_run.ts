import { getFlow, runBench } from "./bench_command.ts";
import type { Figure } from "./figure.ts";
import type { WebServer } from "./web_server.ts";

const STEPS = 20;
const VUS = 50;

/** The memory of a long run of a long flow, and how long it stands still once it is old. */
export async function measureLongRun(
  server: WebServer,
  seconds: number,
): Promise<Figure[]> {
  const { cost, series } = await runBench(
    getFlow(`{ mode: load, vus: ${VUS}, hold: ${seconds}s }`, STEPS),
    server.http,
    seconds + 60,
  );
  const lags = series.points.map(({ loop_lag_ms }) => loop_lag_ms ?? 0);
  const work = `${STEPS} steps for ${seconds} s`;
  return [
    { name: `${work}: peak memory`, value: cost.peakRssMb, unit: "MB" },
    {
      name: `${work}: longest stall of the second half`,
      value: Math.max(...lags.slice(lags.length / 2)),
      unit: "ms",
    },
  ];
}
