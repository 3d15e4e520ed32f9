import { join } from "node:path";
import {
  bench,
  type CommandOptions,
  type CommandResult,
  spawnBench,
  workspace,
} from "./bench.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import type { Span, Trace } from "../../lib/model/result/trace.ts";

/** What a run fixture is made of. */
export interface FixtureFiles {
  /** Text of `flow.yaml`. */
  readonly flow: string;
  /** The first base URL of `target.yaml`. */
  readonly url: string;
  /** More lines of `target.yaml`. */
  readonly target?: string;
  readonly files?: Readonly<Record<string, string>>;
}

/** What a run of a fixture left. */
export interface FixtureRun extends CommandResult {
  /** The run directory; empty when the run was refused. */
  readonly dir: string;
  /** `meta.json`; reading it fails when there is none. */
  readonly meta: RunMeta;
  readonly traces: readonly Trace[];
}

/** A flow, a target and a run store in a directory of their own. */
export interface RunFixture extends Disposable {
  readonly path: string;
  /** Runs the flow to its end. */
  run(args?: readonly string[], options?: CommandOptions): Promise<FixtureRun>;
  /** Starts the flow; the caller ends it. */
  start(args?: readonly string[], options?: CommandOptions): Deno.ChildProcess;
  /** What the last command left in the store. */
  found(result: CommandResult): FixtureRun;
}

/** Makes a fixture; it is gone when the scope ends. */
export function runFixture(
  { flow, url, target = "", files }: FixtureFiles,
): RunFixture {
  const folder = workspace({
    "flow.yaml": flow,
    "target.yaml": `name: here\nbase_urls: [${url}]\n${target}`,
    ...files,
  });
  const line = ["run", "flow.yaml", "--target", "target.yaml"];
  const whole = (
    args: readonly string[],
  ) => [...line, "--store", "runs", ...args];
  const store = join(folder.path, "runs");
  const seen = new Set<string>();
  const found = (result: CommandResult) => {
    const id = runIds(store).find((each) => !seen.has(each));
    if (id === undefined) return readBack(result, "");
    seen.add(id);
    return readBack(result, join(store, id));
  };
  return {
    path: folder.path,
    run: async (args = [], options = {}) =>
      found(await bench(whole(args), { cwd: folder.path, ...options })),
    start: (args = [], options = {}) =>
      spawnBench(whole(args), { cwd: folder.path, ...options }),
    found,
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

/** Runs one flow against one server, and cleans up. */
export async function runOnce(
  files: FixtureFiles,
  args: readonly string[] = [],
  options: CommandOptions = {},
): Promise<FixtureRun> {
  using fixture = runFixture(files);
  const run = await fixture.run(args, options);
  // Read before the directory goes.
  const { meta, traces } = run;
  return { ...run, meta, traces };
}

function readBack(result: CommandResult, dir: string): FixtureRun {
  const read = (file: string) => {
    try {
      return JSON.parse(Deno.readTextFileSync(join(dir, file)));
    } catch (cause) {
      const { code, stdout, stderr } = result;
      throw new Error(`exit ${code}\n${stdout}${stderr}`, { cause });
    }
  };
  return {
    ...result,
    dir,
    get meta() {
      if (dir === "") throw new Error(`no run was stored: ${result.stderr}`);
      return read("meta.json");
    },
    get traces() {
      return read("traces.json").traces;
    },
  };
}

/** The runs of a store, oldest first. */
export function runIds(store: string): string[] {
  try {
    return [...Deno.readDirSync(store)].map((each) => each.name).sort();
  } catch {
    return [];
  }
}

/** Spans of every trace that have this name, in order. */
export function spansOf(run: Pick<FixtureRun, "traces">, name: string): Span[] {
  return run.traces.flatMap((trace) => trace.spans)
    .filter((span) => span.name === name);
}
