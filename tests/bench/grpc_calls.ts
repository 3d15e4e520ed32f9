import { join } from "node:path";
import type { RunMeta } from "../../lib/result/run.ts";
import { benchCommand } from "./bench_command.ts";
import { columns, type Figure, short } from "./figure.ts";
import {
  onPath,
  pinned,
  type ProcessCost,
  processCost,
} from "./process_cost.ts";

const VUS = 50;

const SCHEMA = `syntax = "proto3";
package perf;
message Question { int32 id = 1; }
message Answer { int32 id = 1; }
service Desk { rpc Ask(Question) returns (Answer); }
`;

const flowText = (seconds: number) =>
  `flow: perf
profile: { mode: load, vus: ${VUS}, hold: ${seconds}s }
steps:
  - id: ask
    grpc: { proto: desk.proto, method: perf.Desk/Ask, message: { id: 42 } }
    assert: [status == OK, $.id == 42]
`;

const k6Script = (port: number, seconds: number) => `
import grpc from "k6/net/grpc";
import { check } from "k6";
const client = new grpc.Client();
client.load([], "desk.proto");
export const options = { vus: ${VUS}, duration: "${seconds}s" };
export default function () {
  if (__ITER === 0) client.connect("127.0.0.1:${port}", { plaintext: true });
  const answer = client.invoke("perf.Desk/Ask", { id: 42 });
  check(answer, {
    status: (each) => each.status === grpc.StatusOK,
    id: (each) => each.message.id === 42,
  });
}
`;

interface Calls {
  readonly tool: string;
  readonly count: number;
  readonly cost: ProcessCost;
}

/** Unary gRPC calls of 50 VUs: `bench`, and `k6` where it is installed. */
export async function measureGrpc(
  seconds: number,
): Promise<{ readonly table: string; readonly figures: readonly Figure[] }> {
  const place = await Deno.makeTempDir({ prefix: "bench-grpc-" });
  const server = new Deno.Command(pinned(0)[0] ?? Deno.execPath(), {
    args: [
      ...pinned(0).slice(1),
      ...(pinned(0).length > 0 ? [Deno.execPath()] : []),
      ...["run", "-A", new URL("grpc_server.ts", import.meta.url).pathname],
    ],
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = server.stdout.getReader();
  try {
    const { value } = await reader.read();
    const port = Number(new TextDecoder().decode(value));
    const own = await benchCalls(place, port, seconds);
    const k6 = onPath("k6") ? await k6Calls(place, port, seconds) : undefined;
    return {
      table: table([own, ...(k6 ? [k6] : [])]),
      figures: [{
        name: "gRPC: calls per CPU second, of k6's",
        value: k6 ? perCpu(own) / perCpu(k6) : NaN,
        unit: "",
        wanted: { op: ">=" as const, limit: 1 },
      }].filter(({ value }) => !Number.isNaN(value)),
    };
  } finally {
    await reader.cancel();
    server.kill();
    await server.status;
    await Deno.remove(place, { recursive: true });
  }
}

async function benchCalls(
  place: string,
  port: number,
  seconds: number,
): Promise<Calls> {
  const [flow, target] = ["flow.yaml", "target.yaml"]
    .map((name) => join(place, name));
  await Deno.writeTextFile(join(place, "desk.proto"), SCHEMA);
  await Deno.writeTextFile(flow!, flowText(seconds));
  await Deno.writeTextFile(
    target!,
    `name: perf\nbase_urls: ["grpc://127.0.0.1:${port}"]\n`,
  );
  const cost = await processCost(
    benchCommand([
      ...["run", flow!, "--target", target!, "--workers", "1", "--json"],
      ...["--quiet", "--store", join(place, "runs")],
    ]),
    { core: 1, limitSeconds: seconds + 30 },
  );
  if (cost.code !== 0) {
    throw new Error(`bench exited ${cost.code}: ${cost.stderr}`);
  }
  const { requests } = JSON.parse(cost.stdout) as RunMeta;
  return { tool: "bench", count: requests, cost };
}

async function k6Calls(
  place: string,
  port: number,
  seconds: number,
): Promise<Calls> {
  const [script, summary] = ["script.js", "summary.json"]
    .map((name) => join(place, name));
  await Deno.writeTextFile(script!, k6Script(port, seconds));
  const cost = await processCost(
    ["k6", "run", "--quiet", "--summary-export", summary!, script!],
    { core: 1, limitSeconds: seconds + 30 },
  );
  const { metrics } = JSON.parse(await Deno.readTextFile(summary!)) as {
    metrics: { iterations: { count: number } };
  };
  return { tool: "k6", count: metrics.iterations.count, cost };
}

function perCpu({ count, cost }: Calls): number {
  return count / cost.cpuSeconds;
}

function table(runs: readonly Calls[]): string {
  return columns([
    ["", "calls", "calls/s", "CPU s", "calls/CPU s", "RSS MB"],
    ...runs.map((run) => [
      run.tool,
      String(run.count),
      short(run.count / run.cost.wallSeconds),
      run.cost.cpuSeconds.toFixed(2),
      short(perCpu(run)),
      short(run.cost.peakRssMb),
    ]),
  ]);
}
