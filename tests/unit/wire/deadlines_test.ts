import assert from "node:assert/strict";
import fc from "fast-check";
import type { Clock } from "../../../lib/time/clock.ts";
import {
  Deadline,
  Deadlines,
  type Expiring,
} from "../../../lib/wire/deadlines.ts";
import { rawServer } from "../../support/raw_server.ts";
import { wireRig } from "../../support/wire_rig.ts";

const strict = { sanitizeOps: true, sanitizeResources: true };

/** Time that moves only when told to. */
class ManualClock implements Clock {
  time = 1000;
  sleepers: { at: number; wake: () => void }[] = [];

  now(): number {
    return this.time;
  }

  wall(): number {
    return this.time;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const sleeper = {
        at: this.time + ms,
        wake: () => this.#end(sleeper, resolve),
      };
      this.sleepers.push(sleeper);
      signal?.addEventListener("abort", sleeper.wake, { once: true });
    });
  }

  /** Moves on and lets everything that was due run. */
  async pass(ms: number): Promise<void> {
    const until = this.time + ms;
    for (;;) {
      const next = this.sleepers.filter((each) => each.at <= until)
        .sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.time = Math.max(this.time, next.at);
      next.wake();
      await settle();
    }
    this.time = until;
    await settle();
  }

  #end(sleeper: { at: number; wake: () => void }, resolve: () => void): void {
    this.sleepers = this.sleepers.filter((each) => each !== sleeper);
    resolve();
  }
}

/** Lets promise callbacks run; takes no time on the clock under test. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve();
}

function expiring(log: string[], name: string): Expiring {
  return { expire: () => void log.push(name) };
}

Deno.test("Deadlines end what was started, each at its own time", async () => {
  const clock = new ManualClock();
  const deadlines = new Deadlines(clock);
  const log: string[] = [];
  deadlines.start(new Deadline(expiring(log, "a")), clock.now(), 100);
  await clock.pass(60);
  deadlines.start(new Deadline(expiring(log, "b")), clock.now(), 100);
  deadlines.start(new Deadline(expiring(log, "c")), clock.now(), 10);
  await clock.pass(9);
  assert.deepEqual(log, []);
  await clock.pass(1);
  assert.deepEqual(log, ["c"]);
  await clock.pass(30);
  assert.deepEqual(log, ["c", "a"]);
  await clock.pass(60);
  assert.deepEqual(log, ["c", "a", "b"]);
  deadlines.close();
});

Deno.test("Deadlines leave what was stopped in time, and start it again", async () => {
  const clock = new ManualClock();
  const deadlines = new Deadlines(clock);
  const log: string[] = [];
  const first = new Deadline(expiring(log, "first"));
  const second = new Deadline(expiring(log, "second"));
  for (let turn = 0; turn < 50; turn++) {
    deadlines.start(first, clock.now(), 100);
    deadlines.start(second, clock.now(), 100);
    await clock.pass(30);
    deadlines.stop(second);
    deadlines.stop(first);
    deadlines.stop(first);
  }
  assert.deepEqual(log, []);
  deadlines.start(first, clock.now(), 100);
  await clock.pass(150);
  assert.deepEqual(log, ["first"]);
  assert.equal(first.running, false);
  deadlines.close();
});

Deno.test("Deadlines keep one sleeper a length, and none when idle or closed", async () => {
  const clock = new ManualClock();
  const deadlines = new Deadlines(clock);
  const many = Array.from(
    { length: 1000 },
    () => new Deadline(expiring([], "")),
  );
  for (const each of many) deadlines.start(each, clock.now(), 100);
  assert.equal(clock.sleepers.length, 1);
  for (const each of many) deadlines.stop(each);
  await clock.pass(100);
  assert.equal(clock.sleepers.length, 0);
  deadlines.start(many[0]!, clock.now(), 100);
  deadlines.start(many[1]!, clock.now(), 200);
  assert.equal(clock.sleepers.length, 2);
  deadlines.close();
  await settle();
  assert.equal(clock.sleepers.length, 0);
});

Deno.test("Deadlines expire exactly those that were not stopped", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          after: fc.integer({ min: 0, max: 50 }),
          timeout: fc.constantFrom(10, 20, 35),
          stopAfter: fc.option(fc.integer({ min: 0, max: 60 })),
        }),
        { maxLength: 20 },
      ),
      async (plans) => {
        const clock = new ManualClock();
        const begin = clock.now();
        const deadlines = new Deadlines(clock);
        const ended = new Map<number, number>();
        const running = plans.map((_, index) =>
          new Deadline({
            expire: () => void ended.set(index, clock.now() - begin),
          })
        );
        for (let now = 0; now <= 120; now++) {
          plans.forEach(({ after, timeout, stopAfter }, index) => {
            if (after === now) {
              deadlines.start(running[index]!, clock.now(), timeout);
            }
            if (stopAfter !== null && after + stopAfter === now) {
              deadlines.stop(running[index]!);
            }
          });
          await clock.pass(1);
        }
        plans.forEach(({ after, timeout, stopAfter }, index) => {
          const expires = stopAfter === null || stopAfter > timeout - 1;
          assert.equal(ended.get(index), expires ? after + timeout : undefined);
        });
        deadlines.close();
      },
    ),
    { numRuns: 50 },
  );
});

Deno.test(
  "HttpConnections says what it was waiting for when the time is up",
  strict,
  async () => {
    const table: readonly [sent: string, phase: RegExp, status: number][] = [
      ["", /timed out waiting for the first byte/, 0],
      [
        "HTTP/1.1 200 OK\r\nA: b",
        /timed out reading the head \(21 bytes came\)/,
        200,
      ],
      [
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello",
        /timed out reading the body \(43 bytes came\)/,
        200,
      ],
    ];
    for (const [sent, phase, status] of table) {
      const clock = new ManualClock();
      const written = Promise.withResolvers<void>();
      const server = rawServer(async (peer) => {
        await peer.request();
        await peer.send(sent);
        written.resolve();
        await peer.request();
      });
      const rig = wireRig(server.url, { clock, timeoutMs: 5000 });
      const pending = rig.exchange();
      // Real bytes travel while the clock stands still.
      await written.promise;
      await bytesArrived(server.port);
      await clock.pass(4999);
      await clock.pass(1);
      const answer = await pending;
      assert.equal(answer.failure?.code, "timeout");
      assert.match(answer.failure!.message, /No whole answer within 5000 ms/);
      assert.match(answer.failure!.message, phase);
      assert.equal(answer.status, status);
      assert.equal(answer.marks.end - answer.marks.start, 5000);
      rig.close();
      await server.close();
    }
  },
);

/** Enough trips through the event loop for bytes on loopback to be read. */
async function bytesArrived(port: number): Promise<void> {
  for (let turn = 0; turn < 20; turn++) {
    const probe = await Deno.connect({ port });
    probe.close();
  }
}

