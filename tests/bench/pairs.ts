/**
 * `deno task perf:pairs FOLDER [--quick] [--realtime]`: this checkout beside another
 * one, in turns, so that what else the machine does falls on both. A ratio is
 * that of the medians.
 */
import { type BenchOptions, getFlow, runBench } from "./bench_command.ts";
import { columns, short } from "./figure.ts";
import { FILES, grpcFlow } from "./grpc_calls.ts";
import { startOwnServer } from "./own_server.ts";
import { startWebServer } from "./web_server.ts";
import { ECHOES, echoFlow } from "./ws_echo.ts";

const [other] = Deno.args;
if (other === undefined) throw new Error("name the folder of another checkout");
const quick = Deno.args.includes("--quick");
const ROUNDS = quick ? 2 : 5;
const seconds = quick ? 2 : 4;

interface Work {
  readonly name: string;
  readonly flow: string;
  readonly url: string;
  readonly options?: BenchOptions;
}

await using web = await startWebServer();
await using grpc = await startOwnServer("grpc_server.ts");
await using echo = await startOwnServer("echo_server.ts");
const closed = `{ mode: load, vus: 50, hold: ${seconds}s }`;
const open = `{ mode: load, vus: 200, hold: ${seconds}s, arrival_cap: 5000/s }`;
const works: readonly Work[] = [
  { name: "HTTP", flow: getFlow(closed), url: web.http },
  { name: "HTTPS", flow: getFlow(closed), url: web.https },
  { name: "open loop at 5000/s", flow: getFlow(open), url: web.http },
  {
    name: "gRPC",
    flow: grpcFlow(seconds),
    url: `grpc://127.0.0.1:${grpc.port}`,
    options: { files: FILES },
  },
  {
    name: "WebSocket",
    flow: echoFlow(closed, ECHOES),
    url: `http://127.0.0.1:${echo.port}`,
  },
];

interface Run {
  readonly perCpu: number;
  readonly p50: number;
  readonly p99: number;
  readonly rss: number;
}

async function run(work: Work, root?: string): Promise<Run> {
  const { meta, cost } = await runBench(work.flow, work.url, seconds + 40, {
    ...work.options,
    ...(root !== undefined && { root }),
  });
  const { p50, p99 } = meta.latency;
  return {
    perCpu: meta.requests / cost.cpuSeconds,
    p50: p50 ?? NaN,
    p99: p99 ?? NaN,
    rss: cost.peakRssMb,
  };
}

function median(runs: readonly Run[], key: keyof Run): number {
  const sorted = runs.map((each) => each[key]).sort((a, b) => a - b);
  return sorted[sorted.length >> 1]!;
}

const rows = [
  [
    "",
    "requests/CPU s",
    "other",
    "ratio",
    "p50 ms",
    "other",
    "p99 ms",
    "other",
    "RSS MB",
    "other",
  ],
];
for (const work of works) {
  const [own, theirs]: [Run[], Run[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    own.push(await run(work));
    theirs.push(await run(work, other));
  }
  const pair = (key: keyof Run) => [median(own, key), median(theirs, key)];
  const [mine, others] = pair("perCpu");
  rows.push([
    work.name,
    ...[mine!, others!, mine! / others!].map(short),
    ...pair("p50").map(short),
    ...pair("p99").map(short),
    ...pair("rss").map(short),
  ]);
}
// deno-lint-ignore no-console -- the table is what this command is for
console.log(columns(rows));
