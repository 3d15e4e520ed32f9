import { deepStrictEqual, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { systemClock } from "../../../../lib/base/time/clock.ts";
import { OPCODE } from "../../../../lib/wire/websocket/frame.ts";
import { ManualClock } from "../../../support/manual_clock.ts";
import { Outbox } from "../../../../lib/wire/net/outbox.ts";
import { Outbound } from "../../../../lib/wire/websocket/frame_writer.ts";

/** A socket that takes bytes when a test says so, and so many at a time. */
class SlowStream {
  readonly bytes: number[] = [];
  writes = 0;
  #waiting: (() => void) | undefined;

  constructor(readonly most: number) {}

  read(): Promise<null> {
    return Promise.resolve(null);
  }

  write(bytes: Uint8Array): Promise<number> {
    this.writes++;
    return new Promise((resolve) => {
      this.#waiting = () => {
        const part = bytes.subarray(0, this.most);
        this.bytes.push(...part);
        resolve(part.length);
      };
    });
  }

  close(): void {}

  /** Takes everything that is written from now on. */
  async drain(): Promise<void> {
    while (this.#waiting) {
      const take = this.#waiting;
      this.#waiting = undefined;
      take();
      await null;
      await null;
    }
  }
}

/** The texts of masked frames. */
function texts(bytes: readonly number[]): string[] {
  const found: string[] = [];
  for (let at = 0; at < bytes.length;) {
    strictEqual(bytes[at], 0x81);
    const short = bytes[at + 1]! & 0x7f;
    const wide = short === 126;
    const length = wide ? bytes[at + 2]! * 256 + bytes[at + 3]! : short;
    const mask = at + (wide ? 4 : 2);
    const payload = bytes.slice(mask + 4, mask + 4 + length)
      .map((byte, index) => byte ^ bytes[mask + (index & 3)]!);
    found.push(new TextDecoder().decode(Uint8Array.from(payload)));
    at = mask + 4 + length;
  }
  return found;
}

Deno.test("WebSocket: connections that share writers send their own frames, however slowly they leave", () =>
  fc.assert(fc.asyncProperty(
    fc.array(
      fc.tuple(
        fc.nat(2),
        fc.string({ unit: "grapheme", maxLength: 400 }),
        fc.boolean(),
      ),
      { maxLength: 30 },
    ),
    fc.integer({ min: 1, max: 90 }),
    async (sends, most) => {
      const streams = [0, 1, 2].map(() => new SlowStream(most));
      const outbox = new Outbox(systemClock);
      const connections = streams.map((stream) => new Outbound(stream, outbox));
      for (const [which, text, drained] of sends) {
        connections[which]!.text(text);
        if (!drained) continue;
        await Promise.resolve();
        await streams[which]!.drain();
      }
      await Promise.resolve();
      for (const stream of streams) await stream.drain();
      streams.forEach((stream, which) =>
        deepStrictEqual(
          texts(stream.bytes),
          sends.filter(([to]) => to === which).map(([, text]) => text),
        )
      );
      deepStrictEqual(
        connections.map(({ sent }) => sent),
        streams.map(({ bytes }) => bytes.length),
      );
    },
  )));

Deno.test("WebSocket: frames sent while a write is under way leave in one write, and each sender hears of its own", async () => {
  const stream = new SlowStream(1_000);
  const connection = new Outbound(stream, new Outbox(systemClock));
  const heard: string[] = [];
  connection.text("a", () => heard.push("a"));
  strictEqual(stream.writes, 0);
  await Promise.resolve();
  connection.text("b", () => heard.push("b"));
  connection.text("c");
  connection.text("d", () => heard.push("d"));
  strictEqual(stream.writes, 1);
  deepStrictEqual(heard, []);
  await stream.drain();
  strictEqual(stream.writes, 2);
  deepStrictEqual(heard, ["a", "b", "d"]);
});

Deno.test("WebSocket: a message left when it was written, whatever is sent after it", async () => {
  const stream = new SlowStream(1_000);
  const clock = new ManualClock();
  const connection = new Outbound(stream, new Outbox(clock));
  connection.text("a");
  await Promise.resolve();
  const left = connection.leftAt;
  strictEqual(left, clock.now());
  await stream.drain();
  await clock.pass(300);
  connection.control(OPCODE.PONG, new Uint8Array(4));
  await Promise.resolve();
  await stream.drain();
  deepStrictEqual([stream.writes, connection.leftAt], [2, left]);
});
