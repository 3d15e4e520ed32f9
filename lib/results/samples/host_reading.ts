import { ifPossible } from "../../base/values/if_possible.ts";
import { BenchError } from "../../base/errors/bench_error.ts";
import { type AgentReading, READING_FIELDS } from "../../model/result/agent.ts";
import { cpuTime, load1, memory, openFiles, traffic } from "./proc_text.ts";

/** No figure could be read. */
class HostReadingError extends BenchError {
  override readonly name = "HostReadingError";
}

/** Returns the text of a file; throws when there is none. */
type ReadText = (path: string) => string;

/** Every file a reading needs, under the directory they are mounted at. */
export function hostFiles(proc: string): string[] {
  return Object.values(FILES).map((path) => `${proc}/${path}`);
}

const FILES = {
  cpu: "stat",
  memory: "meminfo",
  // `net` leads to the reading process, which a mounted /proc of another
  // machine's process table does not know; its first process is always there.
  traffic: "net/dev",
  firstTraffic: "1/net/dev",
  openFiles: "sys/fs/file-nr",
  load: "loadavg",
};

/**
 * Reads the state of this machine once. What a kernel does not offer is null.
 *
 * @param now milliseconds since the Unix epoch
 * @param proc where the kernel's files are mounted
 * @throws {HostReadingError} when no file under `proc` can be read
 */
export function readHost(
  now: number,
  proc: string,
  readText: ReadText = Deno.readTextFileSync,
): AgentReading {
  const read = <T>(path: string, understand: (text: string) => T) =>
    ifPossible(() => understand(readText(`${proc}/${path}`)), undefined);
  const cpu = read(FILES.cpu, cpuTime);
  const mem = read(FILES.memory, memory);
  const net = read(FILES.traffic, traffic) ?? read(FILES.firstTraffic, traffic);
  const reading: AgentReading = {
    ts_ms: now,
    cpu_seconds_total: cpu?.busySeconds ?? null,
    cpu_cores: cpu?.cores ?? null,
    mem_used_bytes: mem?.used ?? null,
    mem_total_bytes: mem?.total ?? null,
    net_rx_bytes_total: net?.received ?? null,
    net_tx_bytes_total: net?.sent ?? null,
    open_fds: read(FILES.openFiles, openFiles) ?? null,
    load1: read(FILES.load, load1) ?? null,
  };
  if (READING_FIELDS.every((field) => reading[field] === null)) {
    throw new HostReadingError(
      `Cannot read the state of this machine: no file under \`${proc}\` has a known form`,
    );
  }
  return reading;
}

/** More than any of the kernel's files that are read here; a guess, not a bound. */
const CHUNK = 16_384;

/**
 * Reads files that were opened once, from their start each time: the kernel
 * writes its files anew each time. A process that has them open needs no
 * permission to read them, and no path is walked for each reading.
 *
 * @param paths opened now; one that cannot be opened is missing for good
 */
export function holdFiles(paths: readonly string[]): ReadText {
  const held = new Map(paths.flatMap((path) => {
    const file = ifPossible(() => Deno.openSync(path), undefined);
    return file ? [[path, file]] : [];
  }));
  const chunk = new Uint8Array(CHUNK);
  return (path) => {
    const file = held.get(path);
    if (!file) throw new Deno.errors.NotFound(path);
    file.seekSync(0, Deno.SeekMode.Start);
    const decoder = new TextDecoder();
    let text = "";
    for (let read; (read = file.readSync(chunk));) {
      text += decoder.decode(chunk.subarray(0, read), { stream: true });
    }
    return text;
  };
}
