import { hostPort } from "../net/host.ts";
import type { Clock } from "../../base/time/clock.ts";
import { closeQuietly } from "../net/byte_stream.ts";
import { Clients } from "./clients.ts";
import {
  BadRequest,
  headEnd,
  MAX_HEAD_BYTES,
  type ReadRequest,
  readRequest,
  writeResponse,
} from "./response_writer.ts";

/** Makes the response to a request. */
type Handler = (request: Request) => Response | Promise<Response>;

/** The state of a connection, and how long it may stay in it. */
const MOST_MS = {
  /** For the next request. */
  idle: 60_000,
  /** A request has begun, or is the first. */
  reading: 10_000,
  /** The handler is at work. */
  responding: Infinity,
  /** The client takes what is written. */
  writing: 30_000,
  /** The client may still be sending, and reads the response. */
  closing: 2_000,
} as const;

/** One client of a server: its requests, one by one. */
class ServerConnection {
  readonly #buffer = new Uint8Array(MAX_HEAD_BYTES);
  #filled = 0;
  #state: keyof typeof MOST_MS = "reading";
  #since: number;
  #draining = false;

  constructor(
    readonly conn: Deno.Conn,
    readonly handler: Handler,
    readonly clock: Clock,
  ) {
    this.#since = clock.now();
  }

  /** When it last got on; undefined while a response is made or written. */
  get waitingSince(): number | undefined {
    return this.#state === "responding" || this.#state === "writing"
      ? undefined
      : this.#since;
  }

  /** Whether it has not got on for too long. */
  isLate(now: number): boolean {
    return now - this.#since > MOST_MS[this.#state];
  }

  /** Responds until the client leaves; never rejects. */
  async serve(): Promise<void> {
    try {
      while (await this.#turn());
    } catch {
      // The client is gone, or was too slow.
    } finally {
      this.close();
    }
  }

  /** Finishes the response under way, and closes then. */
  drain(): void {
    this.#draining = true;
    if (this.waitingSince !== undefined) this.close();
  }

  close(): void {
    closeQuietly(this.conn);
  }

  /** One request and its response; false when it was the last. */
  async #turn(): Promise<boolean> {
    let asked: ReadRequest | undefined;
    try {
      asked = await this.#read();
    } catch (error) {
      if (!(error instanceof BadRequest)) throw error;
      await this.#refuse(error);
      return false;
    }
    if (!asked) return false;
    this.#enter("responding");
    const stays = await this.#respond(await this.#handle(asked.request), {
      ...asked,
      keepAlive: asked.keepAlive && !this.#draining,
    });
    if (!stays) await this.#linger();
    else this.#enter("idle");
    return stays && !this.#draining;
  }

  async #handle(request: Request): Promise<Response> {
    try {
      return await this.handler(request);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      return plain(500, `this is a bug of bench: ${message}`);
    }
  }

  #respond(response: Response, asked: ReadRequest): Promise<boolean> {
    const write = (bytes: Uint8Array) => this.#write(bytes);
    return writeResponse(response, asked, this.clock, write);
  }

  /** Undefined when the client has no more requests. */
  async #read(): Promise<ReadRequest | undefined> {
    for (;;) {
      const end = headEnd(this.#buffer, this.#filled);
      if (end >= 0) {
        const head = this.#buffer.slice(0, end);
        this.#buffer.copyWithin(0, end, this.#filled);
        this.#filled -= end;
        return readRequest(head);
      }
      if (this.#filled === this.#buffer.length) {
        throw new BadRequest(431, "the head of the request is too long");
      }
      const free = this.#buffer.subarray(this.#filled);
      const count = await this.conn.read(free);
      if (count === null) return undefined;
      // The bytes of a request that is dribbled in buy no time.
      if (this.#state !== "reading") this.#enter("reading");
      this.#filled += count;
    }
  }

  async #refuse({ status, message }: BadRequest): Promise<void> {
    const request = new Request("http://localhost/");
    const asked = { request, keepAlive: false, chunks: true };
    await this.#respond(plain(status, message), asked);
    await this.#linger();
  }

  async #write(bytes: Uint8Array): Promise<void> {
    this.#enter("writing");
    for (let at = 0; at < bytes.length;) {
      at += await this.conn.write(bytes.subarray(at));
      this.#enter("writing");
    }
    this.#enter("responding");
  }

  /**
   * Reads on for a moment: with bytes of the client unread, closing would take
   * back what was written (RFC 9112 section 9.6).
   */
  async #linger(): Promise<void> {
    if (this.#draining) return;
    this.#enter("closing");
    await this.conn.closeWrite();
    while (await this.conn.read(this.#buffer) !== null);
  }

  #enter(state: keyof typeof MOST_MS): void {
    this.#state = state;
    this.#since = this.clock.now();
  }
}

function plain(status: number, text: string): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8" },
  });
}

/** More clients at once than these make the one that waits longest leave. */
const MOST_CONNECTIONS = 256;
/** How often clients that do not get on are looked for. */
const SWEEP_MS = 5_000;

/** Where a server listens. */
interface ListenOptions {
  readonly hostname: string;
  /** 0 for any free port. */
  readonly port: number;
}

/**
 * An HTTP/1.1 server for requests without bodies. Clients that are idle or do
 * not get on are sent away in time, and when there are too many of them, or too
 * few descriptors, the idlest go first: the server itself goes on.
 */
export class HttpServer {
  readonly #listener: Deno.TcpListener;
  readonly #connections: Clients<ServerConnection>;
  readonly #closed = new AbortController();
  readonly #accepting: Promise<void>;
  #sweeping: Promise<void> | undefined;

  /** @throws {Deno.errors.AddrInUse} when the port is taken */
  constructor(
    options: ListenOptions,
    readonly handler: Handler,
    readonly clock: Clock,
  ) {
    this.#listener = Deno.listen({ ...options, transport: "tcp" });
    this.#connections = new Clients(MOST_CONNECTIONS, clock);
    this.#accepting = this.#connections.accept(
      this.#listener,
      (conn) => this.#enter(conn),
      this.#closed.signal,
    );
  }

  get addr(): Deno.NetAddr {
    return this.#listener.addr as Deno.NetAddr;
  }

  /** `host:port` as a person would use it. */
  get address(): string {
    const { hostname, port } = this.addr;
    return hostPort(hostname, port);
  }

  /** Clients that are connected. */
  get size(): number {
    return this.#connections.size;
  }

  /** Stops listening; responses under way are finished. */
  async shutdown(): Promise<void> {
    if (!this.#closed.signal.aborted) {
      this.#closed.abort();
      this.#listener.close();
    }
    for (const each of this.#connections) each.drain();
    await this.#accepting;
    await this.#connections.empty();
    await this.#sweeping;
  }

  /** Stops listening; responses under way are cut off. */
  async abort(): Promise<void> {
    const over = this.shutdown();
    for (const each of this.#connections) each.close();
    await over;
  }

  #enter(conn: Deno.Conn): ServerConnection {
    this.#sweeping ??= this.#sweep();
    return new ServerConnection(conn, this.handler, this.clock);
  }

  /** While there are clients. */
  async #sweep(): Promise<void> {
    const { signal } = this.#closed;
    do {
      await this.clock.sleep(SWEEP_MS, signal);
      const now = this.clock.now();
      for (const each of this.#connections) if (each.isLate(now)) each.close();
    } while (this.#connections.size > 0 && !signal.aborted);
    this.#sweeping = undefined;
  }
}