Deno.test(
  "HttpConnections bounds the dial by the same deadline",
  strict,
  async () => {
    const clock = new ManualClock();
    // Accepts at the kernel and never speaks TLS.
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = listener.addr as Deno.NetAddr;
    const rig = wireRig(`https://127.0.0.1:${port}`, {
      clock,
      timeoutMs: 3000,
    });
    const pending = rig.exchange();
    const peer = await listener.accept();
    await peer.read(new Uint8Array(10));
    await bytesArrived(port);
    await clock.pass(3000);
    const answer = await pending;
    assert.equal(answer.failure?.code, "timeout");
    assert.match(answer.failure!.message, /timed out in the TLS handshake/);
    assert.equal(answer.marks.end - answer.marks.start, 3000);
    assert.ok(!isNaN(answer.marks.connect) && isNaN(answer.marks.tls));
    rig.close();
    peer.close();
    listener.close();
  },
);

Deno.test(
  "HttpConnections says how much was written when the peer does not read",
  strict,
  async () => {
    const clock = new ManualClock();
    const done = Promise.withResolvers<void>();
    const server = rawServer(() => done.promise);
    const rig = wireRig(server.url, { clock, timeoutMs: 1000 });
    const pending = rig.exchange("POST", new Uint8Array(64 * 1024 * 1024));
    await bytesArrived(server.port);
    await clock.pass(1000);
    const { failure } = await pending;
    assert.equal(failure?.code, "timeout");
    assert.match(
      failure!.message,
      /writing the request \(\d+ of 67108864 bytes\)/,
    );
    done.resolve();
    rig.close();
    await server.close();
  },
);
