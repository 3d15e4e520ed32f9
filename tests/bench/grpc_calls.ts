import { runBench } from "./bench_command.ts";
import type { Figure } from "./figure.ts";
import { runK6 } from "./k6_run.ts";
import { startOwnServer } from "./own_server.ts";
import { memoryOf, shareOf, type ToolRun, toolTable } from "./tool_run.ts";

const VUS = 50;

const SCHEMA = `syntax = "proto3";
package perf;
message Question { int32 id = 1; }
message Result { int32 id = 1; }
service Desk { rpc Ask(Question) returns (Result); }
`;
export const FILES = { "desk.proto": SCHEMA };

const ASK = `
    grpc: { proto: desk.proto, method: perf.Desk/Ask, message: { id: 42 } }
    assert: [status == OK, $.id == 42]`;

export const grpcFlow = (seconds: number, steps = 1): string =>
  `flow: perf
profile: { mode: load, vus: ${VUS}, hold: ${seconds}s }
steps:
${
    Array.from({ length: steps }, (_, at) => `  - id: ask_${at}${ASK}`).join(
      "\n",
    )
  }
`;

const k6Script = (port: number, seconds: number) => `
import grpc from "k6/net/grpc";
import { check } from "k6";
const client = new grpc.Client();
client.load([], "desk.proto");
export const options = { vus: ${VUS}, duration: "${seconds}s" };
export default function () {
  if (__ITER === 0) client.connect("127.0.0.1:${port}", { plaintext: true });
  const response = client.invoke("perf.Desk/Ask", { id: 42 });
  check(response, {
    status: (each) => each.status === grpc.StatusOK,
    id: (each) => each.message.id === 42,
  });
}
`;

/** Unary gRPC calls of 50 VUs: `bench`, and `k6` where it is installed. */
export async function measureGrpc(
  seconds: number,
): Promise<{ readonly table: string; readonly figures: readonly Figure[] }> {
  await using server = await startOwnServer("grpc_server.ts");
  const { meta, cost } = await runBench(
    grpcFlow(seconds),
    `grpc://127.0.0.1:${server.port}`,
    seconds + 30,
    { files: FILES },
  );
  const own: ToolRun = { tool: "bench", count: meta.requests, ...cost };
  const k6 = await runK6({
    script: k6Script(server.port, seconds),
    files: FILES,
    counter: "iterations",
    seconds,
  });
  return {
    table: toolTable("calls", k6 ? [own, k6] : [own], k6),
    figures: [
      ...shareOf("gRPC: calls", own, k6, 5),
      memoryOf(`gRPC, ${VUS} VUs`, own, 110),
    ],
  };
}
