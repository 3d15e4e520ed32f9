import type { Clock } from "../../base/time/clock.ts";
import { type Handler, ServerConnection } from "./server_connection.ts";

/** More clients at once than these make the one that waits longest leave. */
const MOST_CONNECTIONS = 256;
/** How often clients that do not get on are looked for. */
const SWEEP_MS = 5_000;
/** How long no client is accepted after that failed, as at the descriptor limit. */
const PAUSE_MS = 50;

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
  readonly #connections = new Set<ServerConnection>();
  readonly #closed = new AbortController();
  readonly #accepting: Promise<void>;
  #sweeping: Promise<void> | undefined;
  #left = Promise.withResolvers<void>();

  /** @throws {Deno.errors.AddrInUse} when the port is taken */
  constructor(
    options: ListenOptions,
    readonly handler: Handler,
    readonly clock: Clock,
  ) {
    this.#listener = Deno.listen({ ...options, transport: "tcp" });
    this.#accepting = this.#accept();
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
    while (this.#connections.size > 0) await this.#left.promise;
    await this.#sweeping;
  }

  /** Stops listening; responses under way are cut off. */
  async abort(): Promise<void> {
    const over = this.shutdown();
    for (const each of this.#connections) each.close();
    await over;
  }

  async #accept(): Promise<void> {
    const { signal } = this.#closed;
    while (!signal.aborted) {
      try {
        this.#admit(await this.#listener.accept());
      } catch {
        // No descriptor is left, or the client has gone.
        if (signal.aborted) return;
        this.#dropIdlest();
        await this.clock.sleep(PAUSE_MS, signal);
      }
    }
  }

  #admit(conn: Deno.Conn): void {
    const full = this.#connections.size >= MOST_CONNECTIONS;
    if (full && !this.#dropIdlest()) return conn.close();
    const connection = new ServerConnection(conn, this.handler, this.clock);
    this.#connections.add(connection);
    void connection.serve().then(() => {
      this.#connections.delete(connection);
      this.#left.resolve();
      this.#left = Promise.withResolvers();
    });
    this.#sweeping ??= this.#sweep();
  }

  /** While there are clients. */
  async #sweep(): Promise<void> {
    const { signal } = this.#closed;
    while (this.#connections.size > 0 && !signal.aborted) {
      await this.clock.sleep(SWEEP_MS, signal);
      const now = this.clock.now();
      for (const each of this.#connections) if (each.isLate(now)) each.close();
    }
    this.#sweeping = undefined;
  }

  /** Whether there was one to send away. */
  #dropIdlest(): boolean {
    let idlest: ServerConnection | undefined;
    for (const each of this.#connections) {
      const since = each.waitingSince;
      if (since === undefined) continue;
      if (since < (idlest?.waitingSince ?? Infinity)) idlest = each;
    }
    if (!idlest) return false;
    this.#connections.delete(idlest);
    idlest.close();
    return true;
  }
}
