import {
  AbstractMessageBuffer,
  ErrorCodes,
  Message,
  type MessageReader,
  type MessageWriter,
  RAL,
  ReadableStreamMessageReader,
  WriteableStreamMessageWriter,
} from "vscode-jsonrpc";
import { shortened } from "../../lib/base/text/display.ts";
import { readJson } from "../../lib/base/values/read_json.ts";
import { NO_REQUEST, refusal } from "./refusal.ts";

/**
 * Responds to bytes that are no JSON and to JSON that is no message; reading goes
 * on after both. After a broken header, and when the input ends within a
 * message, it cannot.
 */
export class MalformedInput {
  #broken = false;
  #responded: Promise<unknown> = Promise.resolve();

  /**
   * @param broken called once when nothing more can be read, at once: the end of the
   *   input may be next. `refused` resolves when the response is written
   */
  constructor(
    reader: MessageReader,
    readonly writer: MessageWriter,
    broken: (refused: Promise<void>) => void,
  ) {
    reader.onError((error) => {
      if (this.#broken) return;
      const refused = this.respond(
        refusal(ErrorCodes.ParseError, error.message),
      );
      if (!(error instanceof FramingError)) return;
      this.#broken = true;
      broken(refused);
    });
  }

  /** Whether `message` is one; a response says what is wrong with any other. */
  accepts(message: Message): boolean {
    const valid = message?.jsonrpc === "2.0" &&
      (Message.isRequest(message) || Message.isNotification(message) ||
        Message.isResponse(message));
    if (!valid) void this.respond(NO_REQUEST);
    return valid;
  }

  /** Resolves when the response is written, or the client is gone. */
  respond(response: Message): Promise<void> {
    const written = this.writer.write(response).catch(() => {});
    this.#responded = Promise.all([this.#responded, written]);
    return written;
  }

  /** Resolves when every response until now is written. */
  async responded(): Promise<void> {
    await this.#responded;
  }
}

/*
 * `vscode-jsonrpc/node` would bring Node's streams, sockets and processes; its
 * common part asks for these few things instead.
 */
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Bytes of the header of a message, and of its body. */
const MOST_HEADER = 8 * 1024;
const MOST_BODY = 256 * 1024 * 1024;

/** Where the next message begins is not known. */
class FramingError extends Error {
  override readonly name = "FramingError";
}

/** Comes after the last bytes of the input. */
const END = new Uint8Array(0);

class ByteBuffer extends AbstractMessageBuffer {
  #broken: FramingError | undefined;
  #ended = false;

  override append(chunk: Uint8Array | string): void {
    this.#ended = chunk === END;
    super.append(chunk);
  }

  override tryReadBody(length: number): Uint8Array | undefined {
    const body = super.tryReadBody(length);
    if (body === undefined && this.#ended) {
      throw new FramingError(
        `the input ends after ${this.numberOfBytes} of the ${length} bytes of a message`,
      );
    }
    return body;
  }

  override tryReadHeaders(
    lowerCaseKeys?: boolean,
  ): Map<string, string> | undefined {
    if (this.#broken) throw this.#broken;
    try {
      return this.#headers(lowerCaseKeys);
    } catch (error) {
      throw this.#broken = new FramingError((error as Error).message);
    }
  }

  /** @throws {Error} for what is no header */
  #headers(lowerCaseKeys?: boolean): Map<string, string> | undefined {
    const headers = super.tryReadHeaders(lowerCaseKeys);
    if (!headers) {
      if (this.#ended && this.numberOfBytes > 0) {
        throw new Error("the input ends within a header");
      }
      if (this.numberOfBytes <= MOST_HEADER) return undefined;
      throw new Error(`a header has more than ${MOST_HEADER} bytes`);
    }
    const length = headers.get("content-length");
    if (length === undefined) throw new Error("a header has no Content-Length");
    if (/^\d+$/.test(length) && Number(length) <= MOST_BODY) return headers;
    throw new Error(
      `Content-Length must be a number of at most ${MOST_BODY}, not ${
        JSON.stringify(shortened(length, 40))
      }`,
    );
  }

  protected emptyBuffer(): Uint8Array {
    return new Uint8Array(0);
  }

  protected fromString(text: string): Uint8Array {
    return encoder.encode(text);
  }

  protected override toString(bytes: Uint8Array): string {
    return decoder.decode(bytes);
  }

  protected asNative(bytes: Uint8Array, length?: number): Uint8Array {
    return length === undefined ? bytes : bytes.subarray(0, length);
  }

  protected allocNative(length: number): Uint8Array {
    return new Uint8Array(length);
  }
}

const NAME = "application/json";
const later = (handle: Parameters<typeof clearTimeout>[0]) => ({
  dispose: () => clearTimeout(handle),
});
// Standard output belongs to the messages.
const log = () => {};

RAL.install({
  applicationJson: {
    encoder: {
      name: NAME,
      encode: (message) =>
        Promise.resolve(encoder.encode(JSON.stringify(message))),
    },
    decoder: {
      name: NAME,
      // A throw in here is a rejection.
      decode: async (bytes) => await readJson(decoder.decode(bytes)) as never,
    },
  },
  messageBuffer: { create: (encoding) => new ByteBuffer(encoding) },
  console: { info: log, log, warn: log, error: log },
  timer: {
    setTimeout: (callback, ms, ...args) =>
      later(setTimeout(callback, ms, ...args)),
    setImmediate(callback, ...args) {
      let waits = true;
      queueMicrotask(() => waits && callback(...args));
      return { dispose: () => waits = false };
    },
    setInterval: (callback, ms, ...args) =>
      later(setInterval(callback, ms, ...args)),
  },
});

type Listener<T> = (value: T) => void;
const undisposed = { dispose() {} };

/** Messages from standard input; closed when that ends. */
export function stdinMessages(): MessageReader {
  let close: Listener<void> = () => {};
  const reader = new ReadableStreamMessageReader({
    onData(listener) {
      void pump(listener).finally(() => close());
      return undisposed;
    },
    onClose: (listener) => (close = listener, undisposed),
    onError: () => undisposed,
    onEnd: () => undisposed,
  });
  // It would wait for ever on a message that is never completed.
  reader.partialMessageTimeout = 0;
  const listen = reader.listen.bind(reader);
  reader.listen = (take) =>
    listen((message) => cancelsNothing(message) || take(message));
  return reader;
}

/** A `$/cancelRequest` that names no request: the library fails on it, and a notification has no response. */
function cancelsNothing(message: Message): boolean {
  return Message.isNotification(message) &&
    message.method === "$/cancelRequest" &&
    (message.params as { readonly id?: unknown } | null | undefined)?.id ===
      undefined;
}

async function pump(take: Listener<Uint8Array>): Promise<void> {
  try {
    for await (const chunk of Deno.stdin.readable) take(chunk);
  } catch {
    // A pipe that broke has ended.
  }
  take(END);
}

/** Messages to standard output. */
export function stdoutMessages(): MessageWriter {
  return new WriteableStreamMessageWriter({
    async write(data: Uint8Array | string) {
      let bytes = typeof data === "string" ? encoder.encode(data) : data;
      while (bytes.length > 0) {
        bytes = bytes.subarray(await Deno.stdout.write(bytes));
      }
    },
    end() {},
    onClose: () => undisposed,
    onError: () => undisposed,
    onEnd: () => undisposed,
  });
}
