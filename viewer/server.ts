import { systemClock } from "../lib/base/time/clock.ts";
import { respond } from "./respond.ts";
import { isLoopback, ownHosts } from "./security.ts";
import { StoreIndex } from "./store/store_index.ts";

/** Where the viewer listens, and what it shows. */
export interface ViewerOptions {
  readonly storeDir: string;
  readonly hostname: string;
  /** 0 for any free port. */
  readonly port: number;
}

/** A running viewer. */
export interface Viewer {
  /** Base URL with a slash at the end. */
  readonly url: string;
  /** Whether other machines may reach it. */
  readonly exposed: boolean;
  /** Stops listening; pages that are being followed live are cut off. */
  close(): Promise<void>;
}

/**
 * Starts the viewer over a run store. It only reads.
 *
 * @throws {Deno.errors.AddrInUse} when the port is taken
 * @throws {Error} when it could only listen somewhere else than asked
 */
export async function startViewer(
  { storeDir, hostname, port }: ViewerOptions,
): Promise<Viewer> {
  // Set, it would move any server of this process to another address.
  Deno.env.delete("DENO_SERVE_ADDRESS");
  const over = new AbortController();
  const index = new StoreIndex(storeDir.replace(/(?<=.)\/+$/, ""), systemClock);
  let hosts: ReadonlySet<string> = new Set();
  const server = Deno.serve(
    {
      port,
      hostname,
      automaticCompression: true,
      signal: over.signal,
      onListen: () => {},
    },
    (request) => respond(request, { index, clock: systemClock, hosts }),
  );
  const { addr } = server;
  const where = addr.transport === "tcp" ? addr : undefined;
  if (!where || !came(where.hostname, hostname)) {
    over.abort();
    await server.finished;
    throw new Error(
      `Cannot start the viewer on ${hostname}: it came up on ${
        JSON.stringify(addr)
      }`,
    );
  }
  hosts = ownHosts(hostname, where.port);
  const name = hostname.includes(":") ? `[${hostname}]` : hostname;
  return {
    url: `http://${name}:${where.port}/`,
    exposed: !isLoopback(where.hostname),
    async close() {
      over.abort();
      await server.finished;
    },
  };
}

/** Whether the server came up where it was asked to; a name may be any address. */
function came(actual: string, asked: string): boolean {
  if (actual === asked) return true;
  if (asked === "localhost") return isLoopback(actual);
  return !/^[\d.]+$/.test(asked) && !asked.includes(":") &&
    actual !== "0.0.0.0" && actual !== "::";
}
