import {
  deepStrictEqual,
  match,
  rejects,
  strictEqual,
} from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import type { ByteStream } from "../../../../lib/wire/net/byte_stream.ts";
import { NodeTls } from "../../../../lib/wire/net/node_tls.ts";
import { tlsError } from "../../../../lib/wire/net/wire_error.ts";
import { type RawConnection, rawServer } from "../../../support/raw_server.ts";
import {
  authority,
  client,
  expiredServer,
  type KeyPair,
  otherServer,
  selfSigned,
  server as serverPair,
} from "../../../support/tls/certificates.ts";
import { STRICT } from "../../../support/strict.ts";

/** A connection that reads and writes little at a time, and counts. */
class Wire implements ByteStream {
  reads = 0;

  constructor(readonly conn: Deno.Conn, readonly mostAtOnce = Infinity) {}

  read(into: Uint8Array): Promise<number | null> {
    this.reads++;
    return this.conn.read(into.subarray(0, this.mostAtOnce));
  }

  write(bytes: Uint8Array): Promise<number> {
    return this.conn.write(bytes.subarray(0, this.mostAtOnce));
  }

  close(): void {
    this.conn.close();
  }
}

const INSECURE = new NodeTls({ caCerts: [], insecure: true });

async function dial(
  port: number,
  { tls = INSECURE, mostAtOnce = Infinity, alpn = [] as string[] } = {},
) {
  const wire = new Wire(
    await Deno.connect({ hostname: "127.0.0.1", port }),
    mostAtOnce,
  );
  const { stream, protocol } = await tls.secure(wire, "127.0.0.1", alpn);
  return { wire, stream, protocol };
}

async function writeAll(stream: ByteStream, bytes: Uint8Array): Promise<void> {
  let rest = bytes;
  while (rest.length > 0) rest = rest.subarray(await stream.write(rest));
}

/** So many bytes, read `most` at a time. */
async function readAll(
  stream: ByteStream,
  length: number,
  most: number,
): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for (let count = 0; count < length;) {
    const into = new Uint8Array(most);
    const got = await stream.read(into);
    if (got === null) break;
    parts.push(into.subarray(0, got));
    count += got;
  }
  return Buffer.concat(parts);
}

async function echo({ conn }: RawConnection): Promise<void> {
  const buffer = new Uint8Array(64 * 1024);
  for (let count; (count = await conn.read(buffer)) !== null;) {
    await writeAll(conn, buffer.subarray(0, count));
  }
}

Deno.test(
  "NodeTls carries the same bytes both ways, however reads and writes are split",
  STRICT,
  async () => {
    await using server = rawServer(echo, { tls: serverPair });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ minLength: 1, maxLength: 40_000 }), {
          minLength: 1,
          maxLength: 4,
        }),
        fc.integer({ min: 100, max: 20_000 }),
        fc.integer({ min: 50, max: 40_000 }),
        async (parts, mostAtOnce, most) => {
          const { stream } = await dial(server.port, { mostAtOnce });
          for (const part of parts) {
            await writeAll(stream, part);
            deepStrictEqual(
              await readAll(stream, part.length, most),
              Buffer.from(part),
            );
          }
          stream.close();
        },
      ),
      { numRuns: 25 },
    );
  },
);

Deno.test(
  "NodeTls sends what is longer than its engine takes at once",
  STRICT,
  async () => {
    await using server = rawServer(echo, { tls: serverPair });
    const { stream } = await dial(server.port);
    const bytes = new Uint8Array(1 << 20).map((_, index) => index % 251);
    const [, back] = await Promise.all([
      writeAll(stream, bytes),
      readAll(stream, bytes.length, 16_384),
    ]);
    deepStrictEqual(back, Buffer.from(bytes));
    stream.close();
  },
);

Deno.test(
  "NodeTls reads from the connection only for a reader, and what one read leaves is the next one's",
  STRICT,
  async () => {
    const text = "the server speaks first, in one record";
    await using server = rawServer(async (connection) => {
      await connection.send(text);
      await echo(connection);
    }, { tls: serverPair });
    const { wire, stream } = await dial(server.port);
    const before = wire.reads;
    const into = new Uint8Array(200);
    strictEqual(await stream.read(into.subarray(0, 100)), text.length);
    strictEqual(String(Buffer.from(into.subarray(0, text.length))), text);
    const after = wire.reads;
    await writeAll(stream, new TextEncoder().encode("again"));
    strictEqual(wire.reads, after);
    strictEqual(String(await readAll(stream, 5, 2)), "again");
    strictEqual(before < after, true);
    stream.close();
  },
);

Deno.test(
  "NodeTls rejects the read and the write that are under way when its stream is closed",
  STRICT,
  async () => {
    const held = Promise.withResolvers<void>();
    await using server = rawServer(async ({ conn }) => {
      await conn.read(new Uint8Array(1));
      await held.promise;
    }, { tls: serverPair });
    const { stream } = await dial(server.port);
    const reading = stream.read(new Uint8Array(10));
    // More than the sockets hold, so that the write cannot end either.
    const writing = writeAll(stream, new Uint8Array(32 << 20));
    stream.close();
    await Promise.all([rejects(reading), rejects(writing)]);
    await rejects(stream.write(new Uint8Array(1)));
    stream.close();
    held.resolve();
  },
);

Deno.test(
  "NodeTls says that it closes, as the platform's TLS does",
  STRICT,
  async () => {
    const heard = Promise.withResolvers<number | null>();
    await using server = rawServer(async ({ conn }) => {
      heard.resolve(await conn.read(new Uint8Array(1)).catch(() => -1));
    }, { tls: serverPair });
    const { stream } = await dial(server.port);
    stream.close();
    strictEqual(await heard.promise, null);
  },
);

Deno.test(
  "NodeTls leaves nothing of a thousand connections behind",
  STRICT,
  async () => {
    await using server = rawServer(echo, { tls: selfSigned });
    for (let round = 0; round < 10; round++) {
      const all = await Promise.all(
        Array.from({ length: 100 }, () => dial(server.port)),
      );
      await Promise.all(all.map(async ({ stream }) => {
        await writeAll(stream, new Uint8Array(100));
        strictEqual((await readAll(stream, 100, 100)).length, 100);
        stream.close();
      }));
    }
    strictEqual(server.accepted, 1_000);
  },
);

Deno.test(
  "NodeTls refuses a certificate it has no reason to trust",
  STRICT,
  async () => {
    const table: readonly [KeyPair, string[], RegExp][] = [
      [serverPair, [], /not signed by a known authority/],
      [selfSigned, [authority], /not signed by a known authority/],
      [otherServer, [authority], /not for this host/],
      [expiredServer, [authority], /has expired/],
    ];
    for (const [pair, caCerts, says] of table) {
      await using server = rawServer(echo, { tls: pair });
      const tls = new NodeTls({ caCerts, insecure: false });
      const error = await dial(server.port, { tls }).catch((error) => error);
      match(tlsError(error, "127.0.0.1").message, says);
    }
  },
);

Deno.test(
  "NodeTls refuses a client's key that is not its certificate's",
  STRICT,
  async () => {
    await using server = rawServer(echo, { tls: serverPair });
    const tls = new NodeTls({
      caCerts: [authority],
      insecure: false,
      cert: client.cert,
      key: otherServer.key,
    });
    await rejects(dial(server.port, { tls }));
  },
);
