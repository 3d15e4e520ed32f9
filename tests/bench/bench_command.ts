import { join } from "node:path";
import type { Histograms, Series } from "../../lib/model/result/series.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { type ProcessCost, processCost } from "./process_cost.ts";
import { CA_FILE } from "./web_server.ts";

/** A run of the real command against a target. */
export interface BenchRun {
  readonly cost: ProcessCost;
  readonly meta: RunMeta;
  readonly histograms: Histograms;
  readonly series: Series;
}

const ROOT = new URL("../../", import.meta.url).pathname;

/** `bench` from a checkout: with the flags and variables of its task. */
export async function checkoutCommand(): Promise<readonly string[]> {
  const config = JSON.parse(
    await Deno.readTextFile(join(ROOT, "deno.json")),
  ) as { tasks: { bench: string } };
  const all = config.tasks.bench.split(" ");
  const at = all.indexOf("deno");
  const words = all.slice(at + 1);
  const main = join(ROOT, words.pop()!);
  return [
    ...["env", ...all.slice(0, at)],
    ...[Deno.execPath(), ...words, main],
  ];
}

const packed = new Map<string, Promise<readonly string[]>>();

/**
 * `bench` of a checkout as it is packed, which is what users start: packed when first
 * asked for, and gone with this process.
 */
export function packedCommand(root: string = ROOT): Promise<readonly string[]> {
  const known = packed.get(root);
  if (known) return known;
  const made = pack(root);
  packed.set(root, made);
  return made;
}

async function pack(root: string): Promise<readonly string[]> {
  const folder = await Deno.makeTempDir({ prefix: "bench-packed-" });
  addEventListener("unload", () => {
    Deno.removeSync(folder, { recursive: true });
  });
  await run([
    ...[Deno.execPath(), "run", "-A", "tools/compile.ts"],
    ...["--pack", "--out", folder],
  ], root);
  const cache = join(folder, "cache");
  await Deno.mkdir(cache);
  const command = ["env", `BENCH_CACHE=${cache}`, join(folder, "bench")];
  // The first start unpacks.
  await run([...command, "--version"], root);
  return command;
}

async function run(
  [program, ...args]: readonly string[],
  cwd: string,
): Promise<void> {
  const { success, stderr } = await new Deno.Command(program!, {
    args,
    cwd,
    stdout: "null",
    stderr: "piped",
  }).output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
}

/** The flow every tool runs: one GET, its status and its id; or several of them. */
export function getFlow(profile: string, steps = 1): string {
  const get = (at: number) => `
  - id: get_${at}
    call: GET /
    assert: [status == 200, $.id == 42]`;
  return `flow: perf
profile: ${profile}
steps:${Array.from({ length: steps }, (_, at) => get(at)).join("")}
`;
}

/** What else there is to a run. */
export interface BenchOptions {
  /** What the flow reads, beside it. */
  readonly files?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** One where it is left out. */
  readonly workers?: number;
  /** Another checkout than this one. */
  readonly root?: string;
  /** On every core that there is, in place of core 1. */
  readonly allCores?: boolean;
}

/** Writes flow and target, runs them, reads the store. */
export async function runBench(
  flowText: string,
  baseUrl: string,
  limitSeconds: number,
  { files = {}, args = [], workers = 1, root, allCores }: BenchOptions = {},
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
      [
        ...await packedCommand(root),
        ...["run", flow, "--target", target, "--workers", String(workers)],
        ...[
          "--json",
          "--quiet",
          "--store",
          join(folder, "runs"),
          "--cacert",
          CA_FILE,
        ],
        ...args,
      ],
      { ...(!allCores && { core: 1 }), limitSeconds },
    );
    if (cost.code !== 0) {
      throw new Error(`bench exited ${cost.code}: ${cost.stderr}`);
    }
    const meta = JSON.parse(cost.stdout) as RunMeta;
    const stored = async (file: string) =>
      JSON.parse(await Deno.readTextFile(join(folder, "runs", meta.id, file)));
    const histograms: Histograms = await stored("histograms.json");
    const series: Series = await stored("series.json");
    return { cost, meta, histograms, series };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
