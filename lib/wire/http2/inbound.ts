import { ByteWriter } from "./frames/byte_writer.ts";
import { Http2Error, tooManyFields } from "./frames/error.ts";
import {
  FLAG,
  FRAME,
  type Frame,
  frameName,
  uint31,
  uint32,
} from "./frames/frame_reader.ts";
import { HpackDecoder } from "./hpack/decoder.ts";
import { type FieldSection, fieldSection } from "./section.ts";

const MOST = 1_000;
const WITHIN_MS = 5_000;
/** A server may send so many beside a response, such as PING. */
const WITH_RESPONSE = 10;
/** WINDOW_UPDATE for each DATA frame that it was sent: Go sends two for every 4 KiB it reads. */
const WITH_DATA = 8;

/**
 * Counts frames that bring no response forward. A server that sends nothing else
 * (SETTINGS, PING, RST_STREAM, empty frames: RFC 9113 section 10.5) would keep
 * this side busy for as long as it likes.
 */
class FloodGuard {
  readonly #now: () => number;
  #left = MOST;
  #since = -Infinity;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** A response is whole. */
  responded(): void {
    this.#left = Math.min(MOST, this.#left + WITH_RESPONSE);
  }

  /** @throws {Http2Error} `ENHANCE_YOUR_CALM` */
  count(type: number): void {
    if (--this.#left > 0) return;
    const now = this.#now();
    if (now - this.#since < WITHIN_MS) {
      throw new Http2Error(
        "ENHANCE_YOUR_CALM",
        `more than ${MOST} frames without content within ${
          WITHIN_MS / 1_000
        } s; the last one was ${frameName(type)}`,
      );
    }
    this.#since = now;
    this.#left = MOST;
  }
}

/** Where the payload lies without its padding (RFC 9113 section 6.1). */
function unpadded(
  frame: Frame,
  bytes: Uint8Array,
  start: number,
): readonly [start: number, end: number] {
  if (!(frame.flags & FLAG.PADDED)) return [start, frame.end];
  if (start === frame.end) throw tooShort(frame);
  const end = frame.end - bytes[start]!;
  if (end > start) return [start + 1, end];
  throw broken(
    `the padding of ${frameName(frame.type)} is longer than its payload`,
  );
}

function checkLength(frame: Frame, expectedLength: number): void {
  const length = frame.end - frame.start;
  if (length === expectedLength) return;
  throw new Http2Error(
    "FRAME_SIZE_ERROR",
    `${frameName(frame.type)} has ${length} bytes: expected ${expectedLength}`,
  );
}

function tooShort(frame: Frame): Http2Error {
  return new Http2Error(
    "FRAME_SIZE_ERROR",
    `${frameName(frame.type)} has ${
      frame.end - frame.start
    } bytes, which is too few`,
  );
}

function checkStream({ stream, type }: Frame): void {
  if (stream === 0) throw broken(`${frameName(type)} is of no stream`);
}

function checkConnection({ stream, type }: Frame): void {
  if (stream === 0) return;
  throw broken(`${frameName(type)} is of stream ${stream}: expected 0`);
}

function broken(why: string): Http2Error {
  return new Http2Error("PROTOCOL_ERROR", why);
}

/** The most a header block may take, and the list it stands for. */
export const MOST_FIELD_BYTES = 256 * 1024;

/** The actions of a connection on received frames. */
export interface InboundEvents {
  settings(bytes: Uint8Array, start: number, end: number): void;
  ping(bytes: Uint8Array, start: number): void;
  goAway(lastStream: number, error: number, text: string): void;
  /** `stream` 0 is the connection. */
  windowUpdate(stream: number, count: number): void;
  /** The server ended the stream that is open, with an error code. */
  reset(error: number): void;
  section(section: FieldSection, endStream: boolean): void;
  /**
   * Payload of the open stream.
   *
   * @param counted bytes the flow control counts, padding included
   */
  data(
    bytes: Uint8Array,
    start: number,
    end: number,
    counted: number,
    endStream: boolean,
  ): void;
  /** Payload of a stream that this side ended. */
  lateData(counted: number): void;
}

/** The streams of a connection, as far as a frame has to know them. */
interface Streams {
  /** The one that is open; 0 when none is. */
  readonly current: number;
  /** The next one that will be opened: none from here on may be named. */
  readonly next: number;
  /** The server ended it in full; it may say nothing more about it. */
  readonly ended: number;
  /** DATA frames that were sent. */
  readonly dataFrames: number;
}

/** Reads frames in order and checks that each may be where it does. */
export class Inbound {
  readonly #events: InboundEvents;
  readonly #streams: Streams;
  readonly #decoder = new HpackDecoder<FieldSection>(4_096, MOST_FIELD_BYTES);
  readonly #flood: FloodGuard;
  #block: ByteWriter | undefined;
  #blockStream = 0;
  #blockEnds = false;
  #greeted = false;
  #windowUpdates = 0;

