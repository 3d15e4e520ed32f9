/**
 * `deno task perf`: the figures with a goal.
 *
 * A target on core 0, each tool on core 1, one after the other, so that ratios
 * within one run mean something and absolute numbers do not. `bench` is the packed
 * program, as users have it. It reports; it
 * never fails because of a number. Figures of a time in which the machine was busy
 * with something else are marked.
 */
import { print, readArguments } from "../../tools/command.ts";
import { measureAgent } from "./agent_cost.ts";
import { getFlow, runBench } from "./bench_command.ts";
import { measureStall, measureStartLag } from "./open_loop.ts";
import { measureCompletion } from "./completion.ts";
import { type Figure, figureTable } from "./figure.ts";
import { measureGrpc } from "./grpc_calls.ts";
import { measureEvenness } from "./evenness.ts";
import { measureLongRun } from "./long_run.ts";
import { measureMemory } from "./memory.ts";
import { measureManyWorkers } from "./many_workers.ts";
import { MEASURING } from "./process_cost.ts";
import { onPath } from "../support/tools.ts";
import { measureStartUp } from "./start_up.ts";
import {
  measureNewValues,
  measureOtherTls,
  measureThroughput,
  type Throughput,
} from "./throughput.ts";
import { disturbance, watchMachine } from "./quiet.ts";
import { startWebServer } from "./web_server.ts";
import { measureWsEcho } from "./ws_echo.ts";

const { values: { quick, json: jsonFile } } = readArguments({
  task: "perf",
  takes: "[--quick] [--realtime] [--json FILE]",
  about:
    "Measures the figures that have a goal, beside wrk, hey and k6; takes seventeen minutes.",
}, MEASURING);
/** See `docs/decisions/104-how-long-throughput-is-measured.md`. */
const lengths = quick ? { seconds: 4, brief: 2 } : { seconds: 30, brief: 6 };
const { seconds } = lengths;

const figures: Figure[] = [];
let busy = 0;

/** Measures with an eye on the machine: figures of a busy one are marked. */
async function measured<Result extends { readonly figures: readonly Figure[] }>(
  measure: () => Promise<Result>,
): Promise<Result> {
  const end = watchMachine();
  const result = await measure();
  const disturbed = disturbance(end());
  if (disturbed !== "") {
    busy++;
    print(`busy: ${disturbed}`);
  }
  figures.push(
    ...result.figures.map((each) => disturbed ? { ...each, disturbed } : each),
  );
  return result;
}

async function list(measure: () => Promise<Figure[]>): Promise<void> {
  await measured(async () => ({ figures: await measure() }));
}

async function throughput(
  label: string,
  url: string,
): Promise<Throughput> {
  const result = await measured(() => measureThroughput(label, url, lengths));
  print(`\n${label}, GET on 50 kept-alive connections\n\n${result.table}`);
  return result;
}

await using server = await startWebServer();
// The first run of a fresh program compiles what the others find compiled.
await runBench(
  getFlow("{ mode: load, vus: 1, iterations: 10 }"),
  server.http,
  30,
);
print(`target: ${server.name}, one worker on core 0; tools on core 1`);
const absent = ["nginx", "wrk", "hey", "k6"].filter((tool) => !onPath(tool));
if (absent.length > 0) {
  print(`not installed, so their rows are missing: ${absent.join(", ")}`);
}
const plain = await throughput("HTTP", server.http);
const secure = await throughput("HTTPS", server.https);
await list(() => measureOtherTls(server.https, lengths));
await list(() => measureNewValues(server, lengths));
const calls = await measured(() => measureGrpc(seconds));
print(`\nunary gRPC, 50 VUs\n\n${calls.table}`);
await list(() => measureStartLag(server.http, quick ? 3 : 10));
await list(() => measureStall(quick ? 5 : 10));
await list(() => measureStartUp(quick ? 3 : 10));
await list(() => measureMemory(server, quick));
await list(() => measureLongRun(server, quick ? 10 : 60));
await list(() => measureEvenness(server, quick));
await list(() => measureManyWorkers(server, quick));
const echoes = await measured(() => measureWsEcho(seconds));
print(`\nWebSocket echoes on 50 sessions\n\n${echoes.table}`);
await list(() => measureCompletion(quick ? 10 : 100));
await list(() => measureAgent(quick ? 10 : 60));
print(`\n${figureTable(figures)}`);
print(
  busy === 0
    ? "\nthe machine was quiet"
    : "\nthe machine was not quiet: measure figures that are marked once more",
);

if (jsonFile !== undefined) {
  const tools = { http: plain.runs, https: secure.runs };
  await Deno.writeTextFile(
    jsonFile,
    JSON.stringify({ target: server.name, quick, tools, figures }, null, 2) +
      "\n",
  );
}
