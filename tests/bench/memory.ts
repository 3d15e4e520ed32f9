import { getFlow, runBench } from "./bench_command.ts";
import type { Figure } from "./figure.ts";

/** Peak memory with very many VUs, and with very many requests. */
export async function measureMemory(
  url: string,
  quick: boolean,
): Promise<Figure[]> {
  const vus = quick ? 2_000 : 10_000;
  const hold = quick ? 4 : 12;
  const many = await runBench(
    getFlow(`{ mode: load, vus: ${vus}, hold: ${hold}s }`),
    url,
    90,
  );
  const few = 10_000;
  const lots = quick ? 100_000 : 1_000_000;
  const peakAfter = async (iterations: number) => {
    const profile = `{ mode: load, vus: 50, iterations: ${iterations} }`;
    return (await runBench(getFlow(profile), url, 120)).cost.peakRssMb;
  };
  const [small, large] = [await peakAfter(few), await peakAfter(lots)];
  const failed = many.meta.iterations.failed;
  return [
    {
      name: `${vus} VUs: peak memory`,
      value: many.cost.peakRssMb,
      unit: "MB",
      ...(!quick && { wanted: { op: "<=", limit: 350 } }),
    },
    {
      name: `${vus} VUs: failed iterations`,
      value: failed,
      unit: "",
      wanted: { op: "<=", limit: 0 },
    },
    { name: `${few} requests: peak memory`, value: small, unit: "MB" },
    { name: `${lots} requests: peak memory`, value: large, unit: "MB" },
  ];
}
