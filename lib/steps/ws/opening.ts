import { MOST_CAPTURED } from "../http/captured_body.ts";
import { Buffer } from "node:buffer";
import type { ClientRequest, IncomingMessage } from "node:http";
import type { Capture } from "../../model/ir/flow.ts";
import type { Failure } from "../../model/result/failure.ts";
import type { HeaderList } from "../../base/values/headers.ts";
import type { Expiring } from "../../wire/net/deadlines.ts";
import { StreamDuplex } from "../../wire/net/duplex.ts";
import { timedOut } from "../../wire/net/exchange_failure.ts";
import type { Dialed } from "../../wire/net/network.ts";
import type { RequestParts } from "../http/request_parts.ts";
import type { AttemptContext, Closable } from "../protocol.ts";
import type { HandshakeAnswer, HandshakeFacts } from "./handshake_reply.ts";
import { Client, type ClientSocket } from "./library.ts";
import { WsSession } from "./session.ts";

/** A frame may be this long (design section 5, limits). */
const MOST_FRAME_BYTES = 16 << 20;
/** A session's end waits this long for the peer (design section 8). */
const CLOSE_TIMEOUT_MS = 1_000;
/** Of the body of a refusal this much is read. */

const CLOSED_EARLY: Failure = {
  code: "reset",
  message:
    "The peer closed the connection before its answer to the handshake was whole",
};

/** How an opening ended. */
export type Opened = Omit<HandshakeFacts, "origin" | "target"> & {
  readonly session?: WsSession;
};

/** One handshake under way, from the dial to the answer. */
export class Opening implements Closable, Expiring {
  readonly #request: RequestParts;
  readonly #subprotocols: readonly string[];
  readonly #context: AttemptContext;
  readonly #timeoutMs: number;
  readonly #done = Promise.withResolvers<Opened>();
  readonly #over = Promise.withResolvers<void>();
  /** Its deadline runs since the start of the dial. */
  #dialed: Dialed | undefined;
  #duplex: StreamDuplex | undefined;
  #socket: ClientSocket | undefined;
  #key = "";
  #answer: HandshakeAnswer | undefined;
  #failure: Failure | undefined;
  #ended = false;

  constructor(
    request: RequestParts,
    subprotocols: readonly string[],
    timeoutMs: number,
    context: AttemptContext,
    readonly capture: Capture,
  ) {
    this.#request = request;
    this.#subprotocols = subprotocols;
    this.#timeoutMs = timeoutMs;
    this.#context = context;
  }

