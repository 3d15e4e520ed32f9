import type { ShardListener } from "../../../../lib/engine/shards/lead_pool.ts";
import type { ByteStream } from "../../../../lib/wire/net/byte_stream.ts";

/** One direction of a connection. */
class Pipe {
  #chunks: Uint8Array[] = [];
  #waiting: (() => void) | undefined;
  #ended = false;
  /** Nothing gets through any more, and neither end learns of it. */
  stalled = false;

  /** After so many bytes more the connection breaks. */
  #left = Infinity;

  /** @param travel what bytes take to the other end */
  constructor(
    readonly tap: Uint8Array[],
    readonly travel: Travel,
    readonly broken: () => void,
  ) {}

  write(bytes: Uint8Array): void {
    if (this.#ended) throw new Error("the connection is closed");
    this.tap.push(bytes.slice());
    if (this.stalled) return;
    const whole = bytes.length <= this.#left;
    const arriving = bytes.slice(0, Math.min(bytes.length, this.#left));
    this.#left -= arriving.length;
    this.travel(() => {
      this.#chunks.push(arriving);
      this.#waiting?.();
      if (!whole) this.broken();
    });
  }

  breakAfter(bytes: number): void {
    this.#left = bytes;
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

  /** The writer has closed it: what is on its way still arrives. */
  finish(): void {
    if (!this.stalled) this.travel(() => this.end());
  }

  end(): void {
    this.#ended = true;
    this.#waiting?.();
  }
}

/** Brings something from one end to the other. */
type Travel = (arrive: () => void) => void;

type Conn = ByteStream & { readonly remoteAddr: Deno.Addr };

/** A connection of the lead with one shard, seen from between. */
export interface Wire {
  /** Every byte that was sent, in both directions. */
  readonly tap: Uint8Array[];
  /** Both ends learn of it. */
  cut(): void;
  stall(): void;
  /** Breaks in what is sent next, after so many bytes. */
  cutWithin(direction: "up" | "down", bytes: number): void;
}

/** Connections in memory, for a lead and its shards in one process. */
export class MemoryNetwork implements ShardListener {
  readonly wires: Wire[] = [];
  /** How long bytes take to the lead and to the shard; no time when absent. */
  travel: { readonly up: Travel; readonly down: Travel } = {
    up: (arrive) => arrive(),
    down: (arrive) => arrive(),
  };
  /** So many connections cannot be accepted, as at the descriptor limit. */
  failures = 0;
  #waiting: Conn[] = [];
  #wake: (() => void) | undefined;
  #closed = false;

  /** The shard's end. */
  connect(): Promise<ByteStream> {
    if (this.#closed) return Promise.reject(new Error("connection refused"));
    const tap: Uint8Array[] = [];
    const cut = () => {
      up.end();
      down.end();
    };
    const up = new Pipe(tap, this.travel.up, cut);
    const down = new Pipe(tap, this.travel.down, cut);
    this.wires.push({
      tap,
      cut,
      stall: () => void (up.stalled = down.stalled = true),
      cutWithin: (direction, bytes) =>
        (direction === "up" ? up : down).breakAfter(bytes),
    });
    this.#waiting.push({
      ...streamOf(up, down),
      remoteAddr: { transport: "tcp", hostname: "10.0.0.9", port: 1 },
    });
    this.#wake?.();
    return Promise.resolve(streamOf(down, up));
  }

  async accept(): Promise<Conn> {
    for (;;) {
      if (this.#closed) throw new Error("the listener is closed");
      if (this.failures-- > 0) throw new Error("too many open files");
      const next = this.#waiting.shift();
      if (next) return next;
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }

  close(): void {
    this.#closed = true;
    this.#wake?.();
  }
}

function streamOf(from: Pipe, to: Pipe): ByteStream {
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
    close() {
      from.end();
      to.finish();
    },
  };
}
