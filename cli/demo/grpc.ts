import { Buffer } from "node:buffer";
import type {
  IncomingHttpHeaders,
  ServerHttp2Session,
  ServerHttp2Stream,
} from "node:http2";
import type protobuf from "protobufjs";

/** The demo's gRPC server. */
interface GrpcDemo {
  readonly port: number;
  close(): Promise<void>;
}

/** The result of a method: a message, or a code with a reason. */
type Result =
  | Uint8Array
  | {
    readonly code: number;
    readonly message: string;
    readonly pushbackMs?: number;
  };

type Method = (message: Uint8Array) => Result;

const NOT_FOUND = 5;
const RESOURCE_EXHAUSTED = 8;
const UNIMPLEMENTED = 12;

/** There are no items above this. */
const LAST_ITEM = 1_000;

/**
 * Serves `examples/protos/catalog.proto` on a port of its own, because trailers
 * are what `Deno.serve` cannot send.
 *
 * @param port 0 for any free one
 * @throws {Deno.errors.AddrInUse} when the port is taken
 */
export async function startGrpcDemo(
  port: number,
  hostname: string,
): Promise<GrpcDemo> {
  const [http2, { default: library }] = await Promise.all([
    import("node:http2"),
    import("protobufjs"),
  ]);
  const methods = catalog(library);
  const sessions = new Set<ServerHttp2Session>();
  const server = http2.createServer();
  server.on("session", (session) => {
    sessions.add(session);
    session.on("error", () => {});
    session.on("close", () => sessions.delete(session));
  });
  server.on(
    "stream",
    (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) =>
      serve(stream, headers, methods),
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: Error & { code?: string }) =>
      reject(
        error.code === "EADDRINUSE"
          ? new Deno.errors.AddrInUse(`port ${port} is taken`)
          : error,
      ));
    server.listen(port, hostname, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : port,
    async close() {
      const closed = new Promise<void>((resolve) =>
        server.close(() => resolve())
      );
      for (const session of sessions) session.destroy();
      await closed;
    },
  };
}

function serve(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  methods: ReadonlyMap<string, Method>,
): void {
  const chunks: Buffer[] = [];
  stream.on("error", () => {});
  stream.on("data", (chunk: Buffer) => chunks.push(chunk));
  stream.on("end", () => {
    const method = methods.get(String(headers[":path"]));
    const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
    const result = method?.(body.subarray(5)) ??
      { code: UNIMPLEMENTED, message: "there is no such method" };
    if (result instanceof Uint8Array) send(stream, result);
    else refuse(stream, result);
  });
}

const FIELDS = {
  ":status": 200,
  "content-type": "application/grpc",
  "x-served-by": "demo",
};

function send(stream: ServerHttp2Stream, message: Uint8Array): void {
  const frame = Buffer.alloc(5 + message.length);
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, 5);
  stream.respond(FIELDS, { waitForTrailers: true });
  stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
  stream.end(frame);
}

function refuse(
  stream: ServerHttp2Stream,
  { code, message, pushbackMs }: Exclude<Result, Uint8Array>,
): void {
  stream.respond({
    ...FIELDS,
    "grpc-status": String(code),
    "grpc-message": encodeURIComponent(message),
    ...(pushbackMs !== undefined &&
      { "grpc-retry-pushback-ms": String(pushbackMs) }),
  }, { endStream: true });
}

/** The methods of the service, on the wire form of their messages. */
function catalog(
  { Reader, Writer }: typeof protobuf,
): ReadonlyMap<string, Method> {
  let calls = 0;
  /** Fields 1 and 2, both int32. */
  const numbers = (message: Uint8Array): [number, number] => {
    const reader = Reader.create(message);
    const found: [number, number] = [0, 0];
    while (reader.pos < reader.len) {
      const tag = reader.uint32();
      if (tag === 8) found[0] = reader.int32();
      else if (tag === 16) found[1] = reader.int32();
      else reader.skipType(tag & 7);
    }
    return found;
  };
  return new Map<string, Method>([
    ["/shop.v1.Catalog/GetItem", (message) => {
      const [id] = numbers(message);
      if (id < 1 || id > LAST_ITEM) {
        return { code: NOT_FOUND, message: `there is no item ${id}` };
      }
      return Writer.create().uint32(8).int32(id)
        .uint32(18).string(`Item ${id}`)
        .uint32(24).int64(id * 100 + 99)
        .uint32(32).int32(1)
        .finish();
    }],
    ["/shop.v1.Catalog/Reserve", (message) => {
      const [, quantity] = numbers(message);
      if (++calls % 2 === 1) {
        return {
          code: RESOURCE_EXHAUSTED,
          message: "come back in a moment",
          pushbackMs: 20,
        };
      }
      return Writer.create().uint32(10).string(`r-${calls}`)
        .uint32(16).int32(quantity)
        .uint32(26).fork().uint32(8).int64(900).ldelim()
        .finish();
    }],
  ]);
}
