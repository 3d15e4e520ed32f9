import { systemClock } from "../lib/base/time/clock.ts";
import { HttpServer } from "../lib/wire/server/http_server.ts";
import { respond } from "./respond.ts";
import { ownHosts } from "./security.ts";
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
    readAhead: () => index.readAhead(),
    close: () => server.abort(),
  };
}

const COMPRESSIBLE = /^(?:text\/(?!event-stream)|image\/svg|application\/json)/;

/** The response in gzip, where the client takes it and something is gained. */
function compressed(request: Request, response: Response): Response {
  const { body, headers, status, statusText } = response;
  const type = headers.get("content-type") ?? "";
  if (!body || status !== 200 || !COMPRESSIBLE.test(type)) return response;
  const own = new Headers(headers);
  own.append("vary", "accept-encoding");
  if (!takesGzip(request.headers.get("accept-encoding"))) {
    return new Response(body, { status, statusText, headers: own });
  }
  own.set("content-encoding", "gzip");
  const packed = body.pipeThrough(new CompressionStream("gzip"));
  return new Response(packed, { status, statusText, headers: own });
}

/** RFC 9110 section 12.5.3. */
function takesGzip(field: string | null): boolean {
  return (field ?? "").split(",").some((each) => {
    const [coding, weight] = each.split(";").map((part) => part.trim());
    return coding!.toLowerCase() === "gzip" &&
      !/^q=0(?:\.0*)?$/.test(weight ?? "");
  });
}
