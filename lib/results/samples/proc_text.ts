import { ifPossible } from "../../base/values/if_possible.ts";
import process from "node:process";
import { sum } from "../../base/values/sum.ts";
import type { CoreUse } from "../../model/result/run.ts";

/*
 * Readers of the text files Linux offers under /proc (proc(5)). Each takes a
 * file's text and returns undefined for what is not in it: kernels, containers
 * and sandboxes leave out different parts.
 */

/** Kernel ticks a second in these files: 100 on every port of Linux in use. */
const TICKS = 100;

/** CPU time so far and the cores it is spread over, from `/proc/stat`. */
interface CpuTime {
  /** Seconds that were neither idle nor waiting for a disk, over all cores. */
  readonly busySeconds: number;
  readonly cores: number;
}

/** Columns: user nice system idle iowait irq softirq steal guest guest_nice. */
export function cpuTime(stat: string): CpuTime | undefined {
  const columns = /^cpu\s+(.*)$/m.exec(stat)?.[1]?.trim().split(/\s+/)
    .map(count);
  if (columns === undefined || columns.length < 4) return undefined;
  // Guest time is in user time already. Kernels before 2.6.11 end earlier.
  const [user, nice, system, , , irq = 0, softirq = 0, steal = 0] = columns;
  const ticks = user! + nice! + system! + irq + softirq + steal;
  const cores = stat.match(/^cpu\d+\s/gm)?.length ?? 0;
  if (!Number.isFinite(ticks) || cores === 0) return undefined;
  return { busySeconds: ticks / TICKS, cores };
}

/** Bytes of memory, from `/proc/meminfo`. */
interface Memory {
  readonly used: number;
  readonly total: number;
}

/** Used is total minus available; available is estimated before Linux 3.14. */
export function memory(meminfo: string): Memory | undefined {
  const bytes = (name: string) => {
    const text = new RegExp(`^${name}:\\s*(\\d+)(?: kB)?\\s*$`, "m")
      .exec(meminfo)?.[1];
    return text === undefined ? undefined : Number(text) * 1_024;
  };
  const total = bytes("MemTotal");
  const free = bytes("MemFree");
  const available = bytes("MemAvailable") ??
    (free === undefined
      ? undefined
      : free + (bytes("Buffers") ?? 0) + (bytes("Cached") ?? 0));
  if (!total || available === undefined) return undefined;
  return { used: Math.max(0, total - available), total };
}

/** Bytes in and out since boot, from `/proc/net/dev`. */
interface Traffic {
  readonly received: number;
  readonly sent: number;
}

/** Every interface but loopback; undefined when there is no table at all. */
export function traffic(netDev: string): Traffic | undefined {
  let received = 0;
  let sent = 0;
  let lines = 0;
  // Old kernels set the first number right against the colon; a name may hold one.
  for (const line of netDev.matchAll(/^\s*(\S+):\s*(\d[\d\s]*)$/gm)) {
    const numbers = line[2]!.trim().split(/\s+/).map(count);
    if (numbers.length < 9) continue;
    lines++;
    if (line[1] === "lo") continue;
    received += numbers[0]!;
    sent += numbers[8]!;
  }
  return lines > 0 && Number.isFinite(received + sent)
    ? { received, sent }
    : undefined;
}

/** File descriptions in use on the whole machine, from `/proc/sys/fs/file-nr`. */
export function openFiles(fileNr: string): number | undefined {
  const [allocated = "", free = ""] = fileNr.trim().split(/\s+/);
  // The second number is 0 since Linux 2.6; before, it was part of the first.
  const open = count(allocated) - (free === "" ? 0 : count(free));
  return open >= 0 ? open : undefined;
}

/** Load average of the last minute, from `/proc/loadavg`. */
export function load1(loadavg: string): number | undefined {
  const text = /^\s*(\d+(?:\.\d+)?)\s/.exec(loadavg)?.[1];
  return text === undefined ? undefined : Number(text);
}

/** NaN for anything but digits. */
function count(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : NaN;
}

/** CPU seconds of all threads of a process, from its `stat`. */
export function cpuSeconds(stat: string): number | undefined {
  // The second field is the program's name in brackets, with anything in it.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  return Number.isFinite(user + system) ? (user + system) / TICKS : undefined;
}

/** Inodes of the sockets that listen on one of the ports, from `net/tcp` or `net/tcp6`. */
export function listeningInodes(
  tcp: string,
  ports: ReadonlySet<number>,
): string[] {
  return tcp.split("\n").flatMap((line) => {
    const fields = line.trim().split(/\s+/);
    const [, local = "", , state] = fields;
    const port = parseInt(local.slice(local.lastIndexOf(":") + 1), 16);
    const inode = fields[9];
    return state === LISTENS && ports.has(port) && inode ? [inode] : [];
  });
}

const LISTENS = "0A";

/**
 * How long the calling thread has been ready to run and waited for a core so
 * far, in milliseconds; undefined where the system does not report it. CPU use does
 * not show it: a thread that gets half a core when it needs a whole one looks
 * half idle.
 */
export function coreWaitMs(
  readText: (path: string) => string = Deno.readTextFileSync,
): number | undefined {
  // Nanoseconds on a core, nanoseconds waiting, times it ran.
  const text = ifPossible(() => readText("/proc/thread-self/schedstat"), "");
  const [, waited] = /^\d+ (\d+) \d+\s*$/.exec(text) ?? [];
  return waited === undefined ? undefined : Number(waited) / 1_000_000;
}

/**
 * CPU seconds this process has used so far, all threads together. Where the system has
 * files of processes, to a hundredth: `node:process` takes 6 ms to load.
 */
export function processCpuSeconds(): number {
  const seconds = secondsOf("self");
  if (seconds !== undefined) return seconds;
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}

/** Who has the cores of this machine from now on. */
export class CoreWatch {
  readonly #targets: ReadonlyMap<string, number>;
  readonly #machine = machine();
  readonly #own = processCpuSeconds();

  /** @param targets processes of the target, by id */
  constructor(targets: readonly string[]) {
    this.#targets = new Map(
      targets.map((pid) => [pid, secondsOf(pid) ?? NaN]),
    );
  }

  /** CPU seconds of this process since then, all its threads together. */
  ownSeconds(): number {
    return processCpuSeconds() - this.#own;
  }

  /** Mean numbers of cores since then; undefined where the system does not report it. */
  use(durationMs: number): CoreUse | undefined {
    const now = machine();
    if (!this.#machine || !now || durationMs <= 0) return undefined;
    const mean = (seconds: number) => Math.max(0, seconds / durationMs * 1_000);
    const generator = mean(this.ownSeconds());
    const target = this.#targetSeconds();
    const busy = mean(now.busySeconds - this.#machine.busySeconds);
    const known = generator + (target === undefined ? 0 : mean(target));
    return {
      total: now.cores,
      generator,
      target: target === undefined ? null : mean(target),
      // Of two clocks that tick a hundred times a second.
      others: Math.max(0, busy - known),
    };
  }

  #targetSeconds(): number | undefined {
    const spent = [...this.#targets].map(([pid, before]) =>
      (secondsOf(pid) ?? NaN) - before
    ).filter(Number.isFinite);
    return spent.length === 0 ? undefined : sum(spent, (each) => each);
  }
}

function machine() {
  return read("/proc/stat", cpuTime);
}

function secondsOf(pid: string): number | undefined {
  return read(`/proc/${pid}/stat`, cpuSeconds);
}

function read<T>(path: string, understand: (text: string) => T): T | undefined {
  return ifPossible(() => understand(Deno.readTextFileSync(path)), undefined);
}
