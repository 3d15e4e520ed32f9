import { failureBy } from "../../model/result/failure.ts";
import {
  type HttpChoice,
  type Marks,
  startMarks,
} from "../../model/result/response.ts";
import { HttpConnection, type Upgraded } from "../http1/connection.ts";
import { Http2Connection } from "../http2/connection.ts";
import type { Http2Request } from "../http2/request.ts";
import {
  noResponse,
  type TakeResponse,
  type WireResponse,
} from "../net/wire_response.ts";
import type { Network } from "../net/network.ts";
import type { Origin } from "../net/origin.ts";
import { WireError } from "../net/wire_error.ts";
import type { HttpRequest } from "./request.ts";

/**
 * The protocols offered in the TLS handshake, best first. HTTP/1.1 is offered by name,
 * so that a server that also speaks h2 does not choose it.
 */
const ALPN: Readonly<Record<HttpChoice, readonly string[]>> = {
  "1.1": ["http/1.1"],
  "2": ["h2"],
  auto: ["h2", "http/1.1"],
};

type Connection = HttpConnection | Http2Connection;
type Begin = (connection: Connection, marks: Marks) => void;

/** The result of a request for another protocol. */
interface UpgradeResponse {
  readonly response: WireResponse;
  /** Present after a 101. */
  readonly upgraded?: Upgraded & { readonly network: Network };
}

/** RFC 9113 section 3.2: over TLS nothing else says that a server knows HTTP/2. */
function notAgreed(host: string, protocol: string | undefined): WireError {
  const chosen = protocol ? `it chose \`${protocol}\`` : "it chose nothing";
  return new WireError(
    "tls",
    `No HTTP/2 with \`${host}\`: the TLS handshake offered \`h2\`, and ${chosen}`,
  );
}

/**
 * The kept-alive connections of one VU: one for each origin and version.
 *
 * Every exchange has a response: what goes wrong on the wire is its `failure`. A request is never sent twice. A connection that the server closed
 * while it was idle, or is about to close by its own word, is replaced first. A second exchange with the same origin at
 * the same time gets a connection of its own. The bytes of a response hold until
 * the next exchange with its origin.
 */
export class HttpConnections {
  readonly #network: Network;
  readonly #choice: HttpChoice;
  readonly #http1 = new Map<string, HttpConnection>();
  /** Absent as long as there was none: most VUs never need it. */
  #http2: Map<string, Http2Connection> | undefined;
  /** It asks for another protocol. */
  #upgrading: HttpConnection | undefined;
  #closed = false;

  constructor(network: Network, choice: HttpChoice = "1.1") {
    this.#network = network;
    this.#choice = choice;
  }

