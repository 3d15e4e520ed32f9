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
/** Echoes of one session; the same number for every tool. */
const ECHOES = 200;

const ECHO = `
    ws: { send: { id: 42 }, receive: { match: $.id == 42 } }`;

const flowText = (profile: string, echoes: number, last = "") =>
  `flow: perf
profile: ${profile}
steps:
  - id: open
    ws: { url: / }
${
    Array.from({ length: echoes }, (_, at) => `  - id: echo_${at}${ECHO}`)
      .join("\n")
  }
${last}`;

const k6Script = (port: number, seconds: number) => `
import ws from "k6/ws";
import { Counter } from "k6/metrics";
const echoes = new Counter("echoes");
export const options = { vus: ${VUS}, duration: "${seconds}s" };
export default function () {
  ws.connect("ws://127.0.0.1:${port}/", {}, (socket) => {
    let left = ${ECHOES};
    const ask = () => socket.send('{"id":42}');
    socket.on("open", ask);
    socket.on("message", (text) => {
      if (JSON.parse(text).id === 42) echoes.add(1);
      if (--left > 0) ask(); else socket.close();
    });
  });
}
`;

interface Echoes {
  readonly tool: string;
  readonly count: number;
  readonly cost: ProcessCost;
}

/**
 * Echoes over 50 WebSocket sessions, `bench` and `k6` where it is installed,
 * and the memory that 1,000 open sessions take.
 */
export async function measureWsEcho(
  seconds: number,
): Promise<{ readonly table: string; readonly figures: readonly Figure[] }> {
  const place = await Deno.makeTempDir({ prefix: "bench-ws-" });
  const [program, ...args] = [
    ...pinned(0),
    ...[Deno.execPath(), "run", "-A"],
    new URL("echo_server.ts", import.meta.url).pathname,
  ];
  const server = new Deno.Command(program!, {
    args,
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = server.stdout.getReader();
  try {
    const { value } = await reader.read();
    const port = Number(new TextDecoder().decode(value));
    const load = `{ mode: load, vus: ${VUS}, hold: ${seconds}s }`;
    const own = await run(place, port, flowText(load, ECHOES));
    const k6 = onPath("k6") ? await k6Echoes(place, port, seconds) : undefined;
    const few = await open(place, port, 1);
    const many = await open(place, port, 1_000);
    return {
      table: table([own, ...(k6 ? [k6] : [])]),
      figures: [
        ...(k6
          ? [{
            name: "WebSocket: echoes per CPU second, of k6's",
            value: perCpu(own) / perCpu(k6),
            unit: "",
            wanted: { op: ">=" as const, limit: 1 },
          }]
          : []),
        {
          name: "WebSocket: memory of one of 1000 open sessions",
          value: (many.cost.peakRssMb - few.cost.peakRssMb) * 1_024 / 1_000,
          unit: "KB",
        },
      ],
    };
  } finally {
    await reader.cancel();
    server.kill();
    await server.status;
    await Deno.remove(place, { recursive: true });
  }
}

/** Opens that many sessions, each VU one, and holds them for two seconds. */
function open(place: string, port: number, vus: number): Promise<Echoes> {
  const profile = `{ mode: load, vus: ${vus}, iterations: ${vus} }`;
  const last = "  - id: hold\n    wait: 2s\n";
  return run(place, port, flowText(profile, 1, last));
}

async function run(place: string, port: number, text: string): Promise<Echoes> {
  const [flow, target] = [join(place, "flow.yaml"), join(place, "target.yaml")];
  await Deno.writeTextFile(flow, text);
  await Deno.writeTextFile(
    target,
    `name: perf\nbase_urls: ["http://127.0.0.1:${port}"]\n`,
  );
  const cost = await processCost(
    benchCommand([
      ...["run", flow, "--target", target, "--workers", "1", "--json"],
      ...["--quiet", "--store", join(place, "runs")],
    ]),
    { core: 1, limitSeconds: 60 },
  );
  if (cost.code !== 0) {
    throw new Error(`bench exited ${cost.code}: ${cost.stderr}`);
  }
  const meta = JSON.parse(cost.stdout) as RunMeta;
  const count = meta.steps.slice(1)
    .reduce((sum, { requests }) => sum + requests, 0);
  return { tool: "bench", count, cost };
}

async function k6Echoes(
  place: string,
  port: number,
  seconds: number,
): Promise<Echoes> {
  const script = join(place, "script.js");
  await Deno.writeTextFile(script, k6Script(port, seconds));
  const summary = join(place, "summary.json");
  const cost = await processCost(
    ["k6", "run", "--quiet", "--summary-export", summary, script],
    { core: 1, limitSeconds: seconds + 40 },
  );
  const { metrics } = JSON.parse(await Deno.readTextFile(summary)) as {
    metrics: { echoes: { count: number } };
  };
  return { tool: "k6", count: metrics.echoes.count, cost };
}

function perCpu({ count, cost }: Echoes): number {
  return count / cost.cpuSeconds;
}

function table(all: readonly Echoes[]): string {
  return columns([
    ["", "echoes", "echoes/s", "CPU s", "echoes/CPU s", "RSS MB"],
    ...all.map((each) => [
      each.tool,
      String(each.count),
      short(each.count / each.cost.wallSeconds),
      each.cost.cpuSeconds.toFixed(2),
      short(perCpu(each)),
      short(each.cost.peakRssMb),
    ]),
  ]);
}
