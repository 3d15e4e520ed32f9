import { join } from "node:path";
import { benchCommand, getFlow } from "./bench_command.ts";
import type { Figure } from "./figure.ts";
import { processCost } from "./process_cost.ts";

/** Process start to the version's last byte, and to the first request. */
export async function measureStartUp(rounds: number): Promise<Figure[]> {
  const version: number[] = [];
  const first: number[] = [];
  // The first of each fills the caches of files and of compiled code.
  for (let round = 0; round <= rounds; round++) {
    const cost = await processCost(benchCommand(["--version"]), {
      core: 1,
      limitSeconds: 10,
    });
    const toRequest = await firstRequestMs();
    if (round === 0) continue;
    version.push(cost.wallSeconds * 1_000);
    first.push(toRequest);
  }
  return [
    {
      name: "bench --version",
      value: median(version),
      unit: "ms",
      expected: { op: "<=", limit: 45 },
    },
    {
      name: "first request from process start",
      value: median(first),
      unit: "ms",
      expected: { op: "<=", limit: 110 },
    },
  ];
}

async function firstRequestMs(): Promise<number> {
  const folder = await Deno.makeTempDir({ prefix: "bench-start-" });
  let arrived = NaN;
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () => {
      arrived = performance.now();
      return Response.json({ id: 42 });
    },
  );
  try {
    const flow = join(folder, "flow.yaml");
    const target = join(folder, "target.yaml");
    await Deno.writeTextFile(flow, getFlow("{ mode: integration }"));
    await Deno.writeTextFile(
      target,
      `name: t\nbase_urls: ["http://127.0.0.1:${server.addr.port}"]\n`,
    );
    const started = performance.now();
    await processCost(
      benchCommand([
        ...["run", flow, "--target", target, "--quiet"],
        ...["--store", join(folder, "runs")],
      ]),
      { core: 1, limitSeconds: 20 },
    );
    return arrived - started;
  } finally {
    await server.shutdown();
    await Deno.remove(folder, { recursive: true });
  }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? NaN;
}
