import { arrivalOn, type Clock } from "../../base/time/clock.ts";
import { type Failure, failureBy } from "../../model/result/failure.ts";
import { type Marks, startMarks } from "../../model/result/response.ts";
import { type ByteStream, closeQuietly } from "../net/byte_stream.ts";
import type { Deadline, Deadlines, Expiring } from "../net/deadlines.ts";
import type { HandOver } from "../net/hand_over.ts";
import type { Outbox, Sender } from "../net/outbox.ts";
import {
  brokenBy,
  GIVEN_UP,
  isTlsCutOff,
  MAY_WANT_CERTIFICATE,
  protocolError,
  timedOut,
} from "../net/wire_error.ts";
import type { TakeResponse } from "../net/wire_response.ts";
import { StreamExchange } from "./exchange.ts";
import { errorName, Http2Error } from "./frames/error.ts";
import { FrameReader } from "./frames/frame_reader.ts";
import { Http2Response } from "./http2_response.ts";
import { Outbound } from "./outbound.ts";
import type { Http2Request } from "./request.ts";
import { Http2Session, type StreamEnd } from "./session.ts";

/** The failure of a response that is not HTTP/2, or larger than is accepted. */
export function unreadable({ message, tooLarge }: Http2Error): Failure {
  return tooLarge
    ? { code: "too-large", message: `The response is too large: ${message}` }
    : protocolError(message).failure;
}

/** The connection ended before the response did. */
export function connectionLost({ begun, unheard, goneAway, error }: {
  /** The head of the response came. */
  readonly begun: boolean;
  /** TLS, and the server has not sent a byte inside it. */
  readonly unheard: boolean;
  /** The reason of a GOAWAY. */
  readonly goneAway: string | undefined;
  readonly error: unknown;
}): Failure {
  const when = begun
    ? "before the response was complete"
    : "before any of the response was received";
  const said = error === undefined ? undefined : brokenBy(error);
  const plain = said === undefined || isTlsCutOff(error) ||
    /broken pipe|reset/i.test(said);
  const why = unheard && plain ? MAY_WANT_CERTIFICATE : said;
  return {
    code: "reset",
    message: `connection closed ${when}${why ? `: ${why}` : ""}${
      saidBefore(goneAway)
    }`,
  };
}

/** The server ended the stream before its response was complete. */
function streamReset(
  { reset, leftOut }: Extract<StreamEnd, { readonly reset: number }>,
  goneAway: string | undefined,
): Failure {
  if (leftOut) {
    return {
      code: "reset",
      message:
        `the server sent GOAWAY with ${goneAway} before it took this request`,
    };
  }
  const hint = errorName(reset) === "HTTP_1_1_REQUIRED"
    ? "; `--http 1.1` speaks that version (gRPC steps cannot)"
    : "";
  return {
    code: "reset",
    message: `the server reset the stream with ${errorName(reset)}${
      saidBefore(goneAway)
    }${hint}`,
  };
}

function saidBefore(goneAway: string | undefined): string {
  return goneAway === undefined
    ? ""
    : `; it had sent GOAWAY with ${goneAway} before`;
}

/** Has a request sent elsewhere that a connection could not begin to write. */
type Unsent = (
  request: Http2Request,
  timeoutMs: number,
  done: TakeResponse,
) => void;

/**
 * One HTTP/2 connection (RFC 9113), client side; one exchange at a time. No
 * request is ever sent twice.
 *
 * A read is always under way, between exchanges too: that is how a close, a
 * GOAWAY or a PING of an idle server is noticed.
 */
export class Http2Connection implements Expiring, Sender {
  readonly #stream: ByteStream;
  readonly #clock: Clock;
  readonly #deadlines: Deadlines;
  readonly #deadline: Deadline;
  readonly #handOver: HandOver;
  readonly #outbox: Outbox;
  readonly #reader = new FrameReader();
  readonly #outbound: Outbound;
  readonly #session: Http2Session;
  #exchange: StreamExchange | undefined;
  /** The response that is whole, and who takes it. */
  #whole:
    | { readonly response: Http2Response; readonly done: TakeResponse }
    | undefined;
  #received = 0;
  #readAt = NaN;
  #timeoutMs = NaN;
  #closed = false;
  #retired = false;
  #secure = false;
  /** Takes the request of `exchange` when the server ends the connection before it is written. */
  unsent: Unsent | undefined;

