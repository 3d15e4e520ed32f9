/**
 * The gRPC target: every call gets the same response, from bytes made once, so
 * that a tool is measured and not its target (HTTP/2 of node serves 14,000 calls
 * a second, and a client that waits for it pays for waking up).
 *
 *     deno run -A tests/bench/grpc_server.ts
 *
 * Prints its port on the first line.
 */
const PREFACE_BYTES = 24;
const HEAD = 9;
const [DATA, HEADERS, SETTINGS, PING] = [0, 1, 4, 6];
const [END_STREAM, ACK, END_HEADERS] = [1, 1, 4];
const text = (value: string): number[] => [
  value.length,
  ...new TextEncoder().encode(value),
];

function frame(type: number, flags: number, payload: readonly number[]) {
  const size = payload.length;
  return [0, size >> 8, size & 255, type, flags, 0, 0, 0, 0, ...payload];
}

/** `:status` 200 is field 8 of HPACK's static table, the name `content-type` field 31. */
const FIELDS = frame(HEADERS, END_HEADERS, [
  ...[0x88, 0x0f, 16],
  ...text("application/grpc"),
]);
/** `{ id: 42 }` in its frame. */
const MESSAGE = frame(DATA, 0, [0, 0, 0, 0, 2, 8, 42]);
const TRAILERS = frame(HEADERS, END_HEADERS | END_STREAM, [
  0,
  ...text("grpc-status"),
  ...text("0"),
]);
const RESPONSE = new Uint8Array([...FIELDS, ...MESSAGE, ...TRAILERS]);
/** Where the stream's number goes, in each of its frames. */
const STREAM_AT = [5, FIELDS.length + 5, FIELDS.length + MESSAGE.length + 5];
/** Room for 300 million calls of seven bytes. */
const GREETING = [
  ...frame(SETTINGS, 0, []),
  ...frame(8, 0, [0x7f, 0xff, 0, 0]),
];

/** Responds to every whole frame in `input`; returns how many bytes those took. */
function respond(input: Uint8Array, output: number[]): number {
  let at = 0;
  while (input.length - at >= HEAD) {
    const size = (input[at]! << 16) | (input[at + 1]! << 8) | input[at + 2]!;
    const end = at + HEAD + size;
    if (end > input.length) break;
    const [type, flags] = [input[at + 3]!, input[at + 4]!];
    if (type === DATA && flags & END_STREAM) {
      const start = output.length;
      output.push(...RESPONSE);
      for (const place of STREAM_AT) {
        for (let i = 0; i < 4; i++) {
          output[start + place + i] = input[at + 5 + i]!;
        }
      }
    } else if (type === SETTINGS && !(flags & ACK)) {
      output.push(...frame(SETTINGS, ACK, []));
    } else if (type === PING && !(flags & ACK)) {
      output.push(...frame(PING, ACK, [...input.subarray(at + HEAD, end)]));
    }
    at = end;
  }
  return at;
}

async function serve(connection: Deno.TcpConn): Promise<void> {
  connection.setNoDelay(true);
  const buffer = new Uint8Array(64 * 1024);
  const output: number[] = [...GREETING];
  let skip = PREFACE_BYTES;
  let kept = 0;
  while (true) {
    const count = await connection.read(buffer.subarray(kept));
    if (count === null) break;
    const end = kept + count;
    const from = Math.min(skip, end);
    skip -= from;
    const taken = from + respond(buffer.subarray(from, end), output);
    buffer.copyWithin(0, taken, end);
    kept = end - taken;
    if (output.length > 0) await writeAll(connection, new Uint8Array(output));
    output.length = 0;
  }
  connection.close();
}

async function writeAll(to: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await to.write(bytes.subarray(at));
}

const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
// deno-lint-ignore no-console -- the program that started it waits for this line
console.log(listener.addr.port);
for await (const connection of listener) serve(connection).catch(() => {});
