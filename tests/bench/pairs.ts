/**
 * `deno task perf:pairs`: this checkout beside another one, in turns, so that what else the machine does falls on both. A ratio is
 * that of the medians.
 */
import {
  type BenchOptions,
  getFlow,
  packedCommand,
  runBench,
} from "./bench_command.ts";
import { print, readArguments } from "../../tools/command.ts";
import { columns, median, short } from "./figure.ts";
import { FILES, grpcFlow } from "./grpc_calls.ts";
import { startOwnServer } from "./own_server.ts";
import { MEASURING } from "./process_cost.ts";
import { disturbance, watchMachine } from "./quiet.ts";
import { firstRequestMs } from "./start_up.ts";
import { newValuesFlow, OTHER_TLS } from "./throughput.ts";
import { startWebServer } from "./web_server.ts";
import { ECHOES, echoFlow } from "./ws_echo.ts";

const { values: { quick }, positionals: [named] } = readArguments({
  task: "perf:pairs",
  takes: "COMMIT|FOLDER [--quick] [--realtime]",
  about: "Measures this checkout beside another one, in turns.",
}, MEASURING);
if (named === undefined) {
  throw new Error("name a commit, or the folder of another checkout");
}
await using checkout = await checkoutOf(named);
const other = checkout.folder;
const ROUNDS = quick ? 2 : 5;
const seconds = quick ? 2 : 4;
const MANY = quick ? 2_000 : 10_000;
/** Of a long flow, whose results take their memory until it ends. */
const STEPS = 60;

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
  { name: `HTTP, ${STEPS} steps`, flow: getFlow(closed, STEPS), url: web.http },
  { name: "HTTPS", flow: getFlow(closed), url: web.https },
  ...Object.entries(OTHER_TLS).map(([name, args]) => ({
    name: `HTTPS, ${name}`,
    flow: getFlow(closed),
    url: web.https,
    options: { args },
  })),
  { name: "HTTP, new values", flow: newValuesFlow(closed), url: web.http },
  { name: "open loop at 5000/s", flow: getFlow(open), url: web.http },
  {
    name: "gRPC",
    flow: grpcFlow(seconds),
    url: `grpc://127.0.0.1:${grpc.port}`,
    options: { files: FILES },
  },
  {
    name: `gRPC, ${STEPS} steps`,
    flow: grpcFlow(seconds, STEPS),
    url: `grpc://127.0.0.1:${grpc.port}`,
    options: { files: FILES },
  },
  {
    name: "WebSocket",
    flow: echoFlow(closed, ECHOES),
    url: `http://127.0.0.1:${echo.port}`,
  },
  {
    name: "HTTP/2",
    flow: getFlow(closed),
    url: web.http2,
    options: { args: ["--http", "2"] },
  },
  {
    name: "HTTP/2, new values",
    flow: newValuesFlow(closed),
    url: web.http2,
    options: { args: ["--http", "2"] },
  },
  {
    name: `${MANY} VUs`,
    flow: getFlow(`{ mode: load, vus: ${MANY}, hold: ${seconds}s }`),
    url: web.http,
  },
];

/** What is compared, over the rounds of one work. */
interface Run {
  readonly perCpu: number;
  readonly p50: number;
  readonly p99: number;
  /** How late the generator itself was; 0 in a closed loop. */
  readonly lag: number;
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
    lag: meta.generator?.late_p99_ms ?? NaN,
    rss: cost.peakRssMb,
  };
}

/** Both in turns: the values of this checkout, then those of the other. */
async function inTurns<T>(
  measure: (root?: string) => Promise<T>,
): Promise<readonly [T[], T[]]> {
  const [own, theirs]: [T[], T[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    own.push(await measure());
    theirs.push(await measure(other));
  }
  return [own, theirs];
}

function pair([own, theirs]: readonly (readonly number[])[]): string[] {
  return [median(own!), median(theirs!)].map(short);
}

const rows = [[
  "",
  ...["requests/CPU s", "other", "ratio"],
  ...[
    "p50 ms",
    "p99 ms",
    "lag p99 ms",
    "RSS MB",
  ].flatMap((name) => [name, "other"]),
]];
const busy: string[] = [];
for (const work of works) {
  const end = watchMachine();
  const runs = await inTurns((root) => run(work, root));
  const of = (key: keyof Run) =>
    runs.map((side) => side.map((each) => each[key]));
  const [mine, others] = of("perCpu").map(median);
  rows.push([
    work.name,
    ...[mine!, others!, mine! / others!].map(short),
    ...pair(of("p50")),
    ...pair(of("p99")),
    ...pair(of("lag")),
    ...pair(of("rss")),
  ]);
  const disturbed = disturbance(end());
  if (disturbed !== "") busy.push(`${work.name}: ${disturbed}`);
}
const starts = await inTurns(async (root) =>
  firstRequestMs(await packedCommand(root))
);
const lines = [
  columns(rows),
  `\nfirst request from process start: ${pair(starts).join(" ms, other ")} ms`,
  busy.length === 0
    ? "the machine was quiet"
    : ["the machine was busy:", ...busy].join("\n  "),
];
print(lines.join("\n"));

/** The folder of a checkout, or a commit of this repository laid out in one. */
async function checkoutOf(
  name: string,
): Promise<AsyncDisposable & { readonly folder: string }> {
  const isFolder = await Deno.stat(name).then((each) => each.isDirectory)
    .catch(() => false);
  if (isFolder) return { folder: name, async [Symbol.asyncDispose]() {} };
  const folder = await Deno.makeTempDir({ prefix: "bench-commit-" });
  const { code } = await new Deno.Command("bash", {
    args: [
      "-c",
      `set -o pipefail; git archive "$0" | tar x -C "$1"`,
      name,
      folder,
    ],
  }).output();
  if (code !== 0) throw new Error(`\`${name}\` is no folder and no commit`);
  return {
    folder,
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}
