import { arrivalOn, type Clock } from "../../base/time/clock.ts";
import { type ByteStream, closeQuietly } from "../net/byte_stream.ts";
import { Deadline, type Deadlines, type Expiring } from "../net/deadlines.ts";
import type { HandOver } from "../net/hand_over.ts";
import type { Outbox } from "../net/outbox.ts";
import {
  checkText,
  CLOSE,
  closePayload,
  type Closing,
  OPCODE,
  readClose,
  WebSocketError,
  WITHOUT_FRAME,
} from "./frame.ts";
import { FrameReader, INCOMPLETE } from "./frame_reader.ts";
import { Outbound } from "./frame_writer.ts";

/** Events that the owner of a connection is notified of. */
export interface WebSocketEvents {
  /** A whole message, text or not. Its bytes hold until `handedOn` has returned. */
  message(
    bytes: Uint8Array,
    start: number,
    end: number,
    isText: boolean,
  ): void;
  /** All that came at once was handed on; more may be sent before it returns. */
  handedOn(): void;
  /** The server sent what RFC 6455 does not allow; `closed` follows. */
  broken(error: WebSocketError): void;
  /** The server sent a close frame: nothing can be sent any more. `closed` follows. */
  closing(how: Closing): void;
  /** The connection is gone. Comes once. */
  closed(how: Closing): void;
}

/** How long the server may take to confirm a close frame. */
const CLOSE_TIMEOUT_MS = 1_000;
/** Pings confirmed within so long, without a message between them. */
const MOST_PINGS = 1_000;
const PINGS_WITHIN_MS = 5_000;

/** The clock of a connection, the bound of each wait, and when messages are looked at and sent. */
interface WebSocketTime {
  readonly clock: Clock;
  readonly deadlines: Deadlines;
  readonly handOver: HandOver;
  readonly outbox: Outbox;
}

/**
 * An open WebSocket, client side (RFC 6455), without extensions. Pings are
 * confirmed by a pong; a close is confirmed and awaited.
 *
 * A writer or a deadline, which only some moments need, is there for those moments:
 * a run may hold thousands of open connections that do nothing.
 */
export class WebSocketConnection implements Expiring {
  readonly #stream: ByteStream;
  readonly #time: WebSocketTime;
  readonly #events: WebSocketEvents;
  readonly #reader: FrameReader;
  readonly #outbound: Outbound;
  #paused = false;
  #reading = false;
  /** Read, but not looked at: others came in the same moment. */
  #behind = false;
  #closeSent = false;
  #closing: Closing | undefined;
  #closed = false;
  /** The server broke a rule: no more is read. */
  #isBroken = false;
  #pings = 0;
  #pingsFrom = -Infinity;
  /** Bounds the closing handshake. */
  #deadline: Deadline | undefined;
  /** Bytes that came. */
  received = 0;
  /** When the latest bytes came; NaN before. */
  readAt = NaN;

  /** @param rest bytes that came with the response to the handshake */
  constructor(
    stream: ByteStream,
    rest: Uint8Array,
    time: WebSocketTime,
    events: WebSocketEvents,
  ) {
    this.#stream = stream;
    this.#time = time;
    this.#events = events;
    this.#reader = new FrameReader(rest);
    this.#outbound = new Outbound(stream, time.outbox);
    time.handOver.began();
    if (rest.length > 0) this.readAt = time.clock.now();
  }

  /** Bytes of all frames that were sent, of those too that are about to be. */
  get sent(): number {
    return this.#outbound.sent;
  }

  /** When the latest text message left; NaN before. */
  get leftAt(): number {
    return this.#outbound.leftAt;
  }

