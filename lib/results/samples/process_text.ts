import process from "node:process";

/*
 * Readers of what Linux reports of single processes and threads (proc(5)). Each
 * takes a file's text and returns undefined for what is not in it.
 */

/** Kernel ticks a second in these files: 100 on every port of Linux in use. */
const TICKS = 100;

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
  try {
    // Nanoseconds on a core, nanoseconds waiting, times it ran.
    const [, waited] = /^\d+ (\d+) \d+\s*$/.exec(
      readText("/proc/thread-self/schedstat"),
    )!;
    return Number(waited) / 1_000_000;
  } catch {
    return undefined;
  }
}

/** CPU seconds this process has used so far, all threads together. */
export function processCpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}
