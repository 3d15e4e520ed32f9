import http from "node:http";
import http2 from "node:http2";
import { listening } from "./http2_listener.ts";

/** A server that speaks HTTP/2 and passes each request on over HTTP/1.1. */
export interface Http2Front extends AsyncDisposable {
  readonly url: string;
  /** Connections accepted so far. */
  readonly accepted: number;
}

/** How a front speaks. */
export interface FrontOptions {
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Over TLS, whether it takes HTTP/1.1 as well. */
  readonly allowHTTP1?: boolean;
}

const OF_HTTP1 = new Set(["connection", "keep-alive", "transfer-encoding"]);

/** Starts one before the server at `origin`. */
export async function http2Front(
  origin: string,
  { tls, allowHTTP1 = false }: FrontOptions = {},
): Promise<Http2Front> {
  const agent = new http.Agent({ keepAlive: true });
  let accepted = 0;
  const server = tls
    ? http2.createSecureServer({ ...tls, allowHTTP1 })
    : http2.createServer();
  server.on("session", () => accepted++);
  server.on("stream", (
    stream: http2.ServerHttp2Stream,
    fields: http2.IncomingHttpHeaders,
  ) => pass(stream, fields, origin, agent));
  if (allowHTTP1) {
    server.on("request", (request, response) => {
      if (request.httpVersion === "1.1") response.end('{"ok":true}');
    });
  }
  const listener = await listening(server);
  return {
    url: `${tls ? "https" : "http"}://127.0.0.1:${listener.port}`,
    get accepted() {
      return accepted;
    },
    [Symbol.asyncDispose]() {
      agent.destroy();
      return listener[Symbol.asyncDispose]();
    },
  };
}

function pass(
  stream: http2.ServerHttp2Stream,
  fields: http2.IncomingHttpHeaders,
  origin: string,
  agent: http.Agent,
): void {
  stream.on("error", () => {});
  const { ":method": method, ":path": path, ":authority": host, ...rest } =
    fields;
  const headers = Object.fromEntries(
    Object.entries(rest).filter(([name]) => !name.startsWith(":")),
  );
  const request = http.request(`${origin}${path}`, {
    method: method!,
    agent,
    headers: { host: host!, ...headers } as http.OutgoingHttpHeaders,
  });
  request.on("error", () => stream.close(http2.constants.NGHTTP2_CANCEL));
  request.on("response", (response) => {
    const own = Object.entries(response.headers)
      .filter(([name]) => !OF_HTTP1.has(name));
    stream.respond({
      ":status": response.statusCode!,
      ...Object.fromEntries(own),
    });
    response.on("error", () => stream.close(http2.constants.NGHTTP2_CANCEL));
    response.pipe(stream);
  });
  stream.pipe(request);
}
