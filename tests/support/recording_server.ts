import { rawResponse } from "./raw_response.ts";
import { type RawConnection, rawServer } from "./raw_server.ts";

/** One request as it came, and where. */
export interface Arrival {
  /** Head and body, one byte a character. */
  readonly text: string;
  /** `GET /path?query`, the first line without the version. */
  readonly line: string;
  /** 0-based: of all requests, in order of arrival. */
  readonly index: number;
  /** 0-based: of the connection it came on. */
  readonly connectionIndex: number;
  readonly connection: RawConnection;
}

/** Says what to send; nothing closes the connection without a response. */
export type Responder = (
  arrival: Arrival,
) => string | undefined | Promise<string | undefined>;

/** A server on loopback that keeps every request it gets. */
export interface RecordingServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` or `https://...`. */
  readonly url: string;
  /** `127.0.0.1:<port>`. */
  readonly host: string;
  readonly arrivals: readonly Arrival[];
  /** Connections accepted so far. */
  readonly accepted: number;
  /** The nth request (0-based), as soon as it is there. */
  arrival(index: number): Promise<Arrival>;
}

const OK = () => rawResponse(200, { ok: true });

/** Starts one; without `respond` every response is 200 `{"ok":true}`. */
export function recordingServer(
  respond: Responder = OK,
  options: { tls?: { cert: string; key: string } } = {},
): RecordingServer {
  const arrivals: Arrival[] = [];
  const waiting = new Map<number, PromiseWithResolvers<Arrival>>();
  const server = rawServer(async (conn, connectionIndex) => {
    for (;;) {
      const text = await conn.request();
      if (text === undefined) return;
      const line = text.slice(0, text.indexOf(" HTTP/1.1\r\n"));
      const index = arrivals.length;
      const arrival = {
        text,
        line,
        index,
        connectionIndex,
        connection: conn,
      };
      arrivals.push(arrival);
      waiting.get(index)?.resolve(arrival);
      const bytes = await respond(arrival);
      if (bytes === undefined) return;
      await conn.send(bytes);
    }
  }, options);
  return {
    url: server.url,
    host: `127.0.0.1:${server.port}`,
    arrivals,
    get accepted() {
      return server.accepted;
    },
    arrival(index) {
      const there = arrivals[index];
      if (there) return Promise.resolve(there);
      const slot = waiting.get(index) ?? Promise.withResolvers<Arrival>();
      waiting.set(index, slot);
      return slot.promise;
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** The value of a header of a recorded request; undefined when it has none. */
export function headerOf(
  { text }: Pick<Arrival, "text">,
  name: string,
): string | undefined {
  const head = text.slice(0, text.indexOf("\r\n\r\n"));
  for (const field of head.split("\r\n").slice(1)) {
    const colon = field.indexOf(":");
    if (field.slice(0, colon).toLowerCase() === name.toLowerCase()) {
      return field.slice(colon + 1).trim();
    }
  }
}

/** The body of a recorded request. */
export function bodyOf({ text }: Pick<Arrival, "text">): string {
  return text.slice(text.indexOf("\r\n\r\n") + 4);
}
