import type { Capture } from "../../language/ir.ts";
import type { StepResponse } from "../../model/result/response.ts";
import { Deadline, type Expiring } from "../../wire/net/deadlines.ts";
import type { Closing, WebSocketError } from "../../wire/websocket/frame.ts";
import type {
  WebSocketConnection,
  WebSocketEvents,
} from "../../wire/websocket/connection.ts";
import type { AttemptContext, Closable } from "../protocol.ts";
import { WsFrame } from "./frame.ts";
import { FrameResponse } from "./response.ts";
import {
  ABNORMAL_CLOSURE,
  closed,
  GIVEN_UP,
  GOOD_CLOSES,
  type SessionEnd,
  TIMED_OUT,
  unreadable,
} from "./session_end.ts";

/** Frames that no step has taken yet: beyond this the server has to wait. */
const MOST_QUEUED_BYTES = 1 << 20;
const MOST_QUEUED_FRAMES = 1_000;

/** The result of waiting on a session. */
export type Waited = WsFrame | SessionEnd | "written" | "late";

/** Ends the step that waits, which may begin another. Never throws. */
type EndWait = (waited: Waited) => void;

/** Decides which frame a step receives. */
export interface Taker {
  /** Never throws: it is asked from a callback. */
  takes(frame: WsFrame): boolean;
}

/** The parts of a connection that a session needs. */
type SessionSocket = Pick<
  WebSocketConnection,
  | "start"
  | "send"
  | "close"
  | "terminate"
  | "pause"
  | "resume"
  | "catchUp"
  | "sent"
  | "received"
  | "leftAt"
  | "readAt"
>;

/**
 * One open WebSocket. Frames that come early wait in its queue; one step at a
 * time waits on it. When the queue is full, reading stops until it is emptied,
 * so that a talkative server cannot fill the memory.
 */
export class WsSession implements Closable, Expiring, WebSocketEvents {
  readonly #socket: SessionSocket;
  readonly #context: AttemptContext;
  readonly #deadline: Deadline;
  /** Who waits for its end. */
  #gone: PromiseWithResolvers<void> | undefined;
  #queue: WsFrame[] = [];
  #queuedBytes = 0;
  #paused = false;
  #end: SessionEnd | undefined;
  /** A step has reported that the session is over. */
  #endSeen = false;
  /** The server ended it, and not as it should. */
  #badEnd: { readonly end: SessionEnd; readonly at: number } | undefined;
  /** The connection is gone. */
  #closed = false;
  /** This side began to close it. */
  #leaving = false;
  #waiting: Taker | undefined;
  /** The frame that was taken; others that came with it are not looked at yet. */
  #taken: WsFrame | undefined;
  #endWait: EndWait | undefined;
  #countedSent = 0;
  #countedReceived = 0;

  /** @param open makes the connection, which passes the session what comes */
  constructor(
    open: (events: WebSocketEvents) => SessionSocket,
    context: AttemptContext,
    readonly capture: Capture = "full",
  ) {
    this.#context = context;
    this.#deadline = new Deadline(this);
    this.#socket = open(this);
    this.#socket.start();
  }

  /** Why it is over, for a step that wants to send; undefined while it is open. */
  get end(): SessionEnd | undefined {
    this.#endSeen ||= this.#end !== undefined;
    return this.#end;
  }

