import { decodeFromCompressedBase64 } from "hdr-histogram-js";
import { join } from "node:path";
import { getFlow, runBench } from "./bench_command.ts";
import { runK6Script } from "./k6_run.ts";
import { processCost } from "./process_cost.ts";
import { onPath } from "../support/tools.ts";

/** Which percentiles are compared. */
export const PERCENTS = [50, 90, 99, 99.9] as const;
/** Milliseconds, one for each of `PERCENTS`. */
export type Percentiles = readonly number[];

/** The work every tool is given. */
export interface KnownLoad {
  readonly url: string;
  readonly seconds: number;
  /** Users in the closed loop; requests a second in the open loop. */
  readonly vus: number;
  readonly rate?: number;
}

/** A tool that says what latencies it saw. */
export interface KnownTool {
  readonly name: string;
  readonly loops: readonly ("closed" | "open")[];
  run(load: KnownLoad): Promise<Percentiles>;
}

export const TOOLS: readonly KnownTool[] = [
  { name: "bench", loops: ["closed", "open"], run: runOwn },
  { name: "wrk", loops: ["closed"], run: runWrk },
  { name: "wrk2", loops: ["open"], run: runWrk },
  { name: "hey", loops: ["closed", "open"], run: runHey },
  { name: "k6", loops: ["closed", "open"], run: runK6 },
];

export function isInstalled({ name }: KnownTool): boolean {
  return name === "bench" || onPath(name);
}

/** By nearest rank. */
export function percentilesOf(values: readonly number[]): Percentiles {
  const sorted = Float64Array.from(values).sort();
  return PERCENTS.map((percent) =>
    sorted[Math.max(0, Math.ceil(sorted.length * percent / 100) - 1)] ?? NaN
  );
}

/** Its service time: a response time begins when the request was due. */
async function runOwn(load: KnownLoad): Promise<Percentiles> {
  const { url, seconds, vus, rate } = load;
  const profile = rate === undefined
    ? `{ mode: load, vus: ${vus}, hold: ${seconds}s }`
    : `{ mode: load, vus: ${
      rate * 1.2
    }, hold: ${seconds}s, arrival_cap: ${rate}/s }`;
  const run = await runBench(getFlow(profile), url, seconds + 40);
  const histogram = decodeFromCompressedBase64(run.histograms.overall.service);
  return PERCENTS.map((percent) =>
    histogram.getValueAtPercentile(percent) / 1_000
  );
}

/** wrk and wrk2 take the same script; only wrk2 knows a rate. */
async function runWrk(load: KnownLoad): Promise<Percentiles> {
  const { url, seconds, vus, rate } = load;
  const folder = await Deno.makeTempDir({ prefix: "bench-wrk-" });
  try {
    const script = join(folder, "percentiles.lua");
    await Deno.writeTextFile(
      script,
      `function done(_, latency)
  for _, p in ipairs({${
        PERCENTS.join(", ")
      }}) do print("p", latency:percentile(p)) end
end
`,
    );
    const stdout = await outputOf([
      ...(rate === undefined ? ["wrk"] : ["wrk2", `-R${rate}`]),
      ...["-t1", `-c${vus}`, `-d${seconds}s`, "-s", script, url],
    ], seconds);
    return [...stdout.matchAll(/^p\s+([\d.]+)$/gm)]
      .map(([, us]) => Number(us) / 1_000);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Its own percentiles are rounded to 0.1 ms, and so are those of its list. */
async function runHey(load: KnownLoad): Promise<Percentiles> {
  const { url, seconds, vus, rate } = load;
  const pace = rate === undefined ? [] : ["-q", String(rate / vus)];
  const csv = await outputOf(
    ["hey", "-o", "csv", "-z", `${seconds}s`, "-c", `${vus}`, ...pace, url],
    seconds,
  );
  const [, ...lines] = csv.trim().split("\n");
  return percentilesOf(lines.map((line) => Number(line.split(",")[0]) * 1_000));
}

/** Its `http_req_duration`: from the send to the last byte. */
async function runK6(load: KnownLoad): Promise<Percentiles> {
  const { url, seconds, vus, rate } = load;
  const scenario = rate === undefined
    ? `executor: "constant-vus", vus: ${vus}`
    : `executor: "constant-arrival-rate", rate: ${rate}, preAllocatedVUs: ${
      rate * 1.2
    }`;
  const metrics = await runK6Script(
    `
import http from "k6/http";
export const options = {
  scenarios: { load: { ${scenario}, duration: "${seconds}s" } },
  summaryTrendStats: [${PERCENTS.map((each) => `"p(${each})"`)}],
};
export default function () { http.get("${url}/"); }
`,
    {},
    seconds,
  );
  const duration = metrics["http_req_duration"] ?? {};
  return PERCENTS.map((percent) => duration[`p(${percent})`] ?? NaN);
}

async function outputOf(
  command: readonly string[],
  seconds: number,
): Promise<string> {
  const { code, stdout, stderr } = await processCost(command, {
    core: 1,
    limitSeconds: seconds + 20,
  });
  if (code !== 0) throw new Error(`${command[0]} exited ${code}: ${stderr}`);
  return stdout;
}
