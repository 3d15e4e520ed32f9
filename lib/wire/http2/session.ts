import { ResponseBody, type StreamExchange } from "./exchange.ts";
import { type ErrorName, errorName, Http2Error } from "./frames/error.ts";
import {
  FIRST_FRAME_SIZE,
  FIRST_WINDOW,
  type FrameReader,
  MOST_WINDOW,
  SETTING,
  uint32,
} from "./frames/frame_reader.ts";
import { HpackEncoder } from "./hpack/encoder.ts";
import { Inbound, type InboundEvents, MOST_FIELD_BYTES } from "./inbound.ts";
import { type Outbound, ownSettings } from "./outbound.ts";
import type { FieldSection } from "./section.ts";
import { ReceiveWindow, SendWindow, WINDOW } from "./windows.ts";

/** Bytes of one setting in a SETTINGS frame. */
const SETTING_BYTES = 6;

/** The settings that the server announced; the defaults hold until it did (RFC 9113 section 6.5.2). */
class ServerSettings {
  headerTableSize = 4_096;
  /** The smallest one that the last SETTINGS frame named; Infinity when it named none. */
  leastTableSize = Infinity;
  /** Infinity until the server sets a bound. */
  concurrentStreams = Infinity;
  initialWindow = FIRST_WINDOW;
  frameSize = FIRST_FRAME_SIZE;

  /**
   * Takes the settings that lie in `bytes` from `start` to `end`, in order.
   *
   * @throws {Http2Error} for a value that is out of range
   */
  take(bytes: Uint8Array, start: number, end: number): void {
    if ((end - start) % SETTING_BYTES !== 0) {
      throw new Http2Error(
        "FRAME_SIZE_ERROR",
        `a SETTINGS frame has ${
          end - start
        } bytes, which is no multiple of ${SETTING_BYTES}`,
      );
    }
    this.leastTableSize = Infinity;
    for (let at = start; at < end; at += SETTING_BYTES) {
      this.#set((bytes[at]! << 8) | bytes[at + 1]!, uint32(bytes, at + 2));
    }
  }

  #set(id: number, value: number): void {
    switch (id) {
      case SETTING.HEADER_TABLE_SIZE:
        this.headerTableSize = value;
        this.leastTableSize = Math.min(this.leastTableSize, value);
        break;
      case SETTING.ENABLE_PUSH:
        // A server may not turn on what this side turned off.
        if (value !== 0) throw outOfRange("ENABLE_PUSH", value);
        break;
      case SETTING.MAX_CONCURRENT_STREAMS:
        this.concurrentStreams = value;
        break;
      case SETTING.INITIAL_WINDOW_SIZE:
        if (value > MOST_WINDOW) {
          throw outOfRange("INITIAL_WINDOW_SIZE", value, "FLOW_CONTROL_ERROR");
        }
        this.initialWindow = value;
        break;
      case SETTING.MAX_FRAME_SIZE:
        if (value < FIRST_FRAME_SIZE || value > 0xffffff) {
          throw outOfRange("MAX_FRAME_SIZE", value);
        }
        this.frameSize = value;
        break;
    }
  }
}

function outOfRange(
  name: string,
  value: number,
  error: "PROTOCOL_ERROR" | "FLOW_CONTROL_ERROR" = "PROTOCOL_ERROR",
): Http2Error {
  return new Http2Error(
    error,
    `the setting ${name} is ${value}, which is out of range`,
  );
}

/** The most of a request that is put together for one write. */
const MOST_QUEUED = 64 * 1024;

/** How a stream came to its end, when no whole response did it. */
export type StreamEnd =
  /** The server ended it with this code, or by a GOAWAY that leaves it out. */
  | { readonly reset: number; readonly leftOut?: true }
  /** The response breaks a rule; the server has the code. */
  | { readonly error: Http2Error };

/** Events that the owner of a session is notified of. */
interface SessionEvents {
  /** The head of the response is here. */
  responding(): void;
  /** The stream is over; without an end, its response is whole. */
  ended(end?: StreamEnd): void;
}

/** REFUSED_STREAM: the server did nothing about it. */
const REFUSED = 7;

/**
 * The rules of one connection (RFC 9113), client side, with one stream at a
 * time. Reads frames and collects frames; reads and writes no socket.
 */
export class Http2Session implements InboundEvents {
  readonly body = new ResponseBody();
  /** For `Inbound`: which streams a frame may name. */
  current = 0;
  next = 1;
  ended = 0;
  dataFrames = 0;
  /** The reason of a GOAWAY; set when no more streams may be opened. */
  goneAway: string | undefined;
  readonly #outbound: Outbound;
  readonly #events: SessionEvents;
  readonly #inbound: Inbound;
  readonly #encoder = new HpackEncoder();
  readonly #settings = new ServerSettings();
  readonly #sending = new SendWindow();
  readonly #receiving = new ReceiveWindow();
  #exchange: StreamExchange | undefined;

  constructor(outbound: Outbound, now: () => number, events: SessionEvents) {
    this.#outbound = outbound;
    this.#events = events;
    this.#inbound = new Inbound(this, now, this);
    outbound.preface(ownSettings(WINDOW, MOST_FIELD_BYTES), WINDOW);
  }

