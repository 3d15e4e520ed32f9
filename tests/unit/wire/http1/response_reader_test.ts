import assert from "node:assert/strict";
import fc from "fast-check";
import { ResponseReader } from "../../../../lib/wire/http1/response_reader.ts";
import { Http1Response } from "../../../../lib/wire/http1/http1_response.ts";
import { WireError } from "../../../../lib/wire/net/wire_error.ts";
import { oneByteEach } from "../../../support/raw_server.ts";

interface Expected {
  readonly failure?: string;
  readonly status?: number;
  readonly body?: string;
  readonly end?: "whole" | "close";
  readonly reusable?: boolean;
  readonly headers?: readonly (readonly [string, string])[];
  readonly line?: string;
}

interface Row {
  readonly name: string;
  readonly source: string;
  readonly method?: string;
  readonly input: string;
  readonly expect: Expected;
}

const { rows }: { rows: readonly Row[] } = JSON.parse(
  Deno.readTextFileSync(
    new URL("../../../vectors/http/responses.json", import.meta.url),
  ),
);

/** Feeds `pieces` the way a connection does, then closes. */
function read(reader: ResponseReader, row: Row, pieces: readonly Uint8Array[]) {
  reader.next(row.method === "HEAD");
  let end: string | undefined;
  try {
    for (let rest of pieces) {
      // Bytes after a whole response reach a connection that is idle again.
      while (rest.length > 0 && end === undefined) {
        const room = reader.room();
        assert.ok(room.length > 0, "there is always room");
        const count = Math.min(room.length, rest.length);
        room.set(rest.subarray(0, count));
        rest = rest.subarray(count);
        if (reader.take(count)) end = "whole";
      }
    }
    end ??= reader.finish() ? "close" : undefined;
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return { failure: error.message };
  }
  if (end === undefined) return { failure: "cut short" };
  const response = new Http1Response(reader, undefined, marks, 0, 0);
  return {
    status: response.status,
    body: String.fromCharCode(...response.body),
    end,
    headers: response.headers(),
    line: response.statusLine,
  };
}

const marks = {
  start: 0,
  dns: NaN,
  connect: NaN,
  tls: NaN,
  sent: 0,
  firstByte: 0,
  end: 0,
};

function check(
  row: Row,
  got: ReturnType<typeof read>,
  how: string,
): void {
  const where = `${row.name} (${how})`;
  const { failure, reusable: _, ...expected } = row.expect;
  if (failure !== undefined) {
    assert.ok(
      got.failure === failure || got.failure?.startsWith(`${failure}: `),
      `${where}: expected \`${failure}\`, got \`${JSON.stringify(got)}\``,
    );
    return;
  }
  assert.equal(got.failure, undefined, where);
  for (const [key, value] of Object.entries(expected)) {
    assert.deepEqual(got[key as keyof typeof got], value, `${where}: ${key}`);
  }
}

Deno.test("ResponseReader reads every vector that comes whole", async (t) => {
  assert.ok(rows.length > 100);
  assert.equal(new Set(rows.map((each) => each.name)).size, rows.length);
  for (const row of rows) {
    await t.step(row.name, () => {
      const reader = new ResponseReader();
      check(row, read(reader, row, [oneByteEach(row.input)]), "whole");
      if (row.expect.reusable !== undefined) {
        assert.equal(reader.reusable, row.expect.reusable, "reusable");
      }
    });
  }
});

Deno.test("ResponseReader gives the same for every vector cut at every byte", () => {
  const reader = new ResponseReader();
  for (const row of rows) {
    const bytes = oneByteEach(row.input);
    for (let cut = 1; cut < bytes.length; cut++) {
      const pieces = [bytes.subarray(0, cut), bytes.subarray(cut)];
      check(row, read(reader, row, pieces), `cut at ${cut}`);
    }
  }
});

Deno.test("ResponseReader gives the same for every vector that comes byte by byte", () => {
  const reader = new ResponseReader();
  for (const row of rows) {
    const bytes = oneByteEach(row.input);
    const pieces = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
    check(row, read(reader, row, pieces), "byte by byte");
  }
});

