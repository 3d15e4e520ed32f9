import { join } from "node:path";
import { startDemoTarget } from "../../cli/demo/server.ts";
import { bench, workspace } from "./bench.ts";
import { runIds } from "./run_fixture.ts";

/** What the flows below send as a credential; it must show nowhere. */
export const SECRET = "sekret-token-4711";

const FLOW = (flow: string, profile: string, steps: string) =>
  `flow: ${flow}
data: rows.csv
auth: { scheme: bearer, token: "{{ env.DEMO_TOKEN }}" }
profile: ${profile}
steps:
${steps}`;

const CHECKS = `  - id: health
    call: GET /health
  - id: flaky
    call: GET /flaky?key={{ user.n }}
    retry: { on_status: [503], backoff: fixed, max_attempts: 4, base_delay: 5ms }
  - id: item
    call: GET /items/{{ user.n }}
    extract: { name: $.name }
    assert: [status == 200, '$.name == "Item 2"']
    on_failure: record
  - id: echo
    call: POST /echo
    body: { note: "<script>alert(1)</script>", token: "{{ env.DEMO_TOKEN }}" }
`;
const LOAD = `  - { id: item, call: GET /items/42, assert: [status == 200] }
  - { id: limited, call: "GET /limited?rate=50", on_failure: record }
  - { id: broken, call: GET /items/none, on_failure: record }
  - { id: pause, wait: 5ms }
`;
/** A name and a URL without a space, which no page may be wider for. */
const LENGTHY = `  - id: ${"s".repeat(200)}
    call: GET /items/${"none".repeat(50)}
    on_failure: record
`;
const LIMITS = `thresholds: ["p95(latency) < 2s", "error_rate < 1%"]`;

/** The flows, one a mode. */
const FLOWS: readonly (readonly [name: string, text: string])[] = [
  ["rows", FLOW("rows", `{ mode: integration, ${LIMITS} }`, CHECKS)],
  ["system", FLOW("whole", `{ mode: system, ${LIMITS} }`, CHECKS)],
  ["load", FLOW("busy", `{ mode: load, vus: 4, hold: 3s, ${LIMITS} }`, LOAD)],
  [
    "stress",
    FLOW(
      "climb",
      `{ mode: stress, vus: { ramp: "1 -> 10 over 3s", hold: 1s }, ${LIMITS} }`,
      LOAD,
    ),
  ],
  [
    "soak",
    FLOW("long", `{ mode: soak, vus: 2, hold: 2s, ${LIMITS} }`, LOAD + LENGTHY),
  ],
  [
    "capacity",
    FLOW("short", `{ mode: load, vus: 1, hold: 1s, ${LIMITS} }`, LOAD),
  ],
];
/** No level of it holds. */
const CAPACITY = ["capacity", "--vus", "--trial", "2s", "--cool-down", "0s"];
/** Runs beside each other, and after each other; two of one flow, to compare. */
const RUNS = [
  ["rows", "system", "load", "load"],
  ["stress", "soak"],
  ["capacity"],
];

/** A store made by real runs of every mode against the demo target. */
export async function realStore(): Promise<
  {
    readonly path: string;
    readonly ids: readonly string[];
    /** What each run printed. */
    readonly printed: readonly string[];
  } & Disposable
> {
  const target = await startDemoTarget({ port: 0, hostname: "127.0.0.1" });
  const folder = workspace({
    "rows.csv": "n\n1\n2\n3\nx\n",
    "target.yaml": `name: demo\nbase_urls: [${target.url}]\n`,
    ...Object.fromEntries(
      FLOWS.map(([name, text]) => [`${name}.yaml`, text]),
    ),
  });
  const printed: string[] = [];
  try {
    await Promise.all(RUNS.map(async (names) => {
      for (const name of names) printed.push(await run(name, folder.path));
    }));
  } catch (error) {
    folder[Symbol.dispose]();
    throw error;
  } finally {
    await target.close();
  }
  const path = join(folder.path, "runs");
  return {
    path,
    ids: runIds(path),
    printed,
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

/** @returns what it printed */
async function run(flow: string, cwd: string): Promise<string> {
  const command = flow === "capacity" ? CAPACITY : ["run"];
  const { code, stderr, stdout } = await bench(
    [
      ...command,
      `${flow}.yaml`,
      "--target",
      "target.yaml",
      "--store",
      "runs",
      "-q",
    ],
    { cwd, env: { DEMO_TOKEN: SECRET } },
  );
  if (code > 1) throw new Error(`${flow}: exit code ${code}: ${stderr}`);
  return stdout;
}
