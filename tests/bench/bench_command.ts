import { join } from "node:path";
import type { Histograms } from "../../lib/model/result/series.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { type ProcessCost, processCost } from "./process_cost.ts";
import { CA_FILE } from "./web_server.ts";

/** A run of the real command against a target. */
export interface BenchRun {
  readonly cost: ProcessCost;
  readonly meta: RunMeta;
  readonly histograms: Histograms;
}

const ROOT = new URL("../../", import.meta.url).pathname;
const CONFIG = JSON.parse(Deno.readTextFileSync(join(ROOT, "deno.json"))) as {
  tasks: { bench: string };
};

/** `bench` as a user starts it from a checkout: with the flags and variables of this one's task. */
export function benchCommand(
  args: readonly string[],
  root: string = ROOT,
): readonly string[] {
  const all = CONFIG.tasks.bench.split(" ");
  const at = all.indexOf("deno");
  const words = all.slice(at + 1);
  const main = join(root, words.pop()!);
  return [
    ...["env", ...all.slice(0, at)],
    ...[Deno.execPath(), ...words, main, ...args],
  ];
}

/** The flow every tool runs: one GET, its status and its id. */
export function getFlow(profile: string): string {
  return `flow: perf
profile: ${profile}
steps:
  - id: get
    call: GET /
    assert: [status == 200, $.id == 42]
`;
}

/** What else there is to a run. */
export interface BenchOptions {
  /** What the flow reads, beside it. */
  readonly files?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Another checkout than this one. */
  readonly root?: string;
}

/** Writes flow and target, runs them on one worker on core 1, reads the store. */
export async function runBench(
  flowText: string,
  baseUrl: string,
  limitSeconds: number,
  { files = {}, args = [], root = ROOT }: BenchOptions = {},
): Promise<BenchRun> {
  const folder = await Deno.makeTempDir({ prefix: "bench-perf-" });
  try {
    const flow = join(folder, "flow.yaml");
    const target = join(folder, "target.yaml");
    const all = Object.entries({
      ...files,
      "flow.yaml": flowText,
      "target.yaml": `name: perf\nbase_urls: ["${baseUrl}"]\n`,
    });
    for (const [name, text] of all) {
      await Deno.writeTextFile(join(folder, name), text);
    }
    const cost = await processCost(
      benchCommand([
        ...["run", flow, "--target", target, "--workers", "1", "--json"],
        ...["--quiet", "--store", join(folder, "runs"), "--cacert", CA_FILE],
        ...args,
      ], root),
      { core: 1, limitSeconds },
    );
    if (cost.code !== 0) {
      throw new Error(`bench exited ${cost.code}: ${cost.stderr}`);
    }
    const meta = JSON.parse(cost.stdout) as RunMeta;
    const histograms = JSON.parse(
      await Deno.readTextFile(
        join(folder, "runs", meta.id, "histograms.json"),
      ),
    ) as Histograms;
    return { cost, meta, histograms };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