  /** @param deadline of the dial; goes on with the first exchange */
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
    this.#outbound = new Outbound(stream, this.#onWritten);
    this.#session = new Http2Session(this.#outbound, () => clock.now(), this);
    this.#read();
  }

  /** Whether a request may be sent now. */
  get ready(): boolean {
    return !this.#closed && !this.#exchange &&
      this.#session.goneAway === undefined;
  }

  /**
   * Sends one request and reads its response. What goes wrong on the wire is the
   * response's `failure`. Its body holds until the next exchange.
   *
   * @param timeoutMs from the start of the marks to the last byte; runs already
   *   when this is the exchange the connection was dialled for
   * @param dialed marks of the dial, for that first exchange
   */
  exchange(
    request: Http2Request,
    timeoutMs: number,
    done: TakeResponse,
    dialed?: Marks,
  ): void {
    this.#handOver.began();
    this.#exchange = new StreamExchange(
      request,
      dialed ?? startMarks(NaN),
      done,
      this.#outbound.sent,
      this.#received,
    );
    if (dialed) {
      this.#secure = !Number.isNaN(dialed.tls);
      this.#session.begin(this.#exchange);
    } else {
      this.#timeoutMs = timeoutMs;
      this.#outbox.add(this);
    }
  }

  /** For the outbox: the time of the exchange begins. */
  send(now: number): void {
    const exchange = this.#exchange;
    if (!exchange || !this.#isQueued) return;
    if (this.#closed || this.#session.goneAway !== undefined) {
      return this.#giveBack(exchange);
    }
    exchange.marks.start = now;
    this.#deadlines.start(this.#deadline, now, this.#timeoutMs);
    this.#session.begin(exchange);
  }

  /** The request of an exchange waits for the outbox. */
  get #isQueued(): boolean {
    return Number.isNaN(this.#exchange?.marks.start ?? 0);
  }

  #giveBack({ request, done }: StreamExchange): void {
    this.#exchange = undefined;
    this.#handOver.ended();
    this.#shut();
    this.unsent?.(request, this.#timeoutMs, done);
  }

  /** Closes the connection as soon as no exchange is under way. */
  retire(): void {
    if (this.#exchange) this.#retired = true;
    else this.#shut();
  }

  /** Closes the connection; an exchange under way ends as `aborted`. */
  close(): void {
    this.#finish(GIVEN_UP);
    this.#closed = true;
    this.#release();
    this.#handOn();
  }

  /** The deadline is over. */
  expire(): void {
    const exchange = this.#exchange;
    if (!exchange) return;
    const doing = this.#session.held ??
      (exchange.status === 0
        ? "waiting for the first byte"
        : "reading the response");
    this.#session.cancel("CANCEL");
    const waited = this.#deadline.at - exchange.marks.start;
    this.#finish(timedOut(waited, doing));
    this.#handOn();
  }

  /** For the session: the head of the response is here. */
  responding(): void {
    const { marks } = this.#exchange!;
    if (Number.isNaN(marks.firstByte)) marks.firstByte = this.#readAt;
  }

  /** For the session: the stream is over. */
  ended(end?: StreamEnd): void {
    if (!end) this.#finish(undefined);
    else if ("reset" in end) {
      const { goneAway } = this.#session;
      this.#finish(streamReset(end, goneAway), end.reset);
    } else this.#finish(unreadable(end.error));
  }

  readonly #onWritten = (): void => {
    const exchange = this.#exchange;
    if (exchange && !exchange.whollyQueued) this.#session.sendBody();
  };

  #read(): void {
    this.#stream.read(this.#reader.room())
      .then(this.#onRead, this.#onEnd);
  }

  readonly #onRead = (count: number | null): void => {
    if (this.#closed) return;
    if (!count) return this.#onEnd();
    this.#readAt = arrivalOn(this.#clock);
    this.#received += count;
    this.#reader.take(count);
    try {
      this.#session.receive(this.#reader);
    } catch (error) {
      if (error instanceof Http2Error) return this.#break(error);
      // No caller waits for a callback: what breaks in one is the exchange's.
      this.#lose(failureBy(error));
      this.#shut();
    }
    if (!this.#closed) this.#read();
    this.#handOn();
  };

  /** The server broke a rule of the connection: it gets the code, and no more is read. */
  #break(error: Http2Error): void {
    this.#closed = true;
    this.#lose(unreadable(error));
    this.#outbound.goAway(error.error);
    this.#outbound.end(() => this.#release());
    this.#handOn();
  }

  readonly #onEnd = (error?: unknown): void => {
    if (this.#closed) return;
    this.#lose(connectionLost({
      begun: (this.#exchange?.status ?? 0) !== 0,
      unheard: this.#secure && this.#received === 0,
      goneAway: this.#session.goneAway,
      error,
    }));
    this.#shut();
    this.#handOn();
  };

  /** The connection is of no more use: fails the exchange under way. */
  #lose(failure: Failure): void {
    // Nothing of it was sent.
    if (!this.#isQueued) this.#finish(failure);
  }

  #finish(failure: Failure | undefined, reset?: number): void {
    const exchange = this.#exchange;
    if (!exchange) return;
    this.#exchange = undefined;
    this.#deadlines.stop(this.#deadline);
    const { marks, status } = exchange;
    marks.end = failure ? this.#clock.now() : this.#readAt;
    if (Number.isNaN(marks.start)) marks.start = marks.end;
    if (failure) marks.failed = status === 0 ? "ttfb" : "transfer";
    const response = new Http2Response(
      exchange,
      this.#session.body,
      {
        bytesSent: this.#outbound.sent - exchange.sentBefore,
        bytesReceived: this.#received - exchange.receivedBefore,
      },
      failure,
      reset,
    );
    this.#whole = { response, done: exchange.done };
    if (this.#retired || this.#session.goneAway !== undefined) this.#shut();
  }

  /**
   * Hands the response over, once all frames that came with it are looked at: the next
   * exchange may begin before it returns, and one of them may be a GOAWAY.
   */
  #handOn(): void {
    const whole = this.#whole;
    if (!whole) return;
    this.#whole = undefined;
    this.#handOver.add(whole.done, whole.response, whole.response.marks.end);
  }

  #shut(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#release();
  }

  #release(): void {
    this.#deadlines.stop(this.#deadline);
    closeQuietly(this.#stream);
  }
}
