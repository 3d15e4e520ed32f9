import { prepareRun } from "../compile.ts";
import { renderSummary } from "../report/text.ts";
import type { RunMeta } from "../result/run.ts";
import { runFlow, type RunOutcome, Stop } from "../run.ts";
import { metaText } from "../store/run_writer.ts";
import { systemClock } from "../time/clock.ts";
import { systemChance } from "../time/random.ts";
import type { Console } from "./console.ts";
import { failWith } from "./fail.ts";
import { readFlowFile, readTargetFile } from "./inputs.ts";
import { watchInterrupts } from "./interrupts.ts";
import { progressView } from "./progress.ts";
import { storeDirectory } from "./store_directory.ts";
import { readTls, type TlsFlags } from "./tls.ts";
import { systemWorld } from "./world.ts";

/** Options of `bench run`. */
export interface RunFlags extends TlsFlags {
  readonly target: string;
  readonly seed: number;
  readonly store?: string;
  readonly workers?: number;
  readonly json?: true;
  readonly quiet?: true;
}

/** Runs a flow, prints the summary, writes the run directory. Returns the exit code. */
export async function runCommand(
  file: string,
  flags: RunFlags,
  console: Console,
): Promise<number> {
  try {
    const tls = readTls(flags, console);
    const input = await readFlowFile(file);
    const target = await readTargetFile(flags.target, input);
    const prepared = await prepareRun(input, target, systemWorld);
    const outcome = await underInterrupts(
      console,
      flags,
      (stop, rest) =>
        runFlow(prepared, {
          ...rest,
          seed: flags.seed,
          storeDir: storeDirectory(flags.store),
          tls: tls.options,
          workers: flags.workers ?? navigator.hardwareConcurrency,
          clock: systemClock,
          chance: systemChance,
          stop,
          notes: tls.notes,
        }),
    );
    showOutcome(outcome, prepared.sources.get(prepared.file), flags, console);
    return outcome.meta.exit_code ?? 3;
  } catch (error) {
    return failWith(error, console, "text");
  }
}

/** What a run that a person may interrupt and watch is given. */
interface Attended {
  readonly signal: () => "SIGINT" | "SIGTERM" | undefined;
  readonly onProgress: Parameters<typeof runFlow>[1]["onProgress"];
}

async function underInterrupts(
  console: Console,
  flags: { readonly quiet?: true },
  run: (stop: Stop, attended: Attended) => Promise<RunOutcome>,
): Promise<RunOutcome> {
  const stop = new Stop();
  const view = progressView(console);
  const interrupts = watchInterrupts(stop, (text) => {
    view.end();
    console.err(text);
  });
  try {
    return await run(stop, {
      signal: () => interrupts.first,
      onProgress: flags.quiet ? () => {} : (progress) => view.update(progress),
    });
  } finally {
    interrupts.release();
    view.end();
  }
}

/** stdout gets the result and nothing else. */
function showOutcome(
  { meta, directory }: RunOutcome,
  source: string | undefined,
  flags: { readonly json?: true },
  console: Console,
): void {
  if (flags.json) {
    console.out(metaText(meta as RunMeta));
    return;
  }
  console.out(renderSummary(meta, {
    color: console.outColor,
    width: console.width,
    runDir: directory,
    ...(source !== undefined && { source }),
  }));
}
