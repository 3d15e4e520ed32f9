import { type BenchOptions, getFlow, runBench } from "./bench_command.ts";
import type { Figure } from "./figure.ts";
import { startOwnServer } from "./own_server.ts";
import type { WebServer } from "./web_server.ts";
import { ECHOES, echoFlow } from "./ws_echo.ts";

const FEW = 10_000;

/** Peak memory with very many VUs, and with very many requests on each protocol. */
export async function measureMemory(
  server: WebServer,
  quick: boolean,
): Promise<Figure[]> {
  const vus = quick ? 2_000 : 10_000;
  const hold = quick ? 4 : 12;
  const many = await runBench(
    getFlow(`{ mode: load, vus: ${vus}, hold: ${hold}s }`),
    server.http,
    90,
  );
  const lots = quick ? 100_000 : 1_000_000;
  return [
    {
      name: `${vus} VUs: peak memory`,
      value: many.cost.peakRssMb,
      unit: "MB",
      ...(!quick && { expected: { op: "<=", limit: 250 } }),
    },
    {
      name: `${vus} VUs: failed iterations`,
      value: many.meta.iterations.failed,
      unit: "",
      expected: { op: "<=", limit: 0 },
    },
    ...await growth("HTTP/1.1", lots, server.http, {}),
    ...await growth("HTTP/2", lots, server.http2, { args: ["--http", "2"] }),
    ...await echoGrowth(lots),
  ];
}

/** A million requests beside ten thousand. */
async function growth(
  protocol: string,
  lots: number,
  url: string,
  options: BenchOptions,
): Promise<Figure[]> {
  return await figures(protocol, lots, async (requests) => {
    const profile = `{ mode: load, vus: 50, iterations: ${requests} }`;
    return (await runBench(getFlow(profile), url, 180, options)).cost.peakRssMb;
  });
}

async function echoGrowth(lots: number): Promise<Figure[]> {
  await using server = await startOwnServer("echo_server.ts");
  const url = `http://127.0.0.1:${server.port}`;
  return await figures("WebSocket", lots, async (echoes) => {
    const profile = `{ mode: load, vus: 50, iterations: ${echoes / ECHOES} }`;
    return (await runBench(echoFlow(profile, ECHOES), url, 180)).cost.peakRssMb;
  });
}

async function figures(
  protocol: string,
  lots: number,
  peakAfter: (count: number) => Promise<number>,
): Promise<Figure[]> {
  const all: Figure[] = [];
  for (const count of [FEW, lots]) {
    const name = `${protocol}, ${count} requests: peak memory`;
    all.push({ name, value: await peakAfter(count), unit: "MB" });
  }
  const [few, many] = all;
  return [...all, {
    name: `${protocol}: peak memory of ${lots} requests, of that of ${FEW}`,
    value: many!.value / few!.value,
    unit: "",
    expected: { op: "<=", limit: 1.15 },
  }];
}