  /** Why a request is not on its way yet, for a person. */
  get held(): string | undefined {
    if (!this.#exchange) return undefined;
    if (this.current === 0) return "waiting for the server to allow a stream";
    if (this.#exchange.whollyQueued || this.#sending.open > 0) return undefined;
    return "waiting for room in the server's flow-control window";
  }

  /** Opens a stream, as soon as the server allows one. */
  begin(exchange: StreamExchange): void {
    this.body.reset();
    this.#exchange = exchange;
    this.#open();
  }

  /** Hands on as much of the request's body as the server takes now. */
  sendBody(): void {
    if (this.current === 0) return;
    const exchange = this.#exchange!;
    const { body } = exchange.request;
    const room = Math.min(MOST_QUEUED, Math.max(0, this.#sending.open));
    const most = Math.min(exchange.queued + room, body.length);
    while (exchange.queued < most) {
      const size = Math.min(most - exchange.queued, this.#settings.frameSize);
      const end = exchange.queued + size;
      const part = body.subarray(exchange.queued, end);
      this.#outbound.data(this.current, part, end === body.length);
      this.dataFrames++;
      this.#sending.spend(size);
      exchange.queued = end;
    }
    this.#outbound.flush();
  }

  /** Gives up the stream that is open; what still comes for it is dropped. */
  cancel(error: ErrorName): void {
    if (this.current !== 0) this.#outbound.resetStream(this.current, error);
    this.#close();
    this.#outbound.flush();
  }

  /**
   * Takes in every whole frame of `reader`.
   *
   * @throws {Http2Error} when the connection is of no use any more
   */
  receive(reader: FrameReader): void {
    for (let frame = reader.next(); frame; frame = reader.next()) {
      try {
        this.#inbound.take(frame, reader.bytes);
      } catch (error) {
        if (!(error instanceof Http2Error) || error.scope === "connection") {
          throw error;
        }
        this.cancel(error.error);
        this.#events.ended({ error });
      }
    }
    this.#outbound.flush();
  }

  settings(bytes: Uint8Array, start: number, end: number): void {
    const before = this.#settings.initialWindow;
    this.#settings.take(bytes, start, end);
    this.#outbound.settingsAck();
    const { headerTableSize, leastTableSize } = this.#settings;
    // What left the table at the smaller size is not there at the larger one.
    this.#encoder.setTableSize(Math.min(leastTableSize, headerTableSize));
    this.#encoder.setTableSize(headerTableSize);
    this.#sending.shiftStream(this.#settings.initialWindow - before);
    if (this.current === 0) this.#open();
    else this.sendBody();
  }

  ping(bytes: Uint8Array, start: number): void {
    this.#outbound.pingAck(bytes, start);
  }

  goAway(lastStream: number, error: number, text: string): void {
    this.goneAway = `${errorName(error)}${text === "" ? "" : ` (${text})`}`;
    if (!this.#exchange || (this.current !== 0 && this.current <= lastStream)) {
      return;
    }
    this.#close();
    this.#events.ended({ reset: REFUSED, leftOut: true });
  }

  windowUpdate(stream: number, count: number): void {
    if (stream === 0) this.#sending.widenConnection(count);
    else if (stream === this.current) this.#sending.widenStream(count);
    this.sendBody();
  }

  reset(error: number): void {
    this.#close();
    this.#events.ended({ reset: error });
  }

  section(section: FieldSection, endStream: boolean): void {
    const exchange = this.#exchange!;
    exchange.take(section, endStream);
    this.#events.responding();
    if (endStream) this.#complete(exchange);
  }

  data(
    bytes: Uint8Array,
    start: number,
    end: number,
    counted: number,
    endStream: boolean,
  ): void {
    const exchange = this.#exchange!;
    const stream = endStream ? 0 : this.current;
    this.#receiving.took(counted, stream, this.#outbound);
    exchange.expectData();
    this.body.append(bytes, start, end);
    if (endStream) this.#complete(exchange);
  }

  lateData(counted: number): void {
    this.#receiving.took(counted, 0, this.#outbound);
  }

  #open(): void {
    const exchange = this.#exchange;
    if (!exchange || this.#settings.concurrentStreams === 0) return;
    this.current = this.next;
    this.next += 2;
    this.#sending.begin(this.#settings.initialWindow);
    this.#receiving.begin();
    const { fields, body } = exchange.request;
    this.#outbound.headers(
      this.current,
      (out) => this.#encoder.encode(fields, out),
      body.length === 0,
      this.#settings.frameSize,
    );
    this.sendBody();
  }

  /** The server ended the stream in full; the request may not be out yet. */
  #complete(exchange: StreamExchange): void {
    exchange.checkLength(this.body);
    this.ended = this.current;
    if (exchange.whollyQueued) this.#close();
    else this.cancel("NO_ERROR");
    this.#events.ended();
  }

  #close(): void {
    this.current = 0;
    this.#exchange = undefined;
  }
}
