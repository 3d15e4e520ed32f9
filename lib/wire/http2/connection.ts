import type { Buffer } from "node:buffer";
import type {
  ClientHttp2Session,
  ClientHttp2Stream,
  OutgoingHttpHeaders,
} from "node:http2";
import type { Failure } from "../../model/result/failure.ts";
import { type Marks, startMarks } from "../../model/result/reply.ts";
import type { Deadline, Deadlines, Expiring } from "../net/deadlines.ts";
import { StreamDuplex } from "../net/duplex.ts";
import {
  GIVEN_UP,
  MAX_BODY_BYTES,
  timedOut,
  TOO_LARGE,
} from "../net/exchange_failure.ts";
import { fieldPairs, type Http2Answer } from "./answer.ts";
import { connectionLost, unreadable } from "./failures.ts";
import { FrameWatch } from "./frame_watch.ts";
import { Http2Exchange } from "./exchange.ts";
import type { Dialed } from "../net/network.ts";
import type { Origin } from "../net/origin.ts";

/** RFC 9113 section 7. */
const CANCEL = 8;

type Http2 = typeof import("node:http2");
let library: Promise<Http2> | undefined;

/** Loads HTTP/2 when it is first needed; it takes some 20 ms. */
export function loadHttp2(): Promise<Http2> {
  return library ??= import("node:http2");
}

/** What a connection shares with the others of its thread. */
export interface Http2Tools {
  readonly http2: Http2;
  /** The clock the marks are taken from. */
  readonly now: () => number;
  readonly deadlines: Deadlines;
}

/**
 * One HTTP/2 connection (RFC 9113) over a stream that was dialled elsewhere; one
 * exchange at a time. Nothing is ever sent twice.
 */
export class Http2Connection implements Expiring {
  readonly #session: ClientHttp2Session;
  readonly #duplex: StreamDuplex;
  readonly #tools: Http2Tools;
  readonly #deadline: Deadline;
  readonly #secure: boolean;
  readonly #frames = new FrameWatch();
  #goneAway = false;
  /** Streams above it were not looked at, as GOAWAY says. */
  #lastStream = Infinity;
  #given = false;
  #broken: Error | undefined;
  #exchange: Http2Exchange | undefined;

