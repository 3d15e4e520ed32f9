import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { HttpConnections } from "../../../../lib/wire/http/connections.ts";
import type { HttpRequest } from "../../../../lib/wire/http/request.ts";
import { FieldBlock } from "../../../../lib/wire/http2/hpack/encoder.ts";
import { Deadline, Deadlines } from "../../../../lib/wire/net/deadlines.ts";
import { HandOver } from "../../../../lib/wire/net/hand_over.ts";
import type { Network } from "../../../../lib/wire/net/network.ts";
import { Outbox } from "../../../../lib/wire/net/outbox.ts";
import { parseBaseUrl } from "../../../../lib/wire/net/url.ts";
import { ManualClock } from "../../../support/manual_clock.ts";
import { HELLO } from "../http1/hello.ts";

/** A socket whose other side is the test. */
class Socket {
  writes = 0;
  closed = false;
  #read: ((bytes: Uint8Array | null) => void) | undefined;

  read(into: Uint8Array): Promise<number | null> {
    const { promise, resolve } = Promise.withResolvers<number | null>();
    this.#read = (bytes) => {
      if (bytes) into.set(bytes);
      resolve(bytes && bytes.length);
    };
    return promise;
  }

  write(bytes: Uint8Array): Promise<number> {
    this.writes++;
    return Promise.resolve(bytes.length);
  }

  close(): void {
    this.closed = true;
  }

  /** Ends the read that is under way; null: the server closed the connection. */
  comes(bytes: Uint8Array | null): void {
    this.#read!(bytes);
  }
}

function connectionsOver(choice: "1.1" | "2") {
  const clock = new ManualClock();
  const sockets: Socket[] = [];
  const handOver = new HandOver(clock);
  const network = {
    ...{ clock, handOver, outbox: new Outbox(clock) },
    deadlines: new Deadlines(clock),
    dial() {
      const stream = new Socket();
      sockets.push(stream);
      const deadline = new Deadline({ expire() {} });
      return Promise.resolve({ stream, protocol: undefined, deadline });
    },
  };
  return {
    clock,
    sockets,
    connections: new HttpConnections(network as unknown as Network, choice),
  };
}

const utf8 = (text: string) => new TextEncoder().encode(text);
const frame = (
  type: number,
  flags: number,
  stream: number,
  ...payload: number[]
) => [0, 0, payload.length, type, flags, 0, 0, 0, stream, ...payload];

const REQUEST: HttpRequest = {
  method: "GET",
  http1: () => utf8("GET / HTTP/1.1\r\nHost: a\r\n\r\n"),
  http2: () => ({
    head: false,
    body: new Uint8Array(0),
    fields: [new FieldBlock([{ name: ":method", value: "GET" }])],
  }),
};
const { origin } = parseBaseUrl("http://127.0.0.1:1");

const RESPONSES = {
  "1.1": utf8(HELLO),
  // SETTINGS, then `:status: 200` that ends stream 1.
  "2": Uint8Array.from([...frame(4, 0, 0), ...frame(1, 5, 1, 0x88)]),
};

for (
  const [what, choice, bytes] of [
    ["an end", "1.1", null],
    ["a 408", "1.1", utf8("HTTP/1.1 408 Late\r\nContent-Length: 0\r\n\r\n")],
    ["an end", "2", null],
    ["a GOAWAY", "2", frame(7, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0)],
    ["no HTTP/2", "2", frame(0, 0, 0, 1)],
  ] as const
) {
  Deno.test(`HttpConnections: a request that waits to be written goes to another connection after ${what}, HTTP/${choice}`, async () => {
    const { connections, sockets, clock } = connectionsOver(choice);
    const ask = () => connections.request(origin, REQUEST, 1_000);
    const asked = ask();
    await clock.pass(0);
    sockets[0]!.comes(RESPONSES[choice]);
    const first = await asked;
    strictEqual(first.status, 200);
    const marks = { ...first.marks };
    const { writes } = sockets[0]!;

    await clock.pass(300);
    sockets[0]!.comes(bytes && Uint8Array.from(bytes));
    const second = ask();
    await clock.pass(0);
    strictEqual(sockets.length, 2);
    sockets[1]!.comes(RESPONSES[choice]);
    const { status, marks: { start, end } } = await second;
    deepStrictEqual([status, start, end], [200, clock.now(), clock.now()]);
    deepStrictEqual(first.marks, marks);
    if (choice === "1.1") strictEqual(sockets[0]!.writes, writes);
    strictEqual(sockets[0]!.closed, true);
    connections.close();
  });
}
