import http2 from "node:http2";
import { listening } from "../support/http2_listener.ts";
import type { FixtureServer, Manner } from "./protocol_fixture.ts";

/** A server that speaks HTTP/2; `body` makes the good response's JSON. */
export async function http2Server(
  manner: Manner,
  body: (authorization: string | undefined) => unknown,
): Promise<FixtureServer> {
  const credentials: (string | undefined)[] = [];
  const asked = Promise.withResolvers<void>();
  const server = http2.createServer();
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
  const listener = await listening(server);
  return {
    ...listener,
    url: `http://127.0.0.1:${listener.port}`,
    credentials,
    asked: asked.promise,
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
