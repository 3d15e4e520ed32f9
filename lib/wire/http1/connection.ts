import { arrivalOn, type Clock } from "../../base/time/clock.ts";
import type { Failure } from "../../model/result/failure.ts";
import { type Marks, startMarks } from "../../model/result/response.ts";
import { type ByteStream, closeQuietly } from "../net/byte_stream.ts";
import type { HandOver } from "../net/hand_over.ts";
import type { Outbox, Sender } from "../net/outbox.ts";
import type { Deadline, Deadlines, Expiring } from "../net/deadlines.ts";
import {
  brokenBy,
  GIVEN_UP,
  isTlsCutOff,
  MAY_WANT_CERTIFICATE,
  timedOut,
  WireError,
} from "../net/wire_error.ts";
import type { TakeResponse } from "../net/wire_response.ts";
import { Http1Response } from "./http1_response.ts";
import { ResponseReader } from "./response_reader.ts";

/** How far an exchange has come. */
interface Progress {
  /** Bytes of the request, and how many of them were written. */
  readonly size: number;
  readonly sent: number;
  readonly received: number;
  /** The head of the response is whole. */
  readonly inBody: boolean;
  /** How long the connection had been idle before; NaN for its first exchange. */
  readonly idleMs: number;
  /** The first exchange of a connection with TLS. */
  readonly afterHandshake: boolean;
}

/** The connection ended before the response did. */
function connectionLost(
  how: "closed" | "reset",
  { size, sent, received, idleMs, afterHandshake }: Progress,
  error?: unknown,
): Failure {
  const came = received === 0
    ? `before any byte of the response came; ${sent} of ${size} bytes of the request were sent${
      idle(idleMs)
    }`
    : `after ${received} bytes of an incomplete response`;
  const why = error instanceof Error &&
      !(error instanceof Deno.errors.ConnectionReset)
    ? ` (${brokenBy(error)})`
    : afterHandshake && received === 0
    ? ` (${MAY_WANT_CERTIFICATE})`
    : "";
  return {
    code: "reset",
    message: `The server ${how} the connection ${came}${why}`,
  };
}

/** A server that closes an idle connection does not see the request coming. */
function idle(idleMs: number): string {
  if (Number.isNaN(idleMs)) return "";
  const ms = idleMs < 10 ? Math.max(idleMs, 0.1).toFixed(1) : idleMs.toFixed();
  return `, on a connection that had been idle for ${ms} ms`;
}

/** The buffer of a fresh socket takes so many bytes at once, and more. */
const TAKEN_BYTES = 16_384;

/** The phase that was under way when the time was up. */
function doing({ size, sent, received, inBody }: Progress): string {
  if (sent < size) return `writing the request (${sent} of ${size} bytes)`;
  if (received === 0) return "waiting for the first byte";
  return inBody
    ? `reading the body (${received} bytes of the response came)`
    : `reading the head (${received} bytes came)`;
}

/** An idle time that no server announces a shorter one than: nothing has to be read. */
const SHORTEST_IDLE_MS = 500;

/** The least time granted to a request on its way, and to timers that are late. */
const LEAST_MARGIN_MS = 100;

/**
 * How long a connection may have been idle and still be used, by the
 * `Keep-Alive` field of the last response (`timeout=5`, in seconds; RFC 2068
 * section 19.7.1.1). A tenth of the time is left to the request's way, so that
 * it does not meet the close.
 *
 * @returns milliseconds; Infinity when the field says nothing
 */
function idleLimit(field: string | undefined): number {
  const [, seconds] = /(?:^|[,;\s])timeout\s*=\s*"?(\d+)/i.exec(field ?? "") ??
    [];
  if (seconds === undefined) return Infinity;
  const announced = Number(seconds) * 1_000;
  return announced - Math.max(LEAST_MARGIN_MS, announced / 10);
}

/** Has a request sent elsewhere that a connection could not begin to write. */
type Unsent = (
  method: string,
  request: Uint8Array,
  timeoutMs: number,
  done: TakeResponse,
) => void;

/** A stream that speaks another protocol now. */
export interface Upgraded {
  readonly stream: ByteStream;
  /** Bytes of it that came with the response. */
  readonly rest: Uint8Array;
}

/**
 * One kept-alive HTTP/1.1 connection; one exchange at a time.
 *
 * A read is always under way, between exchanges too. That costs nothing, since
 * the next response has to be read anyway, and it is how a close by the idle server
 * is noticed before anything of the next request is written.
 *
 * It goes to another buffer than the last response, which stays in place until the
 * next request. All steps are callbacks made once: an exchange
 * allocates its response and its marks.
 */
