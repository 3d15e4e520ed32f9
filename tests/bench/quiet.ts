import { createHash } from "node:crypto";

/**
 * How much of the machine others had while something was measured. Times are CPU
 * seconds, read where Linux says them; elsewhere nothing is known.
 */
interface Reading {
  readonly at: number;
  /** Of all processes but this one and those it started. */
  readonly others: number;
  /** Taken by the host of a virtual machine. */
  readonly stolen: number;
  /** For which a limit of the container held its processes back. */
  readonly throttled: number;
}

/** The machine while something was measured. */
export interface Quietness {
  /** Cores that processes of others had, on average; undefined when it is not known. */
  readonly others: number | undefined;
  /** Shares of the time. */
  readonly stolen: number;
  readonly throttled: number;
  /** How much longer a piece of work took than at its quickest so far, as a share. */
  readonly slower: number;
}

/** More than this is not quiet: a twentieth of a core, or of the time. */
const MOST = 0.05;
/** Work takes a few percent more or less on any machine. */
const SLOWER = 0.1;

/** Begins to watch the machine; the result ends it. */
export function watchMachine(): () => Quietness {
  const workBefore = workMs();
  const before = reading();
  return () => {
    const after = reading();
    const slower = Math.max(workBefore, workMs()) / quickest - 1;
    if (!before || !after) {
      return { others: undefined, stolen: 0, throttled: 0, slower };
    }
    const seconds = Math.max(0.001, (after.at - before.at) / 1_000);
    const share = (key: Exclude<keyof Reading, "at">) =>
      Math.max(0, after[key] - before[key]) / seconds;
    return {
      others: share("others"),
      stolen: share("stolen"),
      throttled: share("throttled"),
      slower,
    };
  };
}

/** Why figures of that time are not to be relied on; empty when it was quiet. */
export function disturbance(
  { others = 0, stolen, throttled, slower }: Quietness,
): string {
  const percent = (share: number) => `${(share * 100).toFixed(0)} %`;
  return [
    ...others > MOST ? [`others had ${others.toFixed(2)} cores`] : [],
    ...stolen > MOST ? [`the host took ${percent(stolen)}`] : [],
    ...throttled > MOST ? [`held back for ${percent(throttled)}`] : [],
    ...slower > SLOWER ? [`a core was ${percent(slower)} slower`] : [],
  ].join(", ");
}

let quickest = Infinity;

/**
 * Milliseconds of a fixed piece of work, at the best of ten. A host says nothing of what
 * else it runs on the same core, or how fast that is clocked: only this shows it. It is
 * no JavaScript, whose pace depends on what V8 has made of it so far.
 */
function workMs(): number {
  let best = Infinity;
  for (let round = 0; round < 10; round++) {
    const start = performance.now();
    const hash = createHash("sha256");
    for (let i = 0; i < PIECES; i++) hash.update(PIECE);
    hash.digest();
    best = Math.min(best, performance.now() - start);
  }
  quickest = Math.min(quickest, best);
  return best;
}

/** It stays in the caches of a core. */
const PIECE = new Uint8Array(64 * 1024);
const PIECES = 64;

/** The kernel counts in hundredths (`USER_HZ`). */
const TICKS = 100;

function reading(): Reading | undefined {
  try {
    const [line = ""] = Deno.readTextFileSync("/proc/stat").split("\n");
    return {
      at: performance.now(),
      others: secondsOfOthers(),
      stolen: Number(line.split(/\s+/)[8]) / TICKS,
      throttled: throttledSeconds(),
    };
  } catch {
    return undefined;
  }
}

/**
 * Of each process that this one did not start, with its children that are over. The sums
 * of `/proc/stat` are of samples, a hundred a second: of 5,000 wakes a second these may
 * see all or none.
 */
function secondsOfOthers(): number {
  const parents = new Map<number, number>();
  const seconds = new Map<number, number>();
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const text = Deno.readTextFileSync(`/proc/${name}/stat`);
      // The name of a program may hold spaces and parentheses.
      const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
      parents.set(Number(name), Number(fields[1]));
      const times = fields.slice(11, 15).map(Number);
      seconds.set(Number(name), times.reduce((a, b) => a + b) / TICKS);
    } catch {
      // It is over.
    }
  }
  const isOwn = (pid: number): boolean => {
    for (let at: number | undefined = pid; at; at = parents.get(at)) {
      if (at === Deno.pid) return true;
    }
    return false;
  };
  return seconds.entries().filter(([pid]) => !isOwn(pid))
    .reduce((sum, [, each]) => sum + each, 0);
}

function throttledSeconds(): number {
  try {
    const text = Deno.readTextFileSync("/sys/fs/cgroup/cpu.stat");
    return Number(/^throttled_usec (\d+)$/m.exec(text)?.[1] ?? 0) / 1e6;
  } catch {
    return 0;
  }
}
