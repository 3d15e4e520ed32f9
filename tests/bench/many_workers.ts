import { getFlow, runBench } from "./bench_command.ts";
import type { Figure } from "./figure.ts";
import type { WebServer } from "./web_server.ts";

const MANY = 8;
const FEW_REQUESTS = 640;

/**
 * What a request costs with eight worker threads beside one, and what a thread costs
 * before its first request. They share one core, so that nothing runs side by side:
 * what is left is what threads do for each other.
 */
export async function measureManyWorkers(
  server: WebServer,
  quick: boolean,
): Promise<Figure[]> {
  const lots = quick ? 100_000 : 300_000;
  const one = await costOf(server, 1, lots);
  const many = await costOf(server, MANY, lots);
  const more = MANY - 1;
  return [
    {
      name: `${MANY} workers: CPU a request, of that with one`,
      value: many.requestMicros / one.requestMicros,
      unit: "",
    },
    {
      name: "a worker more: CPU until it is ready",
      value: (many.startSeconds - one.startSeconds) / more * 1_000,
      unit: "ms",
    },
    {
      name: "a worker more: memory once it is ready",
      value: (many.startMb - one.startMb) / more,
      unit: "MB",
    },
  ];
}

/**
 * The start is that of a run of hardly a request. A request is one of the second half
 * of a run: each thread compiles what is hot for itself.
 */
async function costOf(
  server: WebServer,
  workers: number,
  lots: number,
): Promise<{
  readonly requestMicros: number;
  readonly startSeconds: number;
  readonly startMb: number;
}> {
  const of = async (iterations: number) => {
    const profile = `{ mode: load, vus: 64, iterations: ${iterations} }`;
    return (await runBench(getFlow(profile), server.http, 90, { workers }))
      .cost;
  };
  const start = await of(FEW_REQUESTS);
  const half = await of(lots);
  const whole = await of(2 * lots);
  return {
    requestMicros: (whole.cpuSeconds - half.cpuSeconds) / lots * 1e6,
    startSeconds: start.cpuSeconds,
    startMb: start.peakRssMb,
  };
}
