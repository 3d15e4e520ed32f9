import { resultOf } from "../support/program.ts";
import { onPath } from "../support/tools.ts";
import { join } from "node:path";

/** What one process took, and what it printed. */
export interface ProcessCost {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly wallSeconds: number;
  /** User and system time. */
  readonly cpuSeconds: number;
  /** Resident set at its highest, as seen twenty times a second. */
  readonly peakRssMb: number;
}

/** How the process is run. */
export interface ProcessOptions {
  /** Pinned to this core where `taskset` exists. */
  readonly core?: number;
  /** It is ended after this long. */
  readonly limitSeconds: number;
}

// The shell's `times` after `wait` gives the children's user and system time
// (POSIX), which needs no tool that has to be installed.
const SCRIPT =
  `"$@" & echo $! > "$COST/pid"; wait $!; code=$?; times > "$COST/times"; exit $code`;

/** Runs a command to its end and says what it cost. */
export async function processCost(
  command: readonly string[],
  { core, limitSeconds }: ProcessOptions,
): Promise<ProcessCost> {
  const folder = await Deno.makeTempDir({ prefix: "bench-cost-" });
  const started = performance.now();
  const child = new Deno.Command("bash", {
    args: ["-c", SCRIPT, "cost", ...pinned(core), ...command],
    env: { COST: folder, NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const watch = watchMemory(folder, limitSeconds);
  try {
    const result = await resultOf(child.output());
    const wallSeconds = (performance.now() - started) / 1_000;
    return {
      ...result,
      wallSeconds,
      cpuSeconds: childSeconds(await Deno.readTextFile(join(folder, "times"))),
      peakRssMb: watch.end(),
    };
  } finally {
    watch.end();
    await Deno.remove(folder, { recursive: true });
  }
}

/** The options of what measures. */
export const MEASURING = {
  quick: { type: "boolean", default: false },
  realtime: { type: "boolean", default: false },
  json: { type: "string" },
} as const;

/**
 * `--realtime`, for a machine that others use as well: the target has core 0, the tool
 * what is left of both, and neither waits for an ordinary process. A tool of several
 * threads that has to share one core at such a priority would wait for itself.
 */
const REALTIME = Deno.args.includes("--realtime");

/** The command prefix that pins a process to a core, where that can be done. */
export function pinned(core: number | undefined): readonly string[] {
  if (REALTIME) {
    return core === 0
      ? ["taskset", "-c", "0", "chrt", "-r", "6"]
      : ["chrt", "-r", "5"];
  }
  return core === undefined || !onPath("taskset")
    ? []
    : ["taskset", "-c", String(core % navigator.hardwareConcurrency)];
}

function watchMemory(folder: string, limitSeconds: number): { end(): number } {
  let peakKb = 0;
  const until = performance.now() + limitSeconds * 1_000;
  const timer = setInterval(() => {
    try {
      const pid = Number(Deno.readTextFileSync(join(folder, "pid")));
      if (performance.now() > until) Deno.kill(pid, "SIGKILL");
      const status = Deno.readTextFileSync(`/proc/${pid}/status`);
      const kb = Number(/VmRSS:\s*(\d+)/.exec(status)?.[1] ?? 0);
      peakKb = Math.max(peakKb, kb);
    } catch {
      // Not started yet, or gone already.
    }
  }, 50);
  return {
    end() {
      clearInterval(timer);
      return peakKb / 1_024;
    },
  };
}

/** The second line of `times`: `0m1.234s 0m0.567s`, children's user and system. */
function childSeconds(times: string): number {
  const line = times.split("\n")[1] ?? "";
  let seconds = 0;
  for (const [, minutes, rest] of line.matchAll(/(\d+)m([\d.]+)s/g)) {
    seconds += Number(minutes) * 60 + Number(rest);
  }
  return seconds;
}
