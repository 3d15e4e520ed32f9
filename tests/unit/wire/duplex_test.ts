import { deepStrictEqual, equal, ok, rejects } from "node:assert/strict";
import { once } from "node:events";
import type { ByteStream } from "../../../lib/wire/byte_stream.ts";
import { ByteDuplex } from "../../../lib/wire/duplex.ts";

/** A stream whose reads are fed by hand and whose writes take little at a time. */
class FakeStream implements ByteStream {
  readonly written: number[] = [];
  readonly writes: number[] = [];
  closed = false;
  #reads: ((bytes: Uint8Array | null) => void)[] = [];
  #rejects: ((error: Error) => void)[] = [];

  constructor(readonly atOnce = 3) {}

  read(into: Uint8Array): Promise<number | null> {
    return new Promise((resolve, reject) => {
      this.#rejects.push(reject);
      this.#reads.push((bytes) => {
        if (bytes) into.set(bytes);
        resolve(bytes && bytes.length);
      });
    });
  }

  write(bytes: Uint8Array): Promise<number> {
    const count = Math.min(bytes.length, this.atOnce);
    this.written.push(...bytes.subarray(0, count));
    this.writes.push(bytes.length);
    return Promise.resolve(count);
  }

  close(): void {
    this.closed = true;
    for (const reject of this.#rejects) reject(new Error("closed"));
  }

  feed(bytes: Uint8Array | null): void {
    this.#reads.shift()!(bytes);
  }
}

Deno.test("ByteDuplex hands on what the peer sends, and its end", async () => {
  const stream = new FakeStream();
  const duplex = new ByteDuplex(stream);
  const chunks: Uint8Array[] = [];
  duplex.on("data", (chunk) => chunks.push(chunk));
  await Promise.resolve();
  stream.feed(Uint8Array.of(1, 2));
  await new Promise((resolve) => setImmediate(resolve));
  stream.feed(Uint8Array.of(3));
  await new Promise((resolve) => setImmediate(resolve));
  // The first piece must not be overwritten by the second.
  deepStrictEqual(chunks.map((each) => [...each]), [[1, 2], [3]]);
  equal(duplex.bytesReceived, 3);
  stream.feed(null);
  await once(duplex, "close");
  ok(stream.closed, "nobody writes to a peer that has finished");
});

Deno.test("ByteDuplex writes everything, also when the socket takes a part", async () => {
  const stream = new FakeStream();
  const duplex = new ByteDuplex(stream);
  await new Promise<void>((resolve, reject) =>
    duplex.write(
      Uint8Array.of(1, 2, 3, 4, 5, 6, 7),
      (error) => error ? reject(error) : resolve(),
    )
  );
  deepStrictEqual(stream.written, [1, 2, 3, 4, 5, 6, 7]);
  equal(duplex.bytesSent, 7);
  duplex.destroy();
});

Deno.test("ByteDuplex joins writes that wait for each other", async () => {
  const stream = new FakeStream(100);
  const duplex = new ByteDuplex(stream);
  duplex.write(Uint8Array.of(1));
  duplex.write(Uint8Array.of(2));
  await new Promise((resolve) => duplex.write(Uint8Array.of(3), resolve));
  deepStrictEqual(stream.written, [1, 2, 3]);
  deepStrictEqual(stream.writes, [1, 2]);
  duplex.destroy();
});

Deno.test("ByteDuplex closes its stream once it is destroyed, without an error", async () => {
  const stream = new FakeStream();
  const duplex = new ByteDuplex(stream);
  duplex.on("data", () => {});
  duplex.destroy();
  await once(duplex, "close");
  ok(stream.closed);
});

Deno.test("ByteDuplex tells of a read that failed", async () => {
  const stream = new FakeStream();
  const duplex = new ByteDuplex(stream);
  duplex.resume();
  await Promise.resolve();
  const told = once(duplex, "data");
  stream.close();
  await rejects(told, /closed/);
});
