import {
  deepStrictEqual,
  equal,
  match,
  rejects,
  throws,
} from "node:assert/strict";
import { type Clock, systemClock } from "../../../../lib/base/time/clock.ts";
import { HttpServer } from "../../../../lib/wire/server/http_server.ts";
import { ManualClock } from "../../../support/manual_clock.ts";

type Handler = (request: Request) => Response | Promise<Response>;

const ECHO: Handler = ({ method, url, headers }) =>
  Response.json({ method, url, x: headers.get("x") });

/** A server on loopback, and clients of it. */
class Harness implements AsyncDisposable {
  readonly server: HttpServer;
  readonly #conns: Deno.Conn[] = [];

  constructor(handler: Handler = ECHO, clock: Clock = systemClock) {
    this.server = new HttpServer(
      { hostname: "127.0.0.1", port: 0 },
      handler,
      clock,
    );
  }

  async connect(): Promise<Deno.TcpConn> {
    const { port } = this.server.addr;
    const conn = await Deno.connect({ hostname: "127.0.0.1", port });
    this.#conns.push(conn);
    return conn;
  }

  /** Sends a text, and gives all that comes until the server closes. */
  async send(text: string): Promise<string> {
    const conn = await this.connect();
    await conn.write(new TextEncoder().encode(text));
    return await rest(conn);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server.abort();
    for (const conn of this.#conns) {
      try {
        conn.close();
      } catch {
        // Closed by the test.
      }
    }
  }
}

async function rest(conn: Deno.Conn): Promise<string> {
  let text = "";
  const into = new Uint8Array(4096);
  for (;;) {
    const count = await conn.read(into).catch(() => null);
    if (count === null) return text;
    text += new TextDecoder().decode(into.subarray(0, count));
  }
}

/** Waits until the server has let that many clients in. */
async function admitted(harness: Harness, count: number): Promise<void> {
  while (harness.server.size < count) await systemClock.sleep(0);
}

const CLOSE = "Host: a\r\nConnection: close\r\n\r\n";

Deno.test("HttpServer: requests of one connection, one by one", async () => {
  await using harness = new Harness();
  const text = await harness.send(
    `GET /one?q=1 HTTP/1.1\r\nHost: a:1\r\nX: 7\r\n\r\nHEAD / HTTP/1.1\r\nHost: a\r\n\r\nGET /two HTTP/1.1\r\n${CLOSE}`,
  );
  const parts = text.split("\r\n\r\n");
  match(
    parts[0]!,
    /^HTTP\/1\.1 200 OK\r\ncontent-type: application\/json\r\ncontent-length: 51\r\ndate: \w{3}, \d\d /,
  );
  match(
    parts[1]!,
    /^\{"method":"GET","url":"http:\/\/a:1\/one\?q=1","x":"7"\}HTTP\/1\.1 200/,
  );
  match(parts[1]!, /content-length: \d+/);
  match(parts[2]!, /^HTTP\/1\.1 200 OK.*connection: close$/s);
  match(parts[3]!, /"url":"http:\/\/a\/two"/);
});

