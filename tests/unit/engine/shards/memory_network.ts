import type { Listener } from "../../../../lib/engine/shards/lead_pool.ts";
import type { ByteStream } from "../../../../lib/wire/net/byte_stream.ts";

/** One direction of a connection that takes no time. */
class Pipe {
  #chunks: Uint8Array[] = [];
  #waiting: (() => void) | undefined;
  #ended = false;
  /** Nothing gets through any more, and neither end learns of it. */
  stalled = false;

  constructor(readonly tap: Uint8Array[]) {}

  write(bytes: Uint8Array): void {
    if (this.#ended) throw new Error("the connection is closed");
    this.tap.push(bytes.slice());
    if (this.stalled) return;
    this.#chunks.push(bytes.slice());
    this.#waiting?.();
  }

  async read(into: Uint8Array): Promise<number | null> {
    while (this.#chunks.length === 0) {
      if (this.#ended) return null;
      await new Promise<void>((resolve) => this.#waiting = resolve);
    }
    const [first] = this.#chunks;
    const length = Math.min(first!.length, into.length);
    into.set(first!.subarray(0, length));
    if (length === first!.length) this.#chunks.shift();
    else this.#chunks[0] = first!.subarray(length);
    return length;
  }

  end(): void {
    this.#ended = true;
    this.#waiting?.();
  }
}

type Conn = ByteStream & { readonly remoteAddr: Deno.Addr };

/** A connection of the lead with one shard, seen from between. */
export interface Wire {
  /** Every byte that was sent, in both directions. */
  readonly tap: Uint8Array[];
  /** Both ends learn of it. */
  cut(): void;
  stall(): void;
}

/** Connections in memory, for a lead and its shards in one process. */
export class MemoryNetwork implements Listener {
  readonly wires: Wire[] = [];
  #waiting: Conn[] = [];
  #wake: (() => void) | undefined;
  #closed = false;

  /** The shard's end. */
  connect(): Promise<ByteStream> {
    if (this.#closed) return Promise.reject(new Error("connection refused"));
    const tap: Uint8Array[] = [];
    const [up, down] = [new Pipe(tap), new Pipe(tap)];
    const cut = () => {
      up.end();
      down.end();
    };
    // What one end does on a stalled connection does not reach the other.
    const closeUp = () => up.stalled ? up.end() : cut();
    const closeDown = () => down.stalled ? down.end() : cut();
    this.wires.push({
      tap,
      cut,
      stall: () => void (up.stalled = down.stalled = true),
    });
    this.#waiting.push({
      ...streamOf(up, down, closeUp),
      remoteAddr: { transport: "tcp", hostname: "10.0.0.9", port: 1 },
    });
    this.#wake?.();
    return Promise.resolve(streamOf(down, up, closeDown));
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Conn> {
    while (!this.#closed) {
      const next = this.#waiting.shift();
      if (next) yield next;
      else await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }

  close(): void {
    this.#closed = true;
    this.#wake?.();
  }
}

function streamOf(from: Pipe, to: Pipe, end: () => void): ByteStream {
  return {
    read: (into) => from.read(into),
    write(bytes) {
      try {
        to.write(bytes);
        return Promise.resolve(bytes.length);
      } catch (error) {
        return Promise.reject(error);
      }
    },
    close: end,
  };
}
