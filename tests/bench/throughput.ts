import { getFlow, runBench } from "./bench_command.ts";
import { type Figure, median } from "./figure.ts";
import { runRivals } from "./rivals.ts";
import {
  memoryOf,
  perCpu,
  shareOf,
  type ToolRun,
  toolTable,
} from "./tool_run.ts";
import { CERTIFICATE, type WebServer } from "./web_server.ts";

const VUS = 50;
/** Steps of a long flow. */
const LONG = 20;

/** How long the runs are whose throughput is measured, in seconds. */
export interface Lengths {
  readonly seconds: number;
  /** Of a run whose start is a large part of it. */
  readonly brief: number;
}

/** Throughput of every tool against one URL, side by side. */
export interface Throughput {
  readonly runs: readonly ToolRun[];
  readonly table: string;
  readonly figures: readonly Figure[];
}

/** GET on 50 kept-alive connections: `bench` and every rival in turn. */
export async function measureThroughput(
  label: string,
  url: string,
  { seconds, brief }: Lengths,
): Promise<Throughput> {
  const rivals = await runRivals(url, VUS, seconds);
  const own = await getRun(url, seconds);
  const ofBrief = await getRun(url, brief);
  const ofLong = await getRun(url, brief, LONG);
  const of = (name: string) => rivals.find(({ tool }) => tool === name);
  const runs = [own, ...rivals];
  return {
    runs,
    table: toolTable("requests", runs, of("wrk")),
    figures: [
      ...shareOf(`${label}: requests`, own, of("wrk"), 0.75),
      ...shareOf(`${label}: requests`, own, of("k6")),
      {
        name: `${label}: requests of ${LONG} steps per CPU second, of one's`,
        value: perCpu(ofLong) / perCpu(ofBrief),
        unit: "",
      },
      ...shareOf(`${label}, a run of ${brief} s: requests`, ofBrief, of("wrk")),
      memoryOf(`${label}, ${VUS} VUs`, own, 110),
    ],
  };
}

/** Runs of each kind of TLS, in turns. */
const ROUNDS = 5;

/** The options with which TLS takes another way. */
export const OTHER_TLS = {
  "--insecure": ["--insecure"],
  "a client certificate": CERTIFICATE,
};

/** A request over TLS that takes another way, by the CPU of one that does not. */
export async function measureOtherTls(
  url: string,
  { brief }: Lengths,
): Promise<Figure[]> {
  const rounds: Record<string, number>[] = [];
  const all = Object.entries({ usual: [], ...OTHER_TLS });
  for (let round = 0; round < ROUNDS; round++) {
    const costs: Record<string, number> = {};
    for (const [name, args] of all) {
      costs[name] = perCpu(await getRun(url, brief, 1, args));
    }
    rounds.push(costs);
  }
  const of = (name: string) => median(rounds.map((costs) => costs[name]!));
  return Object.keys(OTHER_TLS).map((name) => ({
    name: `HTTPS with ${name}: CPU a request, of the usual`,
    value: of("usual") / of(name),
    unit: "",
    expected: { op: "<=", limit: 1.1 },
  }));
}

/** A request whose parts are new each time, as those of its response, on each version of HTTP. */
export async function measureNewValues(
  { http, http2 }: WebServer,
  { brief }: Lengths,
): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const [version, url] of [["1.1", http], ["2", http2]] as const) {
    const args = ["--http", version];
    const same = await getRun(url, brief, 1, args);
    const fresh = await flowRun(
      newValuesFlow(profileOf(brief)),
      url,
      brief,
      args,
    );
    figures.push({
      name: `HTTP/${version}: CPU of a request with new values, of one without`,
      value: perCpu(same) / perCpu(fresh),
      unit: "",
    }, {
      name: `HTTP/${version} with new values, ${VUS} VUs: peak memory`,
      value: fresh.peakRssMb,
      unit: "MB",
    });
  }
  return figures;
}

/** A flow whose requests have three values that are drawn for each. */
export const newValuesFlow = (profile: string): string =>
  `version: 1
flow: new
profile: ${profile}
values: { item: uuid, trace: uuid, token: { hex: 32 } }
steps:
  - id: get
    call: GET /new/{{ item }}
    headers: { X-Trace: "{{ trace }}", Authorization: "Bearer {{ token }}" }
    extract: { id: $.id }
    assert: [status == 200, $.id == 42]
`;

/** A run of `bench` with so many steps, each a GET. */
function getRun(
  url: string,
  seconds: number,
  steps = 1,
  args: readonly string[] = [],
): Promise<ToolRun> {
  return flowRun(getFlow(profileOf(seconds), steps), url, seconds, args);
}

function profileOf(seconds: number): string {
  return `{ mode: load, vus: ${VUS}, hold: ${seconds}s }`;
}

async function flowRun(
  flow: string,
  url: string,
  seconds: number,
  args: readonly string[],
): Promise<ToolRun> {
  const { cost, meta } = await runBench(flow, url, seconds + 30, { args });
  return { tool: "bench", count: meta.requests, ...cost };
}
