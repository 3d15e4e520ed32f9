import { runBench } from "./bench_command.ts";
import type { Figure } from "./figure.ts";
import { runK6 } from "./k6_run.ts";
import { startOwnServer } from "./own_server.ts";
import { memoryOf, shareOf, type ToolRun, toolTable } from "./tool_run.ts";

const VUS = 50;
/** Echoes of one session; the same number for every tool. */
export const ECHOES = 200;

const ECHO = `
    ws: { send: { id: 42 }, receive: { match: $.id == 42 } }`;

export const echoFlow = (
  profile: string,
  echoes: number,
  last = "",
): string =>
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

/**
 * Echoes over 50 WebSocket sessions, `bench` and `k6` where it is installed,
 * and the memory that 1,000 open sessions take.
 */
export async function measureWsEcho(
  seconds: number,
): Promise<{ readonly table: string; readonly figures: readonly Figure[] }> {
  await using server = await startOwnServer("echo_server.ts");
  const { port } = server;
  const load = `{ mode: load, vus: ${VUS}, hold: ${seconds}s }`;
  const own = await echoes(port, echoFlow(load, ECHOES));
  const k6 = await runK6({
    script: k6Script(port, seconds),
    counter: "echoes",
    seconds,
  });
  const few = await open(port, 1);
  const many = await open(port, 1_000);
  return {
    table: toolTable("echoes", k6 ? [own, k6] : [own], k6),
    figures: [
      ...shareOf("WebSocket: echoes", own, k6, 1.8),
      memoryOf(`WebSocket, ${VUS} VUs`, own, 130),
      {
        name: "WebSocket: memory of one of 1000 open sessions",
        value: (many.peakRssMb - few.peakRssMb) * 1_024 / 1_000,
        unit: "KB",
        expected: { op: "<=", limit: 35 },
      },
    ],
  };
}

/** Opens that many sessions, each VU one, and holds them for two seconds. */
function open(port: number, vus: number): Promise<ToolRun> {
  const profile = `{ mode: load, vus: ${vus}, iterations: ${vus} }`;
  const last = "  - id: hold\n    wait: 2s\n";
  return echoes(port, echoFlow(profile, 1, last));
}

/** Runs a flow whose first step opens the session; the others echo. */
async function echoes(port: number, flow: string): Promise<ToolRun> {
  const { meta, cost } = await runBench(flow, `http://127.0.0.1:${port}`, 90);
  const count = meta.steps.slice(1)
    .reduce((sum, { requests }) => sum + requests, 0);
  return { tool: "bench", count, ...cost };
}