  /** Sends the request on a connection; what did not become a session is gone after it. */
  run(dialed: Dialed): Promise<Opened> {
    this.#dialed = dialed;
    dialed.deadline.owner = this;
    const duplex = new StreamDuplex(dialed.stream, () => this.#context.now());
    this.#duplex = duplex;
    // Between two owners of the stream nobody listens.
    duplex.on("error", () => {});
    duplex.once("close", () => this.#onGone());
    if (this.#failure) duplex.destroy();
    else this.#ask(duplex);
    return this.#done.promise;
  }

  /** The attempt is over, whatever became of it. */
  over(): void {
    this.#stopDeadline();
    this.#over.resolve();
  }

  /** The run is to stop now. */
  close(): Promise<void> {
    this.#give({
      code: "aborted",
      message: "The handshake was given up before its answer came",
    });
    return this.#over.promise;
  }

  expire(): void {
    const doing = this.#answer
      ? "reading the body"
      : "in the WebSocket handshake";
    this.#give(timedOut(this.#timeoutMs, doing));
  }

  #ask(duplex: StreamDuplex): void {
    const { url, target, fields } = this.#request;
    const scheme = url.origin.family === "https" ? "wss" : "ws";
    const socket = new Client(
      `${scheme}://${url.origin.hostHeader}/`,
      this.#subprotocols,
      {
        createConnection: () => duplex,
        headers: Object.fromEntries(fields.map(inBytes)),
        finishRequest: (request) => {
          // The library would normalise the path.
          request.path = target;
          this.#key = String(request.getHeader("Sec-WebSocket-Key"));
          request.end();
        },
        perMessageDeflate: false,
        maxPayload: MOST_FRAME_BYTES,
        closeTimeout: CLOSE_TIMEOUT_MS,
      },
    );
    this.#socket = socket;
    socket.on("upgrade", (response) => {
      this.#answer = answerOf(response, Buffer.alloc(0));
    });
    socket.on("unexpected-response", (request, response) => {
      this.#onRefusal(request, response);
    });
    socket.on("error", (error) => this.#onError(error));
    socket.on("open", () => this.#onOpen(socket, duplex));
  }

  #onOpen(socket: ClientSocket, duplex: StreamDuplex): void {
    if (this.#ended) return socket.terminate();
    this.#ended = true;
    const session = new WsSession(
      socket,
      duplex,
      this.#context,
      this.capture,
    );
    this.#finish(session);
  }

  /** Reads the body of an answer that is no 101, as far as a trace shows it. */
  #onRefusal(request: ClientRequest, response: IncomingMessage): void {
    const parts: Buffer[] = [];
    let length = 0;
    const done = () => {
      const body = Buffer.concat(parts).subarray(0, MOST_CAPTURED);
      this.#answer = answerOf(response, body);
      this.#end();
      request.destroy();
    };
    this.#answer = answerOf(response, Buffer.alloc(0));
    response.on("data", (part: Buffer) => {
      parts.push(part);
      length += part.length;
      if (length >= MOST_CAPTURED) done();
    });
    response.on("end", done);
    response.on("close", done);
    response.on("error", () => {});
  }

  #onError(error: Error & { code?: string }): void {
    if (this.#ended) return;
    const { code, message } = error;
    if (error instanceof Deno.errors.ConnectionReset || code === "ECONNRESET") {
      this.#give(CLOSED_EARLY);
    } else {
      this.#give({
        code: "protocol",
        message: `protocol: bad WebSocket handshake: ${message}`,
      });
    }
  }

  #give(failure: Failure): void {
    if (this.#ended) return;
    // What an answer that is no 101 says counts, though its body is not whole.
    const refused = this.#answer !== undefined && this.#answer.status !== 101;
    if (!refused) this.#failure ??= failure;
    this.#end();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#socket?.terminate();
    this.#duplex?.destroy();
  }

  /** The connection is closed. */
  #onGone(): void {
    if (this.#socket && this.#answer?.status === 101 && !this.#failure) return;
    this.#failure ??= this.#answer ? undefined : CLOSED_EARLY;
    this.#ended = true;
    this.#finish(undefined);
  }

  #finish(session: WsSession | undefined): void {
    const duplex = this.#duplex!;
    this.#stopDeadline();
    const marks = { ...this.#dialed!.marks };
    marks.sent = duplex.sent > 0 ? duplex.wroteAt : NaN;
    marks.firstByte = duplex.firstReadAt;
    marks.end = this.#context.now();
    if (this.#failure) {
      marks.failed = Number.isNaN(marks.firstByte) ? "ttfb" : "transfer";
    }
    this.#done.resolve({
      marks,
      fields: this.#sentFields(),
      ...(this.#answer && { answer: this.#answer }),
      ...(this.#failure && { failure: this.#failure }),
      bytes: { sent: duplex.sent, received: duplex.received },
      ...(session && { session }),
    });
  }

  #stopDeadline(): void {
    if (this.#dialed) this.#context.deadlines.stop(this.#dialed.deadline);
  }

  /** What the library adds stands here in the order it is sent. */
  #sentFields(): HeaderList {
    const offered = this.#subprotocols.join(",");
    return [
      ...this.#request.fields,
      ["Sec-WebSocket-Version", "13"],
      ["Sec-WebSocket-Key", this.#key],
      ["Connection", "Upgrade"],
      ["Upgrade", "websocket"],
      ...offered === "" ? [] : [["Sec-WebSocket-Protocol", offered] as const],
    ];
  }
}

/**
 * A field as the library takes it: a character for each byte. Every other
 * request has its fields in UTF-8 too.
 */
function inBytes(
  [name, value]: readonly [string, string],
): [string, string] {
  return [name, Buffer.from(value).toString("latin1")];
}

function answerOf(response: IncomingMessage, body: Buffer): HandshakeAnswer {
  const { statusCode = 0, statusMessage = "", rawHeaders } = response;
  const headers: [string, string][] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    headers.push([rawHeaders[at]!, rawHeaders[at + 1]!]);
  }
  const line = `HTTP/${response.httpVersion} ${statusCode} ${statusMessage}`;
  return { status: statusCode, line: line.trimEnd(), headers, body };
}
