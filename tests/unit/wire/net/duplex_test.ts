import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { once } from "node:events";
import fc from "fast-check";
import type { ByteStream } from "../../../../lib/wire/net/byte_stream.ts";
import { StreamDuplex } from "../../../../lib/wire/net/node_tls.ts";

type Said = Uint8Array | null | Error;

/** A byte stream a test holds both ends of. */
class FakeStream implements ByteStream {
  readonly written: Buffer[] = [];
  /** The most one write takes. */
  mostAtOnce = Infinity;
  writeError: Error | undefined;
  closed = 0;
  bytesRead = 0;
  readonly #incoming: Said[] = [];
  #look: (() => void) | undefined;

  /** What the server says: bytes, its end (null), or an error. */
  say(...parts: Said[]): void {
    this.#incoming.push(...parts);
    this.#look?.();
  }

  read(into: Uint8Array): Promise<number | null> {
    return new Promise((resolve, reject) => {
      this.#look = () => {
        if (this.closed > 0) return reject(new Error("closed"));
        const first = this.#incoming.shift();
        if (first === undefined) return;
        this.#look = undefined;
        if (first === null) return resolve(null);
        if (first instanceof Error) return reject(first);
        const count = Math.min(first.length, into.length);
        into.set(first.subarray(0, count));
        this.bytesRead += count;
        if (count < first.length) this.#incoming.unshift(first.subarray(count));
        resolve(count);
      };
      this.#look();
    });
  }

  write(bytes: Uint8Array): Promise<number> {
    if (this.writeError) return Promise.reject(this.writeError);
    const count = Math.min(bytes.length, this.mostAtOnce);
    this.written.push(Buffer.from(bytes.subarray(0, count)));
    return Promise.resolve(count);
  }

  close(): void {
    if (this.closed++ > 0) throw new Error("closed twice");
    this.#look?.();
  }
}

function harness(): { stream: FakeStream; duplex: StreamDuplex } {
  const stream = new FakeStream();
  return { stream, duplex: new StreamDuplex(stream) };
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** All the server says, to its end. */
async function everything(duplex: StreamDuplex): Promise<Buffer> {
  const parts: Buffer[] = [];
  duplex.on("data", (part) => parts.push(part));
  await once(duplex, "end");
  return Buffer.concat(parts);
}

async function destroyed(duplex: StreamDuplex): Promise<void> {
  duplex.destroy();
  if (!duplex.closed) await once(duplex, "close");
}

Deno.test("StreamDuplex hands on what the server says, then its end", async () => {
  const { stream, duplex } = harness();
  stream.say(bytesOf("one"), bytesOf("two"), null);
  strictEqual(String(await everything(duplex)), "onetwo");
  await destroyed(duplex);
  strictEqual(stream.closed, 1);
});

Deno.test("StreamDuplex gives bytes that later reads do not overwrite", async () => {
  const { stream, duplex } = harness();
  const parts: Buffer[] = [];
  duplex.on("data", (part) => parts.push(part));
  stream.say(bytesOf("aaaa"), bytesOf("bbbb"), null);
  await once(duplex, "end");
  deepStrictEqual(parts.map(String), ["aaaa", "bbbb"]);
  await destroyed(duplex);
});

Deno.test("StreamDuplex writes corked parts as one", async () => {
  const { stream, duplex } = harness();
  duplex.cork();
  duplex.write(bytesOf("head"));
  const flushed = new Promise((resolve) =>
    duplex.write(bytesOf("payload"), resolve)
  );
  duplex.uncork();
  await flushed;
  deepStrictEqual(stream.written.map(String), ["headpayload"]);
  await destroyed(duplex);
});

Deno.test("StreamDuplex goes on where a write took only a part", () =>
  fc.assert(fc.asyncProperty(
    fc.uint8Array({ minLength: 1, maxLength: 300 }),
    fc.integer({ min: 1, max: 40 }),
    async (bytes, mostAtOnce) => {
      const { stream, duplex } = harness();
      stream.mostAtOnce = mostAtOnce;
      await new Promise((resolve) => duplex.write(bytes, resolve));
      deepStrictEqual(Buffer.concat(stream.written), Buffer.from(bytes));
      await destroyed(duplex);
    },
  )));

Deno.test("StreamDuplex reads the same bytes however they are split", () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 9_000 }), {
        maxLength: 12,
      }),
      async (parts) => {
        const { stream, duplex } = harness();
        stream.say(...parts, null);
        deepStrictEqual(await everything(duplex), Buffer.concat(parts));
        await destroyed(duplex);
      },
    ),
    { numRuns: 40 },
  ));

for (const side of ["read", "write"]) {
  Deno.test(`StreamDuplex closes with the error a ${side} met`, async () => {
    const { stream, duplex } = harness();
    const error = new Error(`failure in a ${side}`);
    const heard = once(duplex, "error");
    if (side === "read") {
      duplex.resume();
      stream.say(error);
    } else {
      stream.writeError = error;
      duplex.write(bytesOf("x"));
    }
    deepStrictEqual(await heard, [error]);
    await destroyed(duplex);
    strictEqual(stream.closed, 1);
  });
}

Deno.test("StreamDuplex stops reading while no caller takes what came", async () => {
  const { stream, duplex } = harness();
  stream.say(...new Array(64).fill(new Uint8Array(64 * 1024)));
  duplex.read(0);
  for (let turn = 0; turn < 2_000; turn++) await Promise.resolve();
  const { bytesRead: read } = stream;
  ok(read > 0);
  ok(read < 1 << 20, `${read} bytes were read`);
  await destroyed(duplex);
});

Deno.test({
  name: "StreamDuplex is closed only when what is under way has ended",
  sanitizeOps: true,
  sanitizeResources: true,
  async fn() {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = listener.addr;
    const [connection, server] = await Promise.all([
      Deno.connect({ hostname: "127.0.0.1", port }),
      listener.accept(),
    ]);
    const duplex = new StreamDuplex(connection);
    duplex.resume();
    // More than the sockets hold, so that the write cannot end either.
    duplex.write(new Uint8Array(32 << 20), () => {});
    await destroyed(duplex);
    server.close();
    listener.close();
  },
});
