import { arrivalOn, type Clock } from "../../base/time/clock.ts";
import type { ByteStream } from "../net/byte_stream.ts";
import {
  closePayload,
  type Closing,
  readClose,
  readText,
  WITHOUT_FRAME,
} from "./close.ts";
import { CLOSE, OPCODE, WebSocketError } from "./frame.ts";
import { FrameReader, type Message } from "./frame_reader.ts";
import { FrameWriter } from "./frame_writer.ts";

/** What the owner of a connection hears. */
export interface WebSocketEvents {
  /** A whole message; bytes for a binary one, which hold until it returns. */
  message(content: string | Uint8Array, bytes: number): void;
  /** The peer sent what RFC 6455 does not allow; `closed` follows. */
  broken(error: WebSocketError): void;
  /** The connection is gone. Comes once. */
  closed(how: Closing): void;
}

/** How long the peer may take to confirm a close frame. */
const CLOSE_TIMEOUT_MS = 1_000;
/** Pings confirmed without anything else coming in between. */
const MOST_PINGS = 1_000;

/**
 * An open WebSocket, client side (RFC 6455), without extensions. Pings are
 * answered; a close is confirmed and awaited.
 */
export class WebSocketConnection {
  readonly #stream: ByteStream;
  readonly #clock: Clock;
  readonly #events: WebSocketEvents;
  readonly #reader: FrameReader;
  #filling = new FrameWriter();
  #leaving: FrameWriter | undefined;
  #writing = false;
  #whenWritten: (() => void)[] = [];
  #paused = false;
  #reading = false;
  #closeSent = false;
  #closing: Closing | undefined;
  #closed = false;
  #pings = 0;
  /** Frames of a peer that keeps sending after this side closed are dropped. */
  readonly #timeout = new AbortController();
  /** Bytes on the wire. */
  sent = 0;
  received = 0;
  /** When the latest bytes came; NaN before. */
  readAt = NaN;

  /** @param rest bytes that came with the response to the handshake */
  constructor(
    stream: ByteStream,
    rest: Uint8Array,
    clock: Clock,
    events: WebSocketEvents,
  ) {
    this.#stream = stream;
    this.#clock = clock;
    this.#events = events;
    this.#reader = new FrameReader(rest);
    if (rest.length > 0) this.readAt = clock.now();
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
    this.#filling.text(text);
    if (written) this.#whenWritten.push(written);
    this.#flush();
  }

  /** Begins the closing handshake; without a confirmation the connection goes after 1 s. */
  close(code: number): void {
    if (this.#closeSent || this.#closed) return;
    this.#sendClose(closePayload(code));
    this.#clock.sleep(CLOSE_TIMEOUT_MS, this.#timeout.signal)
      .then(() => this.terminate());
  }

  /** Closes the connection at once. */
  terminate(): void {
    this.#end(this.#closing ?? WITHOUT_FRAME);
  }

  /** Stops reading, so that the peer has to wait. */
  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    if (!this.#paused) return;
    this.#paused = false;
    if (!this.#reading && !this.#closed && this.#handOn()) this.#read();
  }

  #read(): void {
    if (this.#paused || this.#closed) return;
    this.#reading = true;
    this.#stream.read(this.#reader.room()).then(this.#onRead, this.#onLost);
  }

  readonly #onRead = (count: number | null): void => {
    this.#reading = false;
    if (this.#closed) return;
    if (count === null) return this.#onLost();
    this.received += count;
    this.readAt = arrivalOn(this.#clock);
    this.#reader.take(count);
    if (this.#handOn()) this.#read();
  };

  readonly #onLost = (): void => {
    this.#reading = false;
    this.#end(this.#closing ?? WITHOUT_FRAME);
  };

  /** Hands on every whole message; false when no more may be read. */
  #handOn(): boolean {
    try {
      while (!this.#paused && !this.#closed) {
        const message = this.#reader.next();
        if (!message) return true;
        this.#take(message);
      }
    } catch (error) {
      if (!(error instanceof WebSocketError)) throw error;
      this.#break(error);
    }
    return false;
  }

  #take({ opcode, payload }: Message): void {
    switch (opcode) {
      case OPCODE.PING:
        return this.#pong(payload);
      case OPCODE.PONG:
        return;
      case OPCODE.CLOSE:
        return this.#onClose(payload);
    }
    this.#pings = 0;
    if (this.#closing) return;
    const content = opcode === OPCODE.TEXT ? readText(payload) : payload;
    this.#events.message(content, payload.length);
  }

  #pong(payload: Uint8Array): void {
    if (++this.#pings > MOST_PINGS) {
      throw new WebSocketError(
        CLOSE.PROTOCOL_ERROR,
        `more than ${MOST_PINGS} pings without a message between them`,
      );
    }
    if (this.#closeSent) return;
    this.#filling.control(OPCODE.PONG, payload);
    this.#flush();
  }

  /** The peer closes: its frame is sent back, and it ends the connection. */
  #onClose(payload: Uint8Array): void {
    this.#closing ??= readClose(payload);
    if (!this.#closeSent) {
      this.#sendClose(payload.subarray(0, 2));
      // The server ends the connection (RFC 6455 section 7.1.1), if it wants to.
      this.#clock.sleep(CLOSE_TIMEOUT_MS, this.#timeout.signal)
        .then(() => this.terminate());
      return;
    }
    this.terminate();
  }

  #break(error: WebSocketError): void {
    this.#events.broken(error);
    this.#whenWritten.push(() => this.terminate());
    this.#sendClose(closePayload(error.closeCode));
    this.#clock.sleep(CLOSE_TIMEOUT_MS, this.#timeout.signal)
      .then(() => this.terminate());
  }

  #sendClose(payload: Uint8Array): void {
    if (this.#closeSent) return;
    this.#closeSent = true;
    this.#filling.control(OPCODE.CLOSE, payload);
    this.#flush();
  }

  #flush(): void {
    if (this.#writing || this.#closed) return;
    const out = this.#filling;
    this.#filling = this.#leaving ?? new FrameWriter();
    this.#leaving = out;
    this.#writing = true;
    const called = this.#whenWritten;
    this.#whenWritten = [];
    this.#write(out.take(), called);
  }

  #write(bytes: Uint8Array<ArrayBuffer>, called: (() => void)[]): void {
    this.#stream.write(bytes).then((count) => {
      this.sent += count;
      if (count < bytes.length) {
        return this.#write(bytes.subarray(count), called);
      }
      this.#writing = false;
      this.#leaving!.shrink();
      for (const each of called) each();
      if (!this.#filling.empty) this.#flush();
    }, () => {
      // The read side says how the connection ended.
    });
  }

  #end(how: Closing): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#timeout.abort();
    try {
      this.#stream.close();
    } catch {
      // Already gone: the stream was the peer's to end as well.
    }
    this.#events.closed(how);
  }
}
