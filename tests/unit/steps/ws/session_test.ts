import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { Sessions } from "../../../../lib/engine/vu/vu.ts";
import type { AttemptContext } from "../../../../lib/steps/protocol.ts";
import { WsFrame } from "../../../../lib/steps/ws/frame.ts";
import {
  type Taker,
  type Waited,
  WsSession,
} from "../../../../lib/steps/ws/session.ts";
import { Deadlines } from "../../../../lib/wire/net/deadlines.ts";
import type { WebSocketEvents } from "../../../../lib/wire/websocket/connection.ts";
import { WebSocketError } from "../../../../lib/wire/websocket/frame.ts";
import { ManualClock, settle } from "../../../support/manual_clock.ts";

type Socket = ReturnType<ConstructorParameters<typeof WsSession>[0]>;

/** A connection without a server. */
class FakeSocket implements Socket {
  readonly #events: WebSocketEvents;
  readonly outgoing: string[] = [];
  readonly calls: string[] = [];
  readonly sent = 0;
  readonly received = 0;
  readonly readAt = 0;
  readonly leftAt = NaN;
  written: (() => void) | undefined;

  constructor(events: WebSocketEvents) {
    this.#events = events;
  }

  start(): void {}
  send(text: string, written?: () => void): void {
    this.outgoing.push(text);
    this.written = written;
  }
  close(code: number): void {
    this.calls.push(`close ${code}`);
  }
  terminate(): void {
    this.calls.push("terminate");
    this.closes(1006);
  }
  pause(): void {
    this.calls.push("pause");
  }
  resume(): void {
    this.calls.push("resume");
  }
  /** Read, but not looked at yet. */
  behind: unknown[] = [];
  catchUp(): void {
    this.says(...this.behind.splice(0));
  }

  says(...frames: unknown[]): void {
    for (const each of frames) {
      const bytes = new TextEncoder().encode(JSON.stringify(each));
      this.#events.message(bytes, 0, bytes.length, true);
    }
    this.#events.handedOn();
  }
  breaks(why: string): void {
    this.#events.broken(new WebSocketError(1002, why));
  }
  closes(code: number, reason = ""): void {
    this.#events.closed({ code, reason });
  }
}

function harness() {
  const clock = new ManualClock();
  const stop = new AbortController();
  const context = {
    scope: { variables: [], rows: [] },
    sessions: new Sessions(),
    deadlines: new Deadlines(clock),
    signal: stop.signal,
    now: () => clock.now(),
  } as unknown as AttemptContext;
  let made: FakeSocket | undefined;
  const session = new WsSession(
    (events) => made = new FakeSocket(events),
    context,
  );
  clockOf.set(session, clock);
  return { clock, stop, socket: made!, session };
}

/** What a wait for a frame ends with. */
function received(
  session: WsSession,
  taker: Taker,
  timeoutMs: number,
): Promise<Waited> {
  const now = clockOf.get(session)!.now();
  return new Promise((ended) => session.receive(taker, now, timeoutMs, ended));
}

/** What a wait for a whole write ends with. */
function sentWhole(
  session: WsSession,
  text: string,
  timeoutMs: number,
): Promise<Waited> {
  const now = clockOf.get(session)!.now();
  return new Promise((ended) => session.sendWhole(text, now, timeoutMs, ended));
}

const clockOf = new WeakMap<WsSession, ManualClock>();

const any: Taker = { takes: () => true };
const kind = (expected: string): Taker => ({
  takes: (frame) => (frame.json() as { kind?: string }).kind === expected,
});
const json = (waited: unknown) =>
  waited instanceof WsFrame ? waited.json() : waited;

Deno.test("WsSession.receive takes frames that came early in their order", async () => {
  const { socket, session } = harness();
  socket.says(1, 2, 3);
  const got = [];
  for (let at = 0; at < 3; at++) {
    got.push(json(await received(session, any, 10)));
  }
  deepStrictEqual(got, [1, 2, 3]);
});

Deno.test("WsSession.receive makes the response where the frame comes in", () => {
  const { clock, socket, session } = harness();
  const got: unknown[] = [];
  session.receive(
    kind("b"),
    clock.now(),
    10,
    (waited) => got.push(json(waited)),
  );
  socket.says({ kind: "a" }, { kind: "b" }, { kind: "c" });
  deepStrictEqual(got, [{ kind: "b" }]);
});

Deno.test("WsSession.receive drops what it skips, from the queue and from the wire", async () => {
  const { socket, session } = harness();
  socket.says({ kind: "a" }, { kind: "b" });
  const waiting = received(session, kind("d"), 10);
  socket.says({ kind: "c" }, { kind: "d", id: 1 }, { kind: "e" });
  deepStrictEqual(json(await waiting), { kind: "d", id: 1 });
  deepStrictEqual(json(await received(session, any, 10)), { kind: "e" });
});

Deno.test("WsSession.receive that is late closes the session", async () => {
  const { clock, socket, session } = harness();
  const waiting = received(session, kind("x"), 50);
  await clock.pass(49);
  socket.says({ kind: "y" });
  await clock.pass(1);
  strictEqual(await waiting, "late");
  deepStrictEqual(socket.calls, ["close 1000"]);
  strictEqual(session.end?.failure.code, "session");
  socket.says({ kind: "x" });
  strictEqual(await received(session, any, 10), session.end);
});

