import http2 from "node:http2";
import type { FixtureServer, Manner } from "./protocol_fixture.ts";

/** A server that speaks HTTP/2; `body` makes the good response's JSON. */
export async function http2Server(
  manner: Manner,
  body: (authorization: string | undefined) => unknown,
): Promise<FixtureServer> {
  const credentials: (string | undefined)[] = [];
  const asked = Promise.withResolvers<void>();
  const sessions = new Set<http2.ServerHttp2Session>();
  const server = http2.createServer();
  server.on("session", (session: http2.ServerHttp2Session) => {
    sessions.add(session);
    session.on("error", () => {});
    session.on("close", () => sessions.delete(session));
  });
  server.on(
    "stream",
    (stream: http2.ServerHttp2Stream, fields: http2.IncomingHttpHeaders) => {
      stream.on("error", () => {});
      const credential = fields["authorization"];
      credentials.push(credential);
      asked.resolve();
      respond(stream, manner, JSON.stringify(body(credential)));
    },
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${port}`,
    credentials,
    asked: asked.promise,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) =>
        server.close(() => resolve())
      );
      for (const session of sessions) session.destroy();
      await closed;
    },
  };
}

function respond(
  stream: http2.ServerHttp2Stream,
  manner: Manner,
  body: string,
): void {
  const type = { "content-type": "application/json" };
  switch (manner) {
    case "responds":
      stream.respond({ ":status": 200, ...type });
      return void stream.end(body);
    case "stays silent":
      return;
    case "throttles":
      stream.respond({ ":status": 429, ...type });
      return void stream.end('{"error":"too many requests"}');
    case "breaks off":
      stream.respond({ ":status": 200, "content-length": body.length });
      stream.write(body.slice(0, -5), () => stream.session!.destroy());
  }
}
