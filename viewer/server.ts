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
  /** Settles when it serves no more; rejects when it cannot. */
  readonly finished: Promise<void>;
  /** Settles once it serves again after no descriptor was left for a client. */
  readonly resumed: Promise<void>;
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
  const serve = (port: number, signal: AbortSignal) =>
    Deno.serve(
      {
        port,
        hostname,
        signal,
        automaticCompression: true,
        onListen: () => {},
      },
      (request) => {
        const hosts = ownHosts(hostname, addr.port);
        return respond(request, { index, clock: systemClock, hosts });
      },
    );
  const drop = new AbortController();
  const first = serve(port, AbortSignal.any([closed.signal, drop.signal]));
  const { addr } = first;
  const resumed = Promise.withResolvers<void>();
  const finished = serveOn({ server: first, drop }, (signal) => {
    const server = serve(addr.port, signal);
    resumed.resolve();
    return server;
  }, closed.signal);
  const name = hostname.includes(":") ? `[${hostname}]` : hostname;
  return {
    url: `http://${name}:${addr.port}/`,
    readAhead: () => index.readAhead(),
    finished,
    resumed: resumed.promise,
    close: async () => {
      closed.abort();
      await finished;
    },
  };
}

/** How long a server without a descriptor left waits before it listens again, in milliseconds. */
const PAUSE_MS = 50;

/**
 * Serves until it is stopped. Without a descriptor for one more client the
 * platform's server ends, and closes the connections it had: so it is begun again.
 */
async function serveOn(
  first: { server: Deno.HttpServer; drop: AbortController },
  again: (signal: AbortSignal) => Deno.HttpServer,
  closed: AbortSignal,
): Promise<void> {
  let { server, drop }: { server?: Deno.HttpServer; drop: AbortController } =
    first;
  while (!closed.aborted) {
    try {
      server ??= again(AbortSignal.any([closed, drop.signal]));
      await server.finished;
      return;
    } catch (error) {
      if (!isShortage(error)) throw error;
      // Clients that say nothing hold the descriptors.
      drop.abort();
      drop = new AbortController();
      server = undefined;
      await systemClock.sleep(PAUSE_MS, closed);
    }
  }
}

/** Too many open files, of the process or of the system. */
function isShortage(error: unknown): boolean {
  return error instanceof Deno.errors.Http ||
    /too many open files|EMFILE|ENFILE/i.test(String(error));
}