  /** Its first exchange goes on with the deadline of the dial. */
  constructor({ stream, deadline }: Dialed, origin: Origin, tools: Http2Tools) {
    this.#tools = tools;
    this.#deadline = deadline;
    deadline.owner = this;
    const duplex = new StreamDuplex(
      stream,
      tools.now,
      (bytes) => this.#frames.see(bytes),
    );
    this.#duplex = duplex;
    const scheme = origin.family;
    this.#secure = scheme === "https";
    this.#session = tools.http2.connect(`${scheme}://${origin.hostHeader}`, {
      createConnection: () => duplex,
      settings: { enablePush: false },
    });
    this.#session.on("error", (error: Error) => this.#broken = error);
    this.#session.on("goaway", (_code: number, last: number) => {
      this.#goneAway = true;
      this.#lastStream = last;
    });
    duplex.on("error", (error: Error) => this.#broken = error);
    // The library waits for the peer to say goodbye in HTTP/2 as well.
    duplex.on("end", () => this.#session.destroy());
  }

  /** Whether another request may be sent. */
  get ready(): boolean {
    return !this.#goneAway && !this.#session.destroyed &&
      !this.#session.closed && !this.#duplex.destroyed && !this.#exchange;
  }

  /**
   * Sends one request and reads its answer. Never rejects: trouble on the wire
   * is the answer's `failure`.
   *
   * @param headers with the pseudo-header fields, names in lower case
   * @param dialed marks of the dial, when this is the first exchange
   * @param timeoutMs from the start of the marks to the last byte; runs already
   *   when this is the first exchange
   */
  exchange(
    headers: OutgoingHttpHeaders,
    body: Uint8Array,
    timeoutMs: number,
    dialed?: Marks,
  ): Promise<Http2Answer> {
    const marks = dialed ?? startMarks(this.#tools.now());
    this.#frames.begin();
    if (!dialed) {
      this.#tools.deadlines.start(this.#deadline, marks.start, timeoutMs);
    }
    return new Promise((resolve) => {
      this.#exchange = new Http2Exchange(
        marks,
        this.#duplex,
        timeoutMs,
        resolve,
      );
      try {
        const stream = this.#session.request(headers, { endStream: false });
        this.#exchange.stream = stream;
        this.#follow(stream, this.#exchange);
        stream.end(body, () => marks.sent = this.#tools.now());
      } catch (error) {
        // A field that cannot stand in a request, or a session just closed.
        this.#finish({ code: "request", message: (error as Error).message });
      }
    });
  }

  /** Lets go of the connection; an exchange under way ends as `aborted`. */
  close(): Promise<void> {
    this.#given = true;
    this.#tools.deadlines.stop(this.#deadline);
    const gone = this.#duplex.closed
      ? Promise.resolve()
      : new Promise<void>((resolve) => this.#duplex.once("close", resolve));
    this.#finish(GIVEN_UP);
    // The socket first, so that no GOAWAY is sent: idle connections end without
    // one all the time, and a server on Deno 2.9 dies of it now and then.
    this.#duplex.destroy();
    this.#session.destroy();
    return gone;
  }

  /** The deadline is over. */
  expire(): void {
    if (!this.#exchange) return;
    const { timeoutMs, status } = this.#exchange;
    const doing = status === 0
      ? "waiting for the first byte"
      : "reading the answer";
    this.#finish(timedOut(timeoutMs, doing));
  }

  #follow(stream: ClientHttp2Stream, exchange: Http2Exchange): void {
    const { now } = this.#tools;
    stream.on("response", (fields, _flags, raw?: unknown) => {
      exchange.marks.firstByte = now();
      exchange.status = Number(fields[":status"]);
      exchange.headers = fieldPairs(fields, raw);
    });
    stream.on("trailers", (fields, _flags, raw?: unknown) => {
      exchange.trailers = fieldPairs(fields, raw);
    });
    stream.on("data", (chunk: Buffer) => {
      exchange.bytes += chunk.length;
      if (exchange.bytes <= MAX_BODY_BYTES) exchange.chunks.push(chunk);
      else this.#finish(TOO_LARGE);
    });
    stream.on("error", (error: Error) => exchange.error = error);
    stream.on("end", () => {
      if (exchange.status !== 0 && !exchange.error) this.#end(exchange);
    });
    stream.on("close", () => this.#end(exchange));
  }

  /** The stream is over, by an answer or without one. */
  #end(exchange: Http2Exchange): void {
    if (this.#exchange !== exchange) return;
    const { stream, status } = exchange;
    const { rstCode = 0, id = 0 } = stream!;
    if (isProtocolError(exchange.error)) {
      return this.#finish({
        code: "protocol",
        message: `protocol: the peer does not speak HTTP/2: ${
          exchange.error!.message
        }`,
      });
    }
    if (this.#duplex.destroyed || this.#duplex.readableEnded) {
      // What was answered in full before the connection ended still counts.
      if (exchange.trailers.length === 0) {
        const own = !this.#duplex.over && !this.#given;
        return this.#finish(
          own ? this.#unreadable(rstCode) : this.#resetFailure(exchange),
        );
      }
    } else if (this.#goneAway && status === 0 && id > this.#lastStream) {
      exchange.reset = REFUSED_STREAM;
    } else if (this.#frames.resetOf(id) !== undefined) {
      exchange.reset = this.#frames.resetOf(id)!;
    } else if (rstCode !== 0) return this.#finish(this.#unreadable(rstCode));
    else if (status === 0) return this.#finish(this.#resetFailure(exchange));
    this.#finish(undefined);
  }

  #finish(failure: Failure | undefined): void {
    const exchange = this.#exchange;
    if (!exchange) return;
    this.#exchange = undefined;
    this.#tools.deadlines.stop(this.#deadline);
    // A stream that was given up must not go on without a listener.
    if (failure && exchange.stream && !exchange.stream.closed) {
      exchange.stream.close(CANCEL);
    }
    exchange.end(failure, this.#tools.now());
  }

  /** What the library could not read: it gave up the stream, or the connection. */
  #unreadable(code: number): Failure {
    return unreadable(code, this.#frames.headerBytes, this.#broken);
  }

  #resetFailure({ status }: Http2Exchange): Failure {
    if (this.#given) return GIVEN_UP;
    const refused = this.#secure && this.#duplex.received === 0;
    return connectionLost(status !== 0, refused, this.#broken);
  }
}

/** The library's word for frames it could not read. */
function isProtocolError(error: Error | undefined): boolean {
  return (error as { code?: unknown } | undefined)?.code === "ERR_HTTP2_ERROR";
}

const REFUSED_STREAM = 7;
