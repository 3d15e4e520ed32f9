/**
 * A target whose service times are known: it keeps its own record of them, from the
 * request's last byte to the response's, and holds each response by a precise
 * clock. Prints its port.
 *
 *     deno run -A tests/bench/known_server.ts constant
 *
 * `GET /truth` is its record since it was last asked, in milliseconds.
 */
import { systemClock } from "../../lib/base/time/clock.ts";
import { PreciseClock } from "../../lib/base/time/precise_clock.ts";
import { responseOf, type Shape, SHAPES } from "./known_shapes.ts";
import { BODY } from "./web_server.ts";

const clock = new PreciseClock(systemClock);
const encoder = new TextEncoder();
const head = encoder.encode(
  `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n`,
);
const body = encoder.encode(BODY);
const whole = Uint8Array.from([...head, ...body]);
const shape = responseOf(Deno.args[0] as Shape, clock);
let record: number[] = [];

/** Responses in one turn of the event loop: beyond 128 the runtime puts writes off, unseen. */
const MOST_A_TURN = 64;
let inTurn = 0;
let nextTurn: Promise<void> | undefined;

/** Waits while this turn may not write any more. */
async function turnToWrite(): Promise<void> {
  while (inTurn >= MOST_A_TURN) {
    await (nextTurn ??= new Promise((resolve) =>
      setImmediate(() =>
        setImmediate(() => {
          inTurn = 0;
          nextTurn = undefined;
          resolve();
        })
      )
    ));
  }
  inTurn++;
}

async function serve(connection: Deno.Conn): Promise<void> {
  const buffer = new Uint8Array(4_096);
  const decoder = new TextDecoder();
  for (;;) {
    const count = await connection.read(buffer);
    if (count === null) return;
    const received = clock.arrival();
    if (decoder.decode(buffer.subarray(0, 10)).startsWith("GET /truth")) {
      const truth = JSON.stringify(record);
      record = [];
      await connection.write(encoder.encode(
        `HTTP/1.1 200 OK\r\nContent-Length: ${truth.length}\r\nConnection: close\r\n\r\n${truth}`,
      ));
      return connection.close();
    }
    const betweenMs = await shape(received);
    if (betweenMs === undefined) {
      await turnToWrite();
      record.push(clock.now() - received);
      await connection.write(whole);
    } else {
      await connection.write(head);
      await clock.sleep(betweenMs);
      await turnToWrite();
      record.push(clock.now() - received);
      await connection.write(body);
    }
  }
}

if (!SHAPES.includes(Deno.args[0] as Shape)) {
  throw new Error(`expected one of ${SHAPES.join(", ")}`);
}
const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
// deno-lint-ignore no-console -- the program that started it reads the port
console.log(listener.addr.port);
for await (const connection of listener) {
  connection.setNoDelay(true);
  // A tool that ends leaves its connections as they are.
  serve(connection).catch(() => {});
}