  /** Begins to read. What has come already is handed on before it returns. */
  start(): void {
    if (this.#handOn()) this.#read();
  }

  /**
   * Sends a text message.
   *
   * @param written called when it is with the socket; never when the connection
   *   is gone first
   */
  send(text: string, written?: () => void): void {
    if (this.#closeSent || this.#closed) return;
    this.#outbound.text(text, written);
  }

  /** Begins the closing handshake; without a confirmation the connection goes after 1 s. */
  close(code: number): void {
    if (this.#closeSent || this.#closed) return;
    this.#sendClose(closePayload(code));
    this.#expectEnd();
  }

  /** Closes the connection at once. */
  terminate(): void {
    this.#end(this.#closing ?? WITHOUT_FRAME);
  }

  /** The server has not ended the connection in time. */
  expire(): void {
    this.terminate();
  }

  /** Stops reading, so that the server has to wait. */
  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    if (!this.#reading && !this.#closed && this.#handOn()) this.#read();
  }

  #read(): void {
    this.#reading = true;
    this.#stream.read(this.#reader.room()).then(this.#onRead, this.#onEnd);
  }

  readonly #onRead = (count: number | null): void => {
    if (this.#closed) return;
    if (!count) return this.terminate();
    this.received += count;
    this.readAt = arrivalOn(this.#time.clock);
    this.#reader.take(count);
    this.#behind = true;
    this.#time.handOver.read(this.#look, this.readAt);
  };

  readonly #onEnd = (): void => {
    if (!this.#closed) this.terminate();
  };

  /** Looks at what was read, and reads on. */
  readonly #look = (): void => {
    this.#behind = false;
    if (this.#handOn()) this.#read();
    else this.#reading = false;
  };

  /** Looks at what was read, if it has not been: the time of the step that waits is over. */
  catchUp(): void {
    if (this.#behind) this.#handOn();
  }

  /** Hands on every whole message; false when no more may be read. */
  #handOn(): boolean {
    for (;;) {
      const incomplete = this.#takeMessages();
      // What is done meanwhile may pause it, resume it, or close it.
      this.#events.handedOn();
      if (this.#closed || this.#isBroken) return false;
      if (incomplete) return true;
      if (this.#paused) return false;
    }
  }

  /** True when the bytes of the next one are not all here. */
  #takeMessages(): boolean {
    try {
      while (!this.#paused && !this.#closed) {
        const opcode = this.#reader.next();
        if (opcode === INCOMPLETE) return true;
        this.#take(opcode);
      }
    } catch (error) {
      if (!(error instanceof WebSocketError)) throw error;
      this.#break(error);
    }
    return false;
  }

  #take(opcode: number): void {
    const reader = this.#reader;
    switch (opcode) {
      case OPCODE.PING:
        return this.#pong(reader.payload);
      case OPCODE.PONG:
        return;
      case OPCODE.CLOSE:
        return this.#onClose(reader.payload);
    }
    this.#pings = 0;
    if (this.#closing) return;
    const { payloadBytes, payloadStart, payloadEnd } = reader;
    const isText = opcode === OPCODE.TEXT;
    if (isText) checkText(payloadBytes, payloadStart, payloadEnd);
    this.#events.message(payloadBytes, payloadStart, payloadEnd, isText);
  }

  #pong(payload: Uint8Array): void {
    if (this.readAt - this.#pingsFrom > PINGS_WITHIN_MS) {
      this.#pings = 0;
      this.#pingsFrom = this.readAt;
    }
    if (++this.#pings > MOST_PINGS) {
      throw new WebSocketError(
        CLOSE.PROTOCOL_ERROR,
        `more than ${MOST_PINGS} pings within ${
          PINGS_WITHIN_MS / 1_000
        } s, without a message between them`,
      );
    }
    if (this.#closeSent) return;
    this.#outbound.control(OPCODE.PONG, payload);
  }

  /** The server closes: its frame is sent back, and it ends the connection. */
  #onClose(payload: Uint8Array): void {
    this.#closing ??= readClose(payload);
    if (this.#closeSent) return this.terminate();
    this.#sendClose(payload.subarray(0, 2));
    // The server ends the connection (RFC 6455 section 7.1.1), if it wants to.
    this.#expectEnd();
    this.#events.closing(this.#closing);
  }

  #break(error: WebSocketError): void {
    this.#isBroken = true;
    this.#sendClose(closePayload(error.closeCode), () => this.terminate());
    this.#expectEnd();
    this.#events.broken(error);
  }

  #expectEnd(): void {
    if (this.#closed) return;
    const { clock, deadlines } = this.#time;
    this.#deadline ??= new Deadline(this);
    deadlines.stop(this.#deadline);
    deadlines.start(this.#deadline, clock.now(), CLOSE_TIMEOUT_MS);
  }

  #sendClose(payload: Uint8Array, written?: () => void): void {
    if (this.#closeSent) return;
    this.#closeSent = true;
    this.#outbound.control(OPCODE.CLOSE, payload, written);
  }

  #end(how: Closing): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#time.handOver.ended();
    if (this.#deadline) this.#time.deadlines.stop(this.#deadline);
    this.#outbound.close();
    closeQuietly(this.#stream);
    this.#events.closed(how);
  }
}