  constructor(streams: Streams, now: () => number, events: InboundEvents) {
    this.#streams = streams;
    this.#flood = new FloodGuard(now);
    this.#events = events;
  }

  /** @throws {Http2Error} for the connection, or for the stream that is open */
  take(frame: Frame, bytes: Uint8Array): void {
    this.#checkOrder(frame);
    switch (frame.type) {
      case FRAME.DATA:
        return this.#data(frame, bytes);
      case FRAME.HEADERS:
        return this.#headers(frame, bytes);
      case FRAME.CONTINUATION:
        return this.#continuation(frame, bytes);
      case FRAME.RST_STREAM:
        return this.#reset(frame, bytes);
      case FRAME.WINDOW_UPDATE:
        return this.#windowUpdate(frame, bytes);
      case FRAME.SETTINGS:
        return this.#settings(frame, bytes);
      case FRAME.PING:
        return this.#ping(frame, bytes);
      case FRAME.GOAWAY:
        return this.#goAway(frame, bytes);
      case FRAME.PUSH_PROMISE:
        throw broken("PUSH_PROMISE is not expected: push is turned off");
      case FRAME.PRIORITY:
        checkLength(frame, 5);
        checkStream(frame);
        break;
    }
    this.#flood.count(frame.type);
  }

  #checkOrder({ type, stream }: Frame): void {
    if (!this.#greeted && type !== FRAME.SETTINGS) {
      throw broken(
        `the first frame is ${frameName(type)}: expected SETTINGS`,
      );
    }
    this.#greeted = true;
    const inBlock = this.#block !== undefined;
    if (inBlock !== (type === FRAME.CONTINUATION)) {
      throw broken(
        inBlock
          ? `${frameName(type)} comes in the middle of a header block`
          : "CONTINUATION without a header block before it",
      );
    }
    if (inBlock && stream !== this.#blockStream) {
      throw broken("CONTINUATION is of another stream than its header block");
    }
  }

