import { Buffer } from "node:buffer";
import * as zlib from "node:zlib";
import { oneByteEach, rawServer } from "./raw_server.ts";

const MIB = 1024 * 1024;
const ZEROS = 128 * MIB;

/** Compresses `size` zeros without ever holding them. */
async function zeros(
  size: number,
  stream: zlib.Gzip | zlib.Deflate | zlib.BrotliCompress,
): Promise<Buffer> {
  const parts: Buffer[] = [];
  stream.on("data", (part: Buffer) => parts.push(part));
  const ended = new Promise((resolve) => stream.once("end", resolve));
  const piece = Buffer.alloc(MIB);
  for (let at = 0; at < size; at += MIB) {
    if (!stream.write(piece)) {
      await new Promise((resolve) => stream.once("drain", resolve));
    }
  }
  stream.end();
  await ended;
  return Buffer.concat(parts);
}

function brotli(): zlib.BrotliCompress {
  const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_LGWIN } = zlib.constants;
  return zlib.createBrotliCompress({
    params: { [BROTLI_PARAM_QUALITY]: 5, [BROTLI_PARAM_LGWIN]: 24 },
  });
}

/** A server that responds with more than a client can keep, unasked. */
export interface BombServer extends AsyncDisposable {
  readonly url: string;
  /** Paths of bodies that become large when they are decoded. */
  readonly coded: readonly string[];
  /** Paths of bodies without end. */
  readonly endless: readonly string[];
  /** Paths of responses with a status of 500 and a head of nearly 256 KiB. */
  readonly heads: readonly string[];
}

type Coded = Readonly<Record<string, readonly [coding: string, body: Buffer]>>;
let made: Promise<Coded> | undefined;

async function makeCoded(): Promise<Coded> {
  const [gzip, deflate, br] = await Promise.all([
    zeros(ZEROS, zlib.createGzip()),
    zeros(ZEROS, zlib.createDeflate()),
    zeros(ZEROS, brotli()),
  ]);
  return {
    gzip: ["gzip", gzip],
    deflate: ["deflate", deflate],
    br: ["br", br],
    "gzip-gzip": ["gzip, gzip", zlib.gzipSync(gzip)],
    "br-gzip": ["br, gzip", zlib.gzipSync(br)],
    "gzip-br": ["gzip, br", zlib.brotliCompressSync(gzip)],
    "four-deep": [
      "gzip, gzip, gzip, gzip",
      zlib.gzipSync(zlib.gzipSync(zlib.gzipSync(gzip))),
    ],
  };
}

/** Starts one; what it sends is made beforehand, once. */
export async function bombServer(): Promise<BombServer> {
  const coded = await (made ??= makeCoded());
  const OK = "HTTP/1.1 200 OK\r\n";
  const piece = Buffer.alloc(MIB, "x");
  const chunk = Buffer.concat([
    oneByteEach(`${MIB.toString(16)}\r\n`),
    piece,
    oneByteEach("\r\n"),
  ]);
  const endless: Record<string, readonly [head: string, piece: Buffer]> = {
    chunked: ["Transfer-Encoding: chunked\r\n", chunk],
    length: ["Content-Length: 1000000000000\r\n", piece],
    close: ["", piece],
    "tiny-chunks": [
      "Transfer-Encoding: chunked\r\n",
      Buffer.from("1;a\r\nx\r\n".repeat(100_000)),
    ],
  };
  const head = (middle: string) =>
    oneByteEach(`HTTP/1.1 500 ${middle}\r\nContent-Length: 0\r\n\r\n`);
  const heads: Record<string, Uint8Array> = {
    "one-field": head(`Fail\r\nX-A: ${"a".repeat(250_000)}`),
    "many-fields": head(`Fail\r\n${"a:b\r\n".repeat(50_000).trimEnd()}`),
    reason: head("Fail ".repeat(50_000)),
  };
  const server = rawServer(async (connection) => {
    for (let text; (text = await connection.request()) !== undefined;) {
      const path = text.slice("GET /".length, text.indexOf(" HTTP"));
      const [coding, body] = coded[path] ?? [];
      if (body) {
        await connection.send(
          `${OK}Content-Encoding: ${coding}\r\nContent-Length: ${body.length}\r\n\r\n`,
        );
        await connection.send(body);
        continue;
      }
      if (heads[path] !== undefined) {
        await connection.send(heads[path]);
        continue;
      }
      const [head, each] = endless[path]!;
      await connection.send(`${OK}${head}\r\n`);
      for (;;) await connection.send(each);
    }
  });
  return {
    url: server.url,
    coded: Object.keys(coded),
    endless: Object.keys(endless),
    heads: Object.keys(heads),
    [Symbol.asyncDispose]: () => server.close(),
  };
}