export class HttpConnection implements Expiring, Sender {
  readonly #stream: ByteStream;
  readonly #clock: Clock;
  readonly #deadlines: Deadlines;
  readonly #deadline: Deadline;
  readonly #handOver: HandOver;
  readonly #outbox: Outbox;

  readonly #reader = new ResponseReader();
  #closed = false;
  #busy = false;
  #retired = false;
  #method = "";
  #request: Uint8Array = new Uint8Array(0);
  #sent = 0;
  #received = 0;
  /** Bounds the exchange whose request waits to be written; NaN when none does. */
  #timeoutMs = NaN;
  #marks: Marks = startMarks(0);
  /** Between the last response and the request under way; NaN for the first one. */
  #idleMs = NaN;
  #done: TakeResponse = ignore;
  /** The exchange under way asks for another protocol. */
  #upgrades = false;
  /** After a 101: the stream, which is not this connection's any more. */
  upgraded: Upgraded | undefined;
  /** Takes the request of `exchange` when the server ends the connection before it is written. */
  unsent: Unsent | undefined;

  /** @param deadline runs already for a fresh connection's first exchange */
  constructor(
    stream: ByteStream,
    clock: Clock,
    deadlines: Deadlines,
    deadline: Deadline,
    handOver: HandOver,
    outbox: Outbox,
  ) {
    this.#handOver = handOver;
    this.#outbox = outbox;
    this.#stream = stream;
    this.#clock = clock;
    this.#deadlines = deadlines;
    this.#deadline = deadline;
    deadline.owner = this;
    this.#read(this.#reader.ahead());
  }

  /**
   * Whether a request may be written now: open, idle, nothing of an earlier
   * request still on its way out, and not so long idle that the server, by its own
   * word, is about to close it.
   */
  get ready(): boolean {
    return !this.#closed && !this.#busy &&
      this.#sent === this.#request.length && !this.#expired();
  }

  /** An exchange on a kept-alive connection. Its time begins when it is written. */
  exchange(
    method: string,
    request: Uint8Array,
    timeoutMs: number,
    done: TakeResponse,
  ): void {
    this.#begin(method, request, done);
    this.#timeoutMs = timeoutMs;
    this.#outbox.add(this);
  }

