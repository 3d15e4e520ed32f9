import { join } from "node:path";
import { onPath } from "../support/tools.ts";

/** The service times of a port as the kernel saw its packets. */
export interface WireRecord {
  /**
   * Ends the record. Milliseconds from a request's packet to the last packet of its
   * response, of every request that has one.
   *
   * @throws {Error} when packets were dropped.
   */
  end(): Promise<readonly number[]>;
}

/**
 * Records the packets of a port on the loopback interface with `tcpdump`, from the
 * moment the promise resolves.
 *
 * @throws {Error} where tcpdump may not record: it needs root, or CAP_NET_RAW.
 */
export async function recordWire(port: number): Promise<WireRecord> {
  const folder = await Deno.makeTempDir({ prefix: "bench-wire-" });
  const file = join(folder, "packets");
  const child = new Deno.Command("tcpdump", {
    args: [
      ...["-i", "lo", "-n", "--nano", "--snapshot-length", "80"],
      ...["--buffer-size", "65536", "-w", file, `tcp port ${port}`],
    ],
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const said = new Said(child.stderr);
  if (!await said.until("listening on lo")) {
    await Deno.remove(folder, { recursive: true });
    throw new Error(said.text.trim().replaceAll("\n", " "));
  }
  return {
    async end() {
      try {
        // What it has read so far is written when it ends.
        child.kill("SIGINT");
        await said.until(undefined);
        if (!/^0 packets dropped by kernel/m.test(said.text)) {
          throw new Error(`tcpdump lost packets: ${said.text.trim()}`);
        }
        return serviceTimes(await printed(file), port);
      } finally {
        await Deno.remove(folder, { recursive: true });
      }
    },
  };
}

/** Whether packets can be recorded here; otherwise the reason, for a person. */
export async function whyNoWire(): Promise<string | undefined> {
  if (!onPath("tcpdump")) return "tcpdump is not installed";
  try {
    const record = await recordWire(9);
    await record.end();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** What a process has written so far. */
class Said {
  text = "";
  readonly #reader: ReadableStreamDefaultReader<string>;

  constructor(stream: ReadableStream<Uint8Array>) {
    this.#reader = stream.pipeThrough(
      new TextDecoderStream() as TransformStream<Uint8Array, string>,
    ).getReader();
  }

  /** Reads on until `words` are there, or to the end; whether they are. */
  async until(words: string | undefined): Promise<boolean> {
    while (words === undefined || !this.text.includes(words)) {
      const { done, value } = await this.#reader.read();
      if (done) return false;
      this.text += value;
    }
    return true;
  }
}

async function printed(file: string): Promise<string> {
  const { stdout } = await new Deno.Command("tcpdump", {
    args: ["-r", file, "-n", "-q", "-tt", "--nano"],
    stderr: "null",
  }).output();
  return new TextDecoder().decode(stdout);
}

/** `1764512345.123456789 IP 127.0.0.1.54321 > 127.0.0.1.8080: tcp 145`. */
const PACKET = /^(\d+)\.(\d{9}) IP [\d.]+\.(\d+) > [\d.]+\.(\d+): tcp (\d+)/;

/**
 * The service times in what tcpdump printed, in milliseconds; a connection has one
 * request at a time, in one packet.
 */
export function serviceTimes(text: string, port: number): number[] {
  const times: number[] = [];
  const sent = new Map<string, number>();
  const received = new Map<string, number>();
  const end = (client: string) => {
    const last = received.get(client);
    if (last !== undefined) times.push(last - sent.get(client)!);
    received.delete(client);
  };
  let first: number | undefined;
  for (const line of text.split("\n")) {
    const [, seconds, nanos, from, to, bytes] = PACKET.exec(line) ?? [];
    if (bytes === undefined || bytes === "0") continue;
    // From the first packet on: a time since 1970 has no room for its nanoseconds.
    first ??= Number(seconds);
    const ms = (Number(seconds) - first) * 1_000 + Number(nanos) / 1e6;
    if (Number(to) === port) {
      end(from!);
      sent.set(from!, ms);
    } else if (sent.has(to!)) {
      received.set(to!, ms);
    }
  }
  for (const client of sent.keys()) end(client);
  return times;
}