const REFUSED: Readonly<Record<string, [request: string, status: number]>> = {
  "a `Host` that is none": ["GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400],
  "a `Host` with a user": ["GET / HTTP/1.1\r\nHost: u@a\r\n\r\n", 400],
  "a `Host` with a port that is none": [
    "GET / HTTP/1.1\r\nHost: a:99999\r\n\r\n",
    400,
  ],
  "no `Host`": ["GET / HTTP/1.1\r\n\r\n", 400],
  "a line that is none": ["hello\r\n\r\n", 400],
  "a field that is none": ["GET / HTTP/1.1\r\nHost: a\r\nx\r\n\r\n", 400],
  "a folded field": ["GET / HTTP/1.1\r\nHost: a\r\n x: y\r\n\r\n", 400],
  "a zero in a field": ["GET / HTTP/1.1\r\nHost: a\r\nx: \0\r\n\r\n", 400],
  "a long head": [`GET / HTTP/1.1\r\nx: ${"x".repeat(20_000)}`, 431],
  "another version": ["GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505],
  "TRACE": ["TRACE / HTTP/1.1\r\nHost: a\r\n\r\n", 405],
};

for (const [what, [request, status]] of Object.entries(REFUSED)) {
  Deno.test(`HttpServer: ${what} is ${status}`, async () => {
    await using harness = new Harness();
    match(await harness.send(request), new RegExp(`^HTTP/1.1 ${status} `));
    // And the next client is served.
    match(await harness.send(`GET / HTTP/1.1\r\n${CLOSE}`), /^HTTP\/1\.1 200/);
  });
}

Deno.test("HttpServer: a body of a request ends the connection", async () => {
  await using harness = new Harness();
  const text = await harness.send(
    "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 26\r\n\r\nGET /second HTTP/1.1\r\n",
  );
  equal(text.split("HTTP/1.1 200").length, 2);
});

Deno.test("HttpServer: a body of several pieces goes in chunks, to HTTP/1.0 as it is", async () => {
  const pieces = () => ReadableStream.from(["one", "", "two"].map(encode));
  await using harness = new Harness(() => new Response(pieces()));
  const [head, body] = (await harness.send(`GET / HTTP/1.1\r\n${CLOSE}`)).split(
    "\r\n\r\n",
    2,
  );
  match(head!, /transfer-encoding: chunked/);
  equal(body, "3\r\none\r\n3\r\ntwo\r\n0");
  const old = await harness.send("GET / HTTP/1.0\r\nHost: a\r\n\r\n");
  match(old, /connection: close\r\n\r\nonetwo$/);
});

Deno.test("HttpServer: the first piece waits for no second one", async () => {
  const second = Promise.withResolvers<void>();
  async function* pieces() {
    yield encode("first");
    await second.promise;
    yield encode("second");
  }
  await using harness = new Harness(() =>
    new Response(ReadableStream.from(pieces()))
  );
  const conn = await harness.connect();
  await conn.write(encode(`GET / HTTP/1.1\r\n${CLOSE}`));
  const into = new Uint8Array(4096);
  let text = "";
  while (!text.includes("first")) {
    text += decode(into.subarray(0, (await conn.read(into))!));
  }
  second.resolve();
  match(await rest(conn), /second\r\n0\r\n\r\n$/);
});

Deno.test("HttpServer: a body that breaks is not taken for a whole one", async () => {
  async function* pieces() {
    yield encode("one");
    await systemClock.sleep(1);
    throw new Error("no more");
  }
  await using harness = new Harness(() =>
    new Response(ReadableStream.from(pieces()))
  );
  const text = await harness.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  match(text, /one\r\n$/);
});

Deno.test("HttpServer: a handler that throws is 500, and the next request is served", async () => {
  let count = 0;
  await using harness = new Harness(() => {
    if (count++ === 0) throw new Error("oh");
    return new Response("fine");
  });
  const text = await harness.send(
    `GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HTTP/1.1\r\n${CLOSE}`,
  );
  match(text, /^HTTP\/1\.1 500 Internal Server Error/);
  match(text, /HTTP\/1\.1 200 OK[^]*fine$/);
});

Deno.test("HttpServer: a client that says nothing, half a request, or no second one is sent away", async () => {
  const clock = new ManualClock();
  await using harness = new Harness(ECHO, clock);
  const silent = await harness.connect();
  const half = await harness.connect();
  await half.write(encode("GET / HTTP/1.1\r\nHo"));
  const idle = await harness.connect();
  await idle.write(encode("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
  const into = new Uint8Array(4096);
  match(decode(into.subarray(0, (await idle.read(into))!)), /^HTTP\/1\.1 200/);
  await admitted(harness, 3);
  await clock.pass(9_000);
  equal(harness.server.size, 3);
  await clock.pass(7_000);
  equal(await rest(silent), "");
  equal(await rest(half), "");
  await clock.pass(40_000);
  equal(harness.server.size, 1);
  await clock.pass(20_000);
  equal(await rest(idle), "");
});

Deno.test("HttpServer: the idlest client makes room for a new one", async () => {
  const clock = new ManualClock();
  await using harness = new Harness(ECHO, clock);
  const first = await harness.connect();
  await admitted(harness, 1);
  clock.time++;
  for (let n = 1; n < 256; n++) await harness.connect();
  await admitted(harness, 256);
  const last = await harness.connect();
  equal(await rest(first), "");
  await last.write(encode("hello\r\n\r\n"));
  const into = new Uint8Array(4096);
  match(decode(into.subarray(0, (await last.read(into))!)), /^HTTP\/1\.1 400/);
});

Deno.test("HttpServer: shutdown finishes the response under way and takes no more", async () => {
  const asked = Promise.withResolvers<void>();
  const responded = Promise.withResolvers<void>();
  await using harness = new Harness(async () => {
    asked.resolve();
    await responded.promise;
    return new Response("whole");
  });
  const idle = await harness.connect();
  const busy = await harness.connect();
  await busy.write(encode("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
  await asked.promise;
  await admitted(harness, 2);
  const over = harness.server.shutdown();
  equal(await rest(idle), "");
  await rejects(harness.connect());
  responded.resolve();
  match(await rest(busy), /connection: close\r\n\r\nwhole$/);
  await over;
});

Deno.test("HttpServer: a port that is taken is an error", async () => {
  await using harness = new Harness();
  const { port } = harness.server.addr;
  throws(
    () => new HttpServer({ hostname: "127.0.0.1", port }, ECHO, systemClock),
    Deno.errors.AddrInUse,
  );
});

Deno.test("HttpServer: a 304 has no body and no length", async () => {
  await using harness = new Harness(() =>
    new Response(null, { status: 304, headers: { etag: '"1"' } })
  );
  const text = await harness.send(`GET / HTTP/1.1\r\n${CLOSE}`);
  deepStrictEqual(text.split("\r\n").filter((line) => !/^date/.test(line)), [
    "HTTP/1.1 304 Not Modified",
    'etag: "1"',
    "connection: close",
    "",
    "",
  ]);
});

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
