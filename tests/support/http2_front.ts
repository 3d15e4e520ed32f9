import http from "node:http";
import http2 from "node:http2";
import type { AddressInfo } from "node:net";

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
  const sessions = new Set<http2.ServerHttp2Session>();
  let accepted = 0;
  const server = tls
    ? http2.createSecureServer({ ...tls, allowHTTP1 })
    : http2.createServer();
  server.on("session", (session: http2.ServerHttp2Session) => {
    accepted++;
    sessions.add(session);
    session.on("error", () => {});
    session.on("close", () => sessions.delete(session));
  });
  server.on("stream", (
    stream: http2.ServerHttp2Stream,
    fields: http2.IncomingHttpHeaders,
  ) => pass(stream, fields, origin, agent));
  if (allowHTTP1) {
    server.on("request", (request, response) => {
      if (request.httpVersion === "1.1") response.end('{"ok":true}');
    });
  }
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls ? "https" : "http"}://127.0.0.1:${port}`,
    get accepted() {
      return accepted;
    },
    async [Symbol.asyncDispose]() {
      agent.destroy();
      const closed = new Promise<void>((done) => server.close(() => done()));
      for (const session of sessions) session.destroy();
      await closed;
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