Deno.test("ResponseReader gives back any body in any chunks, in any pieces", () => {
  const reader = new ResponseReader();
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ minLength: 1, maxLength: 3000 }), {
        maxLength: 8,
      }),
      fc.array(fc.integer({ min: 1, max: 5000 }), { minLength: 1 }),
      (chunks, sizes) => {
        const text = chunks.map((each) =>
          `${each.length.toString(16)}\r\n${String.fromCharCode(...each)}\r\n`
        ).join("");
        const input =
          `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${text}0\r\n\r\n`;
        const bytes = oneByteEach(input);
        const pieces: Uint8Array[] = [];
        let at = 0;
        while (at < bytes.length) {
          const size = sizes[pieces.length % sizes.length]!;
          pieces.push(bytes.subarray(at, at + size));
          at += size;
        }
        const row = { name: "", source: "", input, expect: {} };
        const got = read(reader, row, pieces);
        const body = chunks.map((each) => String.fromCharCode(...each)).join(
          "",
        );
        assert.equal(got.body, body);
        assert.equal(reader.reusable, true);
      },
    ),
    { numRuns: 200 },
  );
});

Deno.test("ResponseReader refuses a head over 256 KiB, however it comes", () => {
  const field = `A: ${"x".repeat(1000)}\r\n`;
  const many = `HTTP/1.1 200 OK\r\n${field.repeat(262)}\r\n`;
  const one = `HTTP/1.1 200 OK\r\nA: ${"x".repeat(263_000)}`;
  for (const input of [many, one]) {
    const row = {
      name: "huge head",
      source: "",
      input,
      expect: { failure: "protocol: head too large" },
    };
    const bytes = oneByteEach(input);
    check(row, read(new ResponseReader(), row, [bytes]), "whole");
    const pieces: Uint8Array[] = [];
    for (let at = 0; at < bytes.length; at += 1000) {
      pieces.push(bytes.subarray(at, at + 1000));
    }
    check(row, read(new ResponseReader(), row, pieces), "in pieces");
  }
});

Deno.test("ResponseReader drains a body over 16 MiB without keeping it", () => {
  const size = 17 * 1024 * 1024;
  const piece = new Uint8Array(256 * 1024).fill(0x61);
  const heads = {
    length: `HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`,
    chunked: `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${
      size.toString(16)
    }\r\n`,
    close: "HTTP/1.1 200 OK\r\n\r\n",
  };
  for (const [kind, head] of Object.entries(heads)) {
    const reader = new ResponseReader();
    const pieces: Uint8Array[] = [oneByteEach(head)];
    for (let at = 0; at < size; at += piece.length) pieces.push(piece);
    if (kind === "chunked") pieces.push(oneByteEach("\r\n0\r\n\r\n"));
    const got = read(
      reader,
      { name: kind, source: "", input: "", expect: {} },
      pieces,
    );
    assert.equal(got.end, kind === "close" ? "close" : "whole", kind);
    assert.equal(got.body, "", kind);
    assert.equal(reader.tooLarge, true, kind);
    assert.equal(reader.reusable, kind !== "close", kind);
    assert.equal(reader.bodyBytes, size, kind);
    assert.ok(reader.bytes.length <= 256 * 1024, "its room is given back");
    reader.next();
    assert.ok(reader.bytes.length <= 128 * 1024, "the buffer is given back");
  }
});

Deno.test("ResponseReader drains chunks without end in constant memory", () => {
  const reader = new ResponseReader();
  reader.next();
  let largest = 0;
  const feed = (bytes: Uint8Array) => {
    for (let rest = bytes; rest.length > 0;) {
      const room = reader.room();
      const count = Math.min(room.length, rest.length);
      room.set(rest.subarray(0, count));
      rest = rest.subarray(count);
      const done = reader.take(count);
      largest = Math.max(largest, reader.bytes.length);
      if (done) return true;
    }
    return false;
  };
  feed(oneByteEach("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"));
  const data = new Uint8Array(100_000).fill(0x61);
  const chunk = new Uint8Array([
    ...oneByteEach("186a0;x\r\n"),
    ...data,
    ...oneByteEach("\r\n"),
  ]);
  const chunks = 1_000;
  for (let turn = 0; turn < chunks; turn++) {
    assert.equal(feed(chunk), false);
    if (turn > 200) assert.ok(reader.bytes.length < 256 * 1024);
  }
  assert.ok(largest < 17 * 1024 * 1024, `${largest} bytes`);
  assert.equal(feed(oneByteEach("0\r\nTrailer: x\r\n\r\n")), true);
  assert.deepEqual(reader.trailers, [["Trailer", "x"]]);
  assert.deepEqual(
    [reader.tooLarge, reader.bodyBytes, reader.reusable],
    [true, chunks * data.length, true],
  );
  assert.equal(reader.bodyStart, reader.bodyEnd);
});

