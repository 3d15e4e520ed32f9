import type { Capture } from "../../language/ir.ts";
import type { StepResponse } from "../../model/result/response.ts";
import { Deadline, type Expiring } from "../../wire/net/deadlines.ts";
import type { Closing, WebSocketError } from "../../wire/websocket/frame.ts";
import type {
  WebSocketConnection,
  WebSocketEvents,
} from "../../wire/websocket/connection.ts";
import type { AttemptContext, Closable } from "../protocol.ts";
import {
  ABNORMAL_CLOSURE,
  closed,
  FrameResponse,
  GIVEN_UP,
  GOOD_CLOSES,
  type SessionEnd,
  TIMED_OUT,
  unreadable,
} from "./response.ts";
import { WsFrame } from "./frame.ts";

/** Frames that no step has taken yet: beyond this the server has to wait. */
const MOST_QUEUED_BYTES = 1 << 20;
const MOST_QUEUED_FRAMES = 1_000;

/** The result of waiting on a session. */
export type Waited = WsFrame | SessionEnd | "written" | "late";

/** Makes the response of a step, as soon as its wait is over. Never throws. */
export type Respond = (waited: Waited) => StepResponse;

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
  #respond: Respond | undefined;
  #resolve: ((response: StepResponse) => void) | undefined;
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

  /** Sends a text frame and waits until it is written. */
  sendWhole(
    text: string,
    timeoutMs: number,
    respond: Respond,
  ): Promise<StepResponse> {
    const waiting = this.#wait(timeoutMs, respond);
    // Without a connection the close follows, and says why.
    this.#socket.send(text, this.#onWritten);
    return waiting;
  }

  /**
   * The first frame that the taker takes, from the queue on; the others are
   * dropped. What came before the end of a session can still be received.
   */
  receive(
    taker: Taker,
    timeoutMs: number,
    respond: Respond,
  ): Promise<StepResponse> {
    for (let frame = this.#next(); frame; frame = this.#next()) {
      if (taker.takes(frame)) return Promise.resolve(respond(frame));
    }
    if (this.end) return Promise.resolve(respond(this.end));
    this.#waiting = taker;
    return this.#wait(timeoutMs, respond);
  }

  /** The receive took too long: the session is over (spec, session state). */
  expire(): void {
    // The frame may be here, in a burst that is still being looked at.
    this.#socket.catchUp();
    if (!this.#resolve) return;
    this.#settle("late");
    this.#finish(TIMED_OUT);
    this.#leave();
  }

  /** Closes it; waits for the server, but not when the run is to stop now. */
  close(): Promise<void> {
    const underWay = this.#resolve !== undefined;
    this.#finish(GIVEN_UP);
    if (underWay || this.#context.signal.aborted) this.#socket.terminate();
    else this.#leave();
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

  /** One promise a wait: its response is made where the frame comes in. */
  #wait(timeoutMs: number, respond: Respond): Promise<StepResponse> {
    const { deadlines } = this.#context;
    this.#respond = respond;
    deadlines.start(this.#deadline, this.#context.now(), timeoutMs);
    return new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  #settle(waited: Waited): void {
    this.#context.deadlines.stop(this.#deadline);
    const resolve = this.#resolve;
    const respond = this.#respond;
    this.#resolve = undefined;
    this.#respond = undefined;
    this.#waiting = undefined;
    if (resolve) resolve(respond!(waited));
  }

  #finish(end: SessionEnd): void {
    this.#end ??= end;
    if (this.#resolve) this.#settle(this.end!);
  }

  #next(): WsFrame | undefined {
    if (this.#queue.length === 0) return undefined;
    const frame = this.#queue.shift()!;
    this.#queuedBytes -= frame.bytes;
    if (this.#queue.length === 0) this.#flow();
    return frame;
  }

  #flow(): void {
    if (!this.#paused) return;
    this.#paused = false;
    this.#socket.resume();
  }

  /** For the connection: a whole message came. */
  message(content: string | Uint8Array, bytes: number): void {
    // Once this side is done with the session, frames are dropped.
    if (this.#end) return;
    const kept = typeof content === "string" ? content : content.slice();
    const frame = new WsFrame(this.#socket.readAt, bytes, kept);
    if (this.#waiting) {
      if (this.#waiting.takes(frame)) this.#settle(frame);
      return;
    }
    this.#queue.push(frame);
    this.#queuedBytes += bytes;
    const full = this.#queuedBytes >= MOST_QUEUED_BYTES ||
      this.#queue.length >= MOST_QUEUED_FRAMES;
    if (full && !this.#paused) {
      this.#paused = true;
      this.#socket.pause();
    }
  }

  /** For the connection: what came cannot be read. */
  broken(error: WebSocketError): void {
    this.#serverEnds(unreadable(error), !this.#leaving);
  }

  /** For the connection: it is gone. */
  closed({ code, reason }: Closing): void {
    const quiet = code === ABNORMAL_CLOSURE && this.#leaving;
    this.#serverEnds(closed(code, reason), !quiet && !GOOD_CLOSES.has(code));
    this.#closed = true;
    this.#gone?.resolve();
  }

  /** @param bad counts although no step looks */
  #serverEnds(end: SessionEnd, bad: boolean): void {
    if (bad) this.#badEnd ??= { end, at: this.#context.now() };
    this.#finish(end);
  }
}