Deno.test("WsSession.receive takes the queue before it reports the end", async () => {
  const { socket, session } = harness();
  socket.says("last words");
  socket.closes(1013, "busy");
  ok(session.end?.throttled);
  strictEqual(json(await received(session, any, 10)), "last words");
  strictEqual(await received(session, any, 10), session.end);
});

Deno.test("WsSession.receive is ended by a close while it waits", async () => {
  const { socket, session } = harness();
  const waiting = received(session, any, 10);
  socket.closes(1001);
  strictEqual(await waiting, session.end);
  deepStrictEqual(session.end?.failure, {
    code: "closed",
    message: "the server closed the session with code 1001 (going away)",
  });
});

Deno.test("WsSession.receive is not late when its frame was read in time", async () => {
  const { clock, socket, session } = harness();
  const waiting = received(session, any, 10);
  socket.behind.push(1);
  await clock.pass(10);
  strictEqual(json(await waiting), 1);
  deepStrictEqual(socket.calls, []);
});

Deno.test("WsSession.sendWhole waits until the frame is written, or is late", async () => {
  const { clock, socket, session } = harness();
  const first = sentWhole(session, "1", 50);
  socket.says("meanwhile");
  socket.written!();
  strictEqual(await first, "written");
  strictEqual(json(await received(session, any, 10)), "meanwhile");
  const second = sentWhole(session, "2", 50);
  await clock.pass(50);
  strictEqual(await second, "late");
  deepStrictEqual(socket.outgoing, ["1", "2"]);
});

Deno.test("WsSession holds the server back while its queue is full", async () => {
  const { socket, session } = harness();
  const large = "x".repeat(400_000);
  socket.says(large, large);
  deepStrictEqual(socket.calls, []);
  socket.says(large);
  deepStrictEqual(socket.calls, ["pause"]);
  for (let at = 0; at < 3; at++) await received(session, any, 10);
  deepStrictEqual(socket.calls, ["pause", "resume"]);
  for (let count = 0; count < 1_000; count++) socket.says(count);
  deepStrictEqual(socket.calls, ["pause", "resume", "pause"]);
});

Deno.test("WsSession.close goes by the closing handshake, and waits for it", async () => {
  const { socket, session } = harness();
  let closed = false;
  const closing = session.close().then(() => closed = true);
  await settle();
  deepStrictEqual([closed, ...socket.calls], [false, "close 1000"]);
  socket.closes(1000);
  ok(await closing);
});

Deno.test("WsSession.close of a full queue reads on, or the server's close is never seen", () => {
  const { socket, session } = harness();
  for (let count = 0; count < 1_000; count++) socket.says(count);
  session.close();
  deepStrictEqual(socket.calls, ["pause", "resume", "close 1000"]);
});

for (const why of ["a step waits on it", "the run is to stop now"]) {
  Deno.test(`WsSession.close lets go at once when ${why}`, async () => {
    const { stop, socket, session } = harness();
    const waiting = why.startsWith("a step")
      ? received(session, any, 10)
      : undefined;
    if (!waiting) stop.abort();
    await session.close();
    deepStrictEqual(socket.calls, ["terminate"]);
    if (waiting) {
      strictEqual(await waiting, session.end);
      strictEqual(session.end?.failure.code, "aborted");
    }
  });
}

Deno.test("WsSession.unseenEnd reports a bad close that no step has seen", () => {
  type Play = (made: ReturnType<typeof harness>) => unknown;
  const table: [what: string, play: Play, expected: string | undefined][] = [
    ["an error", ({ socket }) => socket.closes(1011, "why"), "failure"],
    ["a throttle", ({ socket }) => socket.closes(1013), "throttle"],
    ["no close frame", ({ socket }) => socket.closes(1006), "failure"],
    ["a normal close", ({ socket }) => socket.closes(1000), undefined],
    ["going away", ({ socket }) => socket.closes(1001), undefined],
    ["a close without a code", ({ socket }) => socket.closes(1005), undefined],
    ["an error that crosses this side's close", ({ socket, session }) => {
      session.close();
      socket.closes(1008);
    }, "failure"],
    ["a connection that ends after this side's close", (
      { socket, session },
    ) => {
      session.close();
      socket.closes(1006);
    }, undefined],
    ["a step that received it", ({ socket, session }) => {
      received(session, any, 1_000);
      socket.closes(1008);
    }, undefined],
    ["a step that received it later", ({ socket, session }) => {
      socket.closes(1008);
      received(session, any, 1_000);
    }, undefined],
    ["a step that was about to send", ({ socket, session }) => {
      socket.closes(1008);
      return session.end;
    }, undefined],
    ["bytes that are no frames", ({ socket }) => {
      socket.breaks("bad opcode");
      socket.closes(1006);
    }, "failure"],
  ];
  for (const [what, play, expected] of table) {
    const it = harness();
    play(it);
    strictEqual(it.session.unseenEnd()?.signal, expected, what);
  }
});

Deno.test("WsSession.unseenEnd names the code, and shows the close", () => {
  const { socket, session } = harness();
  socket.closes(1008, "no such room");
  const end = session.unseenEnd();
  strictEqual(
    end?.failure?.message,
    "the server closed the session with code 1008 (policy violation): no such room, and no later step used it",
  );
  strictEqual(end?.capturedResponse()?.line, "close 1008 (policy violation)");
  strictEqual(end?.capturedResponse()?.body, "no such room");
});