Deno.test("ResponseReader keeps a body of exactly 16 MiB", () => {
  const size = 16 * 1024 * 1024;
  const reader = new ResponseReader();
  reader.next();
  let left = size;
  const head = oneByteEach(
    `HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`,
  );
  reader.room().set(head);
  assert.equal(reader.take(head.length), false);
  for (let whole = false; !whole;) {
    const count = Math.min(reader.room().length, left);
    left -= count;
    whole = reader.take(count);
  }
  assert.equal(reader.tooLarge, false);
  assert.equal(reader.bodyEnd - reader.bodyStart, size);
  assert.ok(
    reader.bytes.length < size + 256 * 1024,
    "and little more room than it",
  );
});

/** A reader with a body of that many bytes, each the last digit of its position. */
function holding(size: number): ResponseReader {
  const reader = new ResponseReader();
  reader.next();
  const head = oneByteEach(
    `HTTP/1.1 200 OK\r\nKeep-Alive: timeout=5\r\nContent-Length: ${size}\r\n\r\n`,
  );
  reader.room().set(head);
  reader.take(head.length);
  for (let sent = 0; sent < size;) {
    const room = reader.room();
    const count = Math.min(room.length, size - sent);
    for (let at = 0; at < count; at++) room[at] = (sent + at) % 10;
    sent += count;
    reader.take(count);
  }
  return reader;
}

const LONG = 3 * 1024 * 1024;

Deno.test("ResponseReader makes room for a long body once, when a part of it has come", () => {
  const rooms = new Set<ArrayBufferLike>();
  const reader = new ResponseReader();
  reader.next();
  const head = oneByteEach(
    `HTTP/1.1 200 OK\r\nContent-Length: ${LONG * 5}\r\n\r\n`,
  );
  reader.room().set(head);
  reader.take(head.length);
  for (let left = LONG * 5; left > 0;) {
    const room = reader.room();
    rooms.add(room.buffer);
    const count = Math.min(room.length, 64 * 1024, left);
    left -= count;
    reader.take(count);
  }
  assert.equal(rooms.size, 2);
});

Deno.test("ResponseReader: the buffer of a long response serves the next one, after the next request", () => {
  const first = holding(LONG);
  const { bytes, generation } = first;
  first.next();
  assert.notEqual(first.generation, generation, "views of it are stale");
  assert.ok(first.bytes.length < 10_000);
  const second = holding(LONG);
  assert.equal(second.bytes, bytes);
  const { bodyStart, bodyEnd } = second;
  assert.deepEqual([...second.bytes.subarray(bodyStart, bodyStart + 3)], [
    0,
    1,
    2,
  ]);
  assert.equal(bodyEnd - bodyStart, LONG);
});

Deno.test("ResponseReader: the last response stays until the next one is turned to", () => {
  const reader = holding(1_000);
  const { generation } = reader;
  reader.ahead().set(oneByteEach("HTTP/1.1 204 No Content\r\n\r\n"));
  assert.equal(reader.generation, generation);
  assert.equal(reader.bytes[reader.bodyStart + 7], 7);
  reader.next();
  assert.notEqual(reader.generation, generation);
  assert.equal(reader.take(27), true);
  assert.equal(reader.head.status, 204);
});

Deno.test("ResponseReader hands a long response over without a copy, and keeps what the head says", () => {
  const reader = holding(LONG);
  const { bytes, bodyStart } = reader;
  const own = reader.handOver();
  assert.equal(own, bytes);
  const { fields } = reader.head;
  assert.equal(fields.find(reader.bytes, "keep-alive"), "timeout=5");
  reader.next();
  assert.deepEqual([...own.subarray(bodyStart, bodyStart + 3)], [0, 1, 2]);
  // No other caller gets it.
  assert.notEqual(holding(LONG).bytes, own);
});
