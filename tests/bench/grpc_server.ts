/**
 * The gRPC target: HTTP/2 of node and one answer, made once.
 *
 *     deno run -A tests/bench/grpc_server.ts
 *
 * Prints its port on the first line.
 */
import { Buffer } from "node:buffer";
import http2 from "node:http2";

/** `{ id: 42 }` in its frame. */
const ANSWER = Buffer.from([0, 0, 0, 0, 2, 8, 42]);
const FIELDS = { ":status": 200, "content-type": "application/grpc" };
const TRAILERS = { "grpc-status": "0" };

const server = http2.createServer();
server.on("stream", (stream: http2.ServerHttp2Stream) => {
  stream.on("error", () => {});
  stream.on("wantTrailers", () => stream.sendTrailers(TRAILERS));
  stream.respond(FIELDS, { waitForTrailers: true });
  stream.end(ANSWER);
  stream.resume();
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  // deno-lint-ignore no-console -- whoever started it waits for this line
  console.log(typeof address === "object" ? address!.port : 0);
});