  /** RFC 9113 section 6.1. */
  #data(frame: Frame, bytes: Uint8Array): void {
    this.#checkOpened(frame);
    const { stream, flags } = frame;
    const [start, end] = unpadded(frame, bytes, frame.start);
    const endStream = (flags & FLAG.END_STREAM) !== 0;
    if (start === end && !endStream) this.#flood.count(FRAME.DATA);
    const counted = frame.end - frame.start;
    this.#checkNotEnded(frame);
    if (stream !== this.#streams.current) {
      return this.#events.lateData(counted);
    }
    if (endStream) this.#flood.responded();
    this.#events.data(bytes, start, end, counted, endStream);
  }

  /** RFC 9113 section 6.2. */
  #headers(frame: Frame, bytes: Uint8Array): void {
    this.#checkOpened(frame);
    this.#checkNotEnded(frame);
    const { flags, stream } = frame;
    const [from, end] = unpadded(frame, bytes, frame.start);
    const start = flags & FLAG.PRIORITY ? from + 5 : from;
    if (start > end) throw tooShort(frame);
    const ends = (flags & FLAG.END_STREAM) !== 0;
    if (flags & FLAG.END_HEADERS) {
      return this.#section(bytes, start, end, stream, ends);
    }
    this.#block = new ByteWriter(2 * (end - start));
    this.#block.append(bytes.subarray(start, end));
    this.#blockStream = stream;
    this.#blockEnds = ends;
  }

  /** RFC 9113 section 6.10. */
  #continuation({ start, end, flags, stream }: Frame, bytes: Uint8Array): void {
    const block = this.#block!;
    if (block.length + end - start > MOST_FIELD_BYTES) {
      throw tooManyFields(MOST_FIELD_BYTES);
    }
    block.append(bytes.subarray(start, end));
    if (!(flags & FLAG.END_HEADERS)) {
      return this.#flood.count(FRAME.CONTINUATION);
    }
    this.#block = undefined;
    this.#section(block.bytes, 0, block.length, stream, this.#blockEnds);
  }

  /** Every block is decoded, even for a closed stream: they share a table. */
  #section(
    bytes: Uint8Array,
    start: number,
    end: number,
    stream: number,
    endStream: boolean,
  ): void {
    const list = this.#decoder.decode(bytes, start, end);
    if (stream !== this.#streams.current) {
      return this.#flood.count(FRAME.HEADERS);
    }
    const section = list.checked ??= fieldSection(list.fields);
    if (section.status >= 100 && section.status < 200) {
      this.#flood.count(FRAME.HEADERS);
    }
    if (endStream) this.#flood.responded();
    this.#events.section(section, endStream);
  }

  #reset(frame: Frame, bytes: Uint8Array): void {
    this.#checkOpened(frame);
    checkLength(frame, 4);
    if (frame.stream === this.#streams.current) {
      return this.#events.reset(uint32(bytes, frame.start));
    }
    this.#flood.count(frame.type);
  }

  #windowUpdate(frame: Frame, bytes: Uint8Array): void {
    if (frame.stream !== 0) this.#checkOpened(frame);
    checkLength(frame, 4);
    if (++this.#windowUpdates > WITH_DATA * this.#streams.dataFrames) {
      this.#flood.count(frame.type);
    }
    const count = uint31(bytes, frame.start);
    if (count > 0) return this.#events.windowUpdate(frame.stream, count);
    if (frame.stream !== 0 && frame.stream !== this.#streams.current) return;
    throw new Http2Error(
      "PROTOCOL_ERROR",
      "WINDOW_UPDATE adds 0 bytes",
      frame.stream === 0 ? "connection" : "stream",
    );
  }

  #settings(frame: Frame, bytes: Uint8Array): void {
    checkConnection(frame);
    this.#flood.count(frame.type);
    if (frame.flags & FLAG.ACK) return checkLength(frame, 0);
    this.#events.settings(bytes, frame.start, frame.end);
  }

  #ping(frame: Frame, bytes: Uint8Array): void {
    checkConnection(frame);
    checkLength(frame, 8);
    this.#flood.count(frame.type);
    if (!(frame.flags & FLAG.ACK)) this.#events.ping(bytes, frame.start);
  }

  #goAway(frame: Frame, bytes: Uint8Array): void {
    checkConnection(frame);
    if (frame.end - frame.start < 8) throw tooShort(frame);
    this.#flood.count(frame.type);
    const last = uint31(bytes, frame.start);
    const error = uint32(bytes, frame.start + 4);
    const debug = bytes.subarray(
      frame.start + 8,
      Math.min(frame.end, frame.start + 208),
    );
    this.#events.goAway(last, error, new TextDecoder().decode(debug));
  }

  /** A stream of this side's that was opened: their numbers are odd. */
  #checkOpened(frame: Frame): void {
    checkStream(frame);
    if (frame.stream % 2 === 1 && frame.stream < this.#streams.next) return;
    throw broken(
      `${
        frameName(frame.type)
      } is of stream ${frame.stream}, which was never opened`,
    );
  }

  #checkNotEnded({ stream, type }: Frame): void {
    if (stream !== this.#streams.ended) return;
    throw new Http2Error(
      "STREAM_CLOSED",
      `${frameName(type)} comes after the end of its stream`,
    );
  }
}