  /**
   * Sends one request and reads its response, in the version that was chosen, or
   * that the server chose in the TLS handshake. Clear text is HTTP/1.1 unless
   * HTTP/2 was chosen.
   *
   * @param timeoutMs from here, the dial included, to the last byte
   */
  exchange(
    origin: Origin,
    request: HttpRequest,
    timeoutMs: number,
    done: TakeResponse,
  ): void {
    const { key, family } = origin;
    const choice = this.#choice === "auto" && family === "http"
      ? "1.1"
      : this.#choice;
    if (choice !== "2") {
      const connection = this.#http1.get(key);
      if (connection) {
        // Encoded before its time begins: that is not the server's.
        const bytes = request.http1();
        if (connection.ready) {
          return connection.exchange(request.method, bytes, timeoutMs, done);
        }
      }
    }
    if (choice !== "1.1") {
      const connection = this.#http2?.get(key);
      if (connection?.ready) {
        return connection.exchange(request.http2(), timeoutMs, done);
      }
    }
    this.#dial(origin, timeoutMs, choice, done, (connection, marks) => {
      if (connection instanceof HttpConnection) {
        connection.begin(request.method, request.http1(), marks, done);
      } else connection.exchange(request.http2(), timeoutMs, done, marks);
    });
  }

  /** The same as a promise, which never rejects. */
  request(
    ...[origin, request, timeoutMs]: [Origin, HttpRequest, number]
  ): Promise<WireResponse> {
    return new Promise((resolve) => {
      this.exchange(origin, request, timeoutMs, resolve);
    });
  }

  /** Sends a request that HTTP/2 alone can carry. */
  exchangeHttp2(
    origin: Origin,
    request: Http2Request,
    timeoutMs: number,
    done: TakeResponse,
  ): void {
    const connection = this.#http2?.get(origin.key);
    if (connection?.ready) return connection.exchange(request, timeoutMs, done);
    this.#dial(
      origin,
      timeoutMs,
      "2",
      done,
      (connection, marks) =>
        (connection as Http2Connection)
          .exchange(request, timeoutMs, done, marks),
    );
  }

  /**
   * Asks for another protocol on a connection of its own (RFC 9110 section 7.8).
   *
   * @param request the whole head
   */
  async upgrade(
    origin: Origin,
    request: Uint8Array,
    timeoutMs: number,
  ): Promise<UpgradeResponse> {
    let asked: HttpConnection | undefined;
    const response = await new Promise<WireResponse>((done) => {
      this.#connect(origin, timeoutMs, "1.1", done, (connection, marks) => {
        asked = connection as HttpConnection;
        this.#upgrading = asked;
        asked.upgrade(request, marks, done);
      });
    });
    this.#upgrading = undefined;
    const upgraded = asked?.upgraded;
    if (!upgraded) return { response };
    return { response, upgraded: { ...upgraded, network: this.#network } };
  }

  /** Closes every connection; exchanges under way end as `aborted`. */
  close(): void {
    this.#closed = true;
    this.#upgrading?.close();
    for (const open of [this.#http1, this.#http2]) {
      for (const connection of open?.values() ?? []) connection.close();
      open?.clear();
    }
  }

  #dial(
    origin: Origin,
    timeoutMs: number,
    choice: HttpChoice,
    done: TakeResponse,
    begin: Begin,
  ): void {
    if (choice !== "2") this.#retire(this.#http1, origin.key);
    if (choice !== "1.1") this.#retire(this.#http2, origin.key);
    this.#connect(origin, timeoutMs, choice, done, (connection, marks) => {
      this.#keep(origin, connection);
      begin(connection, marks);
    });
  }

  /** Dials, then begins the exchange; `done` is for that which never begins. */
  async #connect(
    origin: Origin,
    timeoutMs: number,
    choice: HttpChoice,
    done: TakeResponse,
    begin: Begin,
  ): Promise<void> {
    const { clock, deadlines, handOver, outbox } = this.#network;
    const marks = startMarks(clock.now());
    try {
      this.#refuseWhenClosed();
      const { stream, protocol, deadline } = await this.#network.dial(
        origin,
        timeoutMs,
        ALPN[choice],
        marks,
      );
      const isHttp2 = choice === "2" || protocol === "h2";
      if (isHttp2 && origin.family === "https" && protocol !== "h2") {
        stream.close();
        marks.failed = "tls";
        throw notAgreed(origin.host, protocol);
      }
      const connection = new (isHttp2 ? Http2Connection : HttpConnection)(
        stream,
        clock,
        deadlines,
        deadline,
        handOver,
        outbox,
      );
      if (this.#closed) connection.close();
      this.#refuseWhenClosed();
      begin(connection, marks);
    } catch (error) {
      marks.end = clock.now();
      const failure = error instanceof WireError
        ? error.failure
        : failureBy(error);
      done(noResponse(failure, marks));
    }
  }

  /** Another dial to the same origin may have been faster. */
  #keep(origin: Origin, connection: Connection): void {
    const { key } = origin;
    let open: Map<string, Connection>;
    if (connection instanceof HttpConnection) {
      open = this.#http1;
      connection.unsent = (method, request, timeoutMs, done) =>
        this.#dial(
          origin,
          timeoutMs,
          "1.1",
          done,
          (other, marks) =>
            (other as HttpConnection).begin(method, request, marks, done),
        );
    } else {
      open = this.#http2 ??= new Map();
      connection.unsent = (request, timeoutMs, done) =>
        this.exchangeHttp2(origin, request, timeoutMs, done);
    }
    this.#retire(open, key);
    open.set(key, connection);
  }

  #retire(open: Map<string, Connection> | undefined, key: string): void {
    open?.get(key)?.retire();
    open?.delete(key);
  }

  #refuseWhenClosed(): void {
    if (!this.#closed) return;
    throw new WireError(
      "aborted",
      "The run was stopped before the request was sent",
    );
  }
}
