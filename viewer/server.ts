import { systemClock } from "../lib/base/time/clock.ts";
import { HttpServer } from "../lib/wire/server/http_server.ts";
import { compressed } from "./compressed.ts";
import { respond } from "./respond.ts";
import { isLoopback, ownHosts } from "./security.ts";
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
  /** Whether other machines may reach it. */
  readonly exposed: boolean;
  /** Reads the store, so that the first view finds it read. */
  readAhead(): void;
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
  const server: HttpServer = new HttpServer(
    { port, hostname },
    async (request) => {
      const hosts = ownHosts(hostname, server.addr.port);
      const site = { index, clock: systemClock, hosts };
      return compressed(request, await respond(request, site));
    },
    systemClock,
  );
  const { addr } = server;
  const name = hostname.includes(":") ? `[${hostname}]` : hostname;
  return {
    url: `http://${name}:${addr.port}/`,
    exposed: !isLoopback(addr.hostname),
    readAhead: () => index.readAhead(),
    close: () => server.abort(),
  };
}