  /** For the outbox. */
  send(now: number): void {
    if (!this.#isQueued) return;
    if (this.#closed) return this.#giveBack();
    this.#idleMs = now - this.#marks.end;
    this.#marks = startMarks(now);
    this.#stream.write(this.#request).then(this.#onWritten, ignore);
    this.#deadlines.start(this.#deadline, now, this.#timeoutMs);
    this.#timeoutMs = NaN;
  }

  /** The request of an exchange waits for the outbox. */
  get #isQueued(): boolean {
    return !Number.isNaN(this.#timeoutMs);
  }

  #giveBack(): void {
    const [timeoutMs, done] = [this.#timeoutMs, this.#done];
    this.#timeoutMs = NaN;
    this.#done = ignore;
    this.#busy = false;
    this.#handOver.ended();
    this.unsent?.(this.#method, this.#request, timeoutMs, done);
  }

  /**
   * The exchange the connection was dialled for, when it asks for another protocol
   * (RFC 9110 section 7.8). A response without 101 counts even when incomplete.
   */
  upgrade(request: Uint8Array, marks: Marks, done: TakeResponse): void {
    this.#upgrades = true;
    this.begin("GET", request, marks, done);
  }

  /**
   * The exchange the connection was dialled for; its deadline runs already. The
   * request is written first: the time of what comes before would be the server's.
   */
  begin(
    method: string,
    request: Uint8Array,
    marks: Marks,
    done: TakeResponse,
  ): void {
    const written = this.#stream.write(request);
    this.#begin(method, request, done);
    this.#marks = marks;
    written.then(this.#onWritten, ignore);
  }

  #begin(method: string, request: Uint8Array, done: TakeResponse): void {
    this.#handOver.began();
    this.#busy = true;
    this.#method = method;
    this.#request = request;
    this.#sent = 0;
    this.#received = 0;
    this.#reader.next(method === "HEAD");
    this.#done = done;
  }

  /** Lets go of the connection as soon as no exchange is under way. */
  retire(): void {
    if (this.#busy) this.#retired = true;
    else this.#shut();
  }

  /** Lets go of the connection; an exchange under way ends as `aborted`. */
  close(): void {
    if (this.#busy) this.#finish(GIVEN_UP);
    else this.#shut();
  }

  /** The deadline is over. */
  expire(): void {
    const waited = this.#deadline.at - this.#marks.start;
    this.#finish(timedOut(waited, doing(this.#progress())));
  }

  /** A failed write is left to the read side: an early response may be there. */
  readonly #onWritten = (count: number): void => {
    this.#sent += count;
    if (this.#sent === this.#request.length) return;
    if (this.#busy) {
      const rest = this.#request.subarray(this.#sent);
      this.#stream.write(rest).then(this.#onWritten, ignore);
    } else this.#shut(); // The server responded without the rest.
  };

  #read(into: Uint8Array): void {
    this.#stream.read(into).then(this.#onRead, this.#onReadError);
  }

  readonly #onRead = (count: number | null): void => {
    if (this.#closed) return;
    // Unrequested bytes would be taken for the next response.
    if (!this.#busy || this.#isQueued) return this.#shut();
    if (!count) return this.#onEnd();
    const now = arrivalOn(this.#clock);
    if (this.#received === 0) this.#marks.firstByte = now;
    this.#received += count;
    this.#marks.end = now;
    try {
      if (!this.#reader.take(count)) return this.#read(this.#reader.room());
    } catch (error) {
      return this.#finish(
        error instanceof WireError
          ? error.failure
          : { code: "protocol", message: `protocol: ${error}` },
      );
    }
    this.#finish(undefined);
  };

  readonly #onReadError = (error: unknown): void => {
    if (this.#closed) return;
    if (!this.#busy || this.#isQueued) return this.#shut();
    const how = isTlsCutOff(error) ? "closed" : "reset";
    this.#finish(connectionLost(how, this.#progress(), error));
  };

  #onEnd(): void {
    if (this.#reader.finish()) return this.#finish(undefined);
    this.#finish(connectionLost("closed", this.#progress()));
  }

  #finish(why: Failure | undefined): void {
    const reader = this.#reader;
    const failure = this.#upgrades && reader.inBody ? undefined : why;
    if (why) this.#markEnd();
    if (failure !== undefined) {
      this.#marks.failed = this.#received === 0 ? "ttfb" : "transfer";
      reader.cutOff();
    }
    this.#busy = false;
    this.#deadlines.stop(this.#deadline);
    const response = new Http1Response(
      reader,
      failure,
      this.#marks,
      // A server that speaks first is read before it is known how much was written.
      this.#sent ||
        Math.min(this.#request.length, this.#received && TAKEN_BYTES),
      this.#received,
    );
    if (reader.reusable && !this.#retired) {
      this.#read(reader.ahead());
    } else {
      if (this.#upgrades && !why) this.#giveUp();
      this.#shut();
    }
    const done = this.#done;
    this.#done = ignore;
    // Last: the next exchange may begin before it returns.
    this.#handOver.add(done, response, this.#marks.end);
  }

  /** An exchange has ended without the rest of its response, maybe before it was written. */
  #markEnd(): void {
    const now = this.#clock.now();
    if (this.#isQueued) this.#marks = startMarks(now);
    this.#timeoutMs = NaN;
    this.#marks.end = now;
  }

  /** The bytes behind the head belong to the other protocol. */
  #giveUp(): void {
    const { head, bytes, bodyStart, filled } = this.#reader;
    if (head.status !== 101) return;
    this.#closed = true;
    this.upgraded = {
      stream: this.#stream,
      rest: bytes.slice(bodyStart, filled),
    };
  }

  #shut(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#deadlines.stop(this.#deadline);
    closeQuietly(this.#stream);
  }

  #expired(): boolean {
    const { head, bytes } = this.#reader;
    if (!head.limitsIdle) return false;
    const idle = this.#clock.now() - this.#marks.end;
    return idle >= SHORTEST_IDLE_MS &&
      idle >= idleLimit(head.fields.find(bytes, "keep-alive"));
  }

  /** How far the exchange has come. */
  #progress(): Progress {
    return {
      sent: this.#sent,
      size: this.#request.length,
      received: this.#received,
      inBody: this.#reader.inBody,
      idleMs: this.#idleMs,
      afterHandshake: !Number.isNaN(this.#marks.tls),
    };
  }
}

function ignore(): void {}