  unseenEnd(): StepResponse | undefined {
    if (this.#endSeen || !this.#badEnd) return undefined;
    const { end, at } = this.#badEnd;
    const message = `${end.failure.message}, and no later step used it`;
    return new FrameResponse({
      start: at,
      end: at,
      came: end,
      failure: { ...end.failure, message },
      sent: undefined,
      bytesSent: 0,
      bytesReceived: 0,
      before: undefined,
      samples: undefined,
    }, this.capture);
  }

  /** When the latest text frame left; NaN before. */
  get leftAt(): number {
    return this.#socket.leftAt;
  }

  /** Bytes sent since this was last asked. */
  takeSent(): number {
    const since = this.#socket.sent - this.#countedSent;
    this.#countedSent += since;
    return since;
  }

  /** Bytes received since this was last asked. */
  takeReceived(): number {
    const since = this.#socket.received - this.#countedReceived;
    this.#countedReceived += since;
    return since;
  }

  /** Sends a text frame; an error is found by the step that waits next. */
  send(text: string): void {
    this.#socket.send(text);
  }

  /** Sends a text frame and waits, from `now`, until it is written. */
  sendWhole(
    text: string,
    now: number,
    timeoutMs: number,
    endWait: EndWait,
  ): void {
    this.#wait(now, timeoutMs, endWait);
    // Without a connection the close follows, and says why.
    this.#socket.send(text, this.#onWritten);
  }

  /**
   * The first frame that the taker takes, from the queue on; the others are
   * dropped. What came before the end of a session can still be received.
   *
   * @param now the clock's time that the caller has at hand
   */
  receive(
    taker: Taker,
    now: number,
    timeoutMs: number,
    endWait: EndWait,
  ): void {
    for (let frame = this.#next(); frame; frame = this.#next()) {
      if (taker.takes(frame)) return endWait(frame);
    }
    if (this.end) return endWait(this.end);
    this.#waiting = taker;
    this.#wait(now, timeoutMs, endWait);
  }

  /** The receive took too long: the session is over (spec, session state). */
  expire(): void {
    // The frame may be here, in a burst that is still being looked at.
    this.#socket.catchUp();
    if (!this.#endWait || this.#deadline.running) return;
    this.#end ??= TIMED_OUT;
    this.#leave();
    this.#settle("late");
  }

  /** Closes it; waits for the server, but not when the run is to stop now. */
  close(): Promise<void> {
    const underWay = this.#endWait !== undefined;
    this.#end ??= GIVEN_UP;
    if (underWay || this.#context.signal.aborted) this.#socket.terminate();
    else this.#leave();
    this.#finish(this.#end);
    if (this.#closed) return Promise.resolve();
    this.#gone ??= Promise.withResolvers();
    return this.#gone.promise;
  }

  readonly #onWritten = (): void => this.#settle("written");

  #leave(): void {
    this.#leaving = true;
    this.#queue = [];
    this.#queuedBytes = 0;
    this.#flow();
    this.#socket.close(1000);
  }

  #wait(now: number, timeoutMs: number, endWait: EndWait): void {
    this.#endWait = endWait;
    this.#context.deadlines.start(this.#deadline, now, timeoutMs);
  }

  #settle(waited: Waited): void {
    this.#context.deadlines.stop(this.#deadline);
    const endWait = this.#endWait;
    this.#endWait = undefined;
    this.#waiting = undefined;
    // Last: another step may wait before it returns.
    endWait?.(waited);
  }

  #finish(end: SessionEnd): void {
    this.#end ??= end;
    if (this.#endWait && !this.#taken) this.#settle(this.end!);
  }

  #next(): WsFrame | undefined {
    if (this.#queue.length === 0) return undefined;
    const frame = this.#queue.shift()!;
    this.#queuedBytes -= frame.length;
    if (this.#queue.length === 0) this.#flow();
    return frame;
  }

  #flow(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#socket.resume();
  }

  /** For the connection: a whole message came. */
  message(
    bytes: Uint8Array,
    start: number,
    end: number,
    isText: boolean,
  ): void {
    // Once this side is done with the session, frames are dropped.
    if (this.#end) return;
    const { readAt } = this.#socket;
    const frame = new WsFrame(readAt, isText, bytes, start, end);
    if (!isText) frame.keep();
    if (this.#waiting) {
      if (!this.#waiting.takes(frame)) return;
      this.#waiting = undefined;
      this.#taken = frame;
      return;
    }
    this.#queue.push(frame.keep());
    this.#queuedBytes += frame.length;
    const full = this.#queuedBytes >= MOST_QUEUED_BYTES ||
      this.#queue.length >= MOST_QUEUED_FRAMES;
    if (full && !this.#paused) {
      this.#paused = true;
      this.#socket.pause();
    }
  }

  /** For the connection: all that came at once was handed on. */
  handedOn(): void {
    const taken = this.#taken;
    this.#taken = undefined;
    if (taken) this.#settle(taken);
  }

  /** For the connection: what came cannot be read. */
  broken(error: WebSocketError): void {
    this.#serverEnds(unreadable(error), !this.#leaving);
  }

  /** For the connection: the server closes it. */
  closing({ code, reason }: Closing): void {
    const quiet = code === ABNORMAL_CLOSURE && this.#leaving;
    this.#serverEnds(closed(code, reason), !quiet && !GOOD_CLOSES.has(code));
  }

  /** For the connection: it is gone. */
  closed(how: Closing): void {
    this.#closed = true;
    this.#gone?.resolve();
    this.closing(how);
  }

  /** @param bad counts although no step looks */
  #serverEnds(end: SessionEnd, bad: boolean): void {
    if (bad) this.#badEnd ??= { end, at: this.#context.now() };
    this.#finish(end);
  }
}
