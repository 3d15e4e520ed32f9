import { decodeFromCompressedBase64 } from "hdr-histogram-js";
import { getFlow, runBench } from "./bench_command.ts";
import type { Figure } from "./figure.ts";
import { startOwnServer } from "./own_server.ts";

/** Whether the offered rate is kept, and how late the generator itself is. */
export async function measureStartLag(
  url: string,
  seconds: number,
): Promise<Figure[]> {
  const rate = 5_000;
  const flow = getFlow(
    `{ mode: load, vus: 200, hold: ${seconds}s, arrival_cap: ${rate}/s }`,
  );
  const { meta } = await runBench(flow, url, seconds + 40);
  const free = await runBench(flow, url, seconds + 40, { allCores: true });
  const offered = meta.requests + (meta.generator?.unserved_slots ?? 0);
  return [
    {
      name: `open loop at ${rate}/s: offered rate off by`,
      value: Math.abs(offered / (rate * seconds) - 1) * 100,
      unit: "%",
      expected: { op: "<=", limit: 0.1 },
    },
    {
      name: `open loop at ${rate}/s: own start lag p50`,
      value: meta.generator?.late_p50_ms ?? NaN,
      unit: "ms",
      expected: { op: "<=", limit: 0.1 },
    },
    {
      name: `open loop at ${rate}/s: own start lag p99`,
      value: meta.generator?.late_p99_ms ?? NaN,
      unit: "ms",
      expected: { op: "<=", limit: 0.5 },
    },
    {
      name: `open loop at ${rate}/s, not held to one core: own start lag p99`,
      value: free.meta.generator?.late_p99_ms ?? NaN,
      unit: "ms",
    },
  ];
}

/**
 * Coordinated omission: against a target that stalls for a second in ten, the
 * response times must show the stall to everyone it was due for; the service
 * times show it only to the few that were under way.
 */
export async function measureStall(seconds: number): Promise<Figure[]> {
  await using server = await startOwnServer("stalling_server.ts");
  const { histograms } = await runBench(
    getFlow(`{ mode: load, vus: 5, hold: ${seconds}s, arrival_cap: 1000/s }`),
    `http://127.0.0.1:${server.port}`,
    seconds + 40,
  );
  const p99 = (text: string) =>
    decodeFromCompressedBase64(text).getValueAtPercentile(99) / 1_000;
  const { service, response } = histograms.overall;
  return [
    {
      name: "stall of 1 s: response time p99",
      value: p99(response),
      unit: "ms",
      expected: { op: ">=", limit: 500 },
    },
    {
      name: "stall of 1 s: service time p99",
      value: p99(service),
      unit: "ms",
      expected: { op: "<=", limit: 100 },
    },
  ];
}
