import type { Clock } from "../../base/time/clock.ts";
import { Clients } from "./clients.ts";
import { type Handler, ServerConnection } from "./server_connection.ts";

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
    return hostname.includes(":")
      ? `[${hostname}]:${port}`
      : `${hostname}:${port}`;
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
