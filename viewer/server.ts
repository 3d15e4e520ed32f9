import { systemClock } from "../lib/base/time/clock.ts";
import { ownHosts } from "../lib/base/values/loopback.ts";
import { respond } from "./respond.ts";
import { StoreIndex } from "./store/store_index.ts";

/** Where the viewer listens, and what it shows. */
interface ViewerOptions {
  readonly storeDir: string;
  readonly hostname: string;
  /** 0 for any free port. */
  readonly port: number;
}

/** A running viewer. */
export interface Viewer {
  /** Base URL with a slash at the end. */
  readonly url: string;
  /** Reads the store, so that the first view finds it read. */
  readAhead(): void;
  /** Settles when it serves no more; rejects when it cannot, as without descriptors. */
  readonly finished: Promise<void>;
  /** Stops listening; pages that are being followed live are cut off. */
  close(): Promise<void>;
}

/**
 * Starts the viewer over a run store. It only reads.
 *
 * @throws {Deno.errors.AddrInUse} when the port is taken
 */
export function startViewer(
  { storeDir, hostname, port }: ViewerOptions,
): Viewer {
  const index = new StoreIndex(storeDir.replace(/(?<=.)\/+$/, ""), systemClock);
  const closed = new AbortController();
  // Set, it would move any server of this process to another address.
  Deno.env.delete("DENO_SERVE_ADDRESS");
  const server = Deno.serve(
    {
      port,
      hostname,
      signal: closed.signal,
      automaticCompression: true,
      onListen: () => {},
    },
    (request) => {
      const hosts = ownHosts(hostname, server.addr.port);
      return respond(request, { index, clock: systemClock, hosts });
    },
  );
  const { addr } = server;
  const name = hostname.includes(":") ? `[${hostname}]` : hostname;
  return {
    url: `http://${name}:${addr.port}/`,
    readAhead: () => index.readAhead(),
    finished: server.finished,
    close: async () => {
      closed.abort();
      await server.finished;
    },
  };
}
