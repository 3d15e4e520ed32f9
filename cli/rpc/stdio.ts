import {
  AbstractMessageBuffer,
  type MessageReader,
  type MessageWriter,
  RAL,
  ReadableStreamMessageReader,
  WriteableStreamMessageWriter,
} from "vscode-jsonrpc";
import { readJson } from "../../lib/base/values/read_json.ts";

/*
 * `vscode-jsonrpc/node` would bring Node's streams, sockets and processes; its
 * common part asks for these few things instead.
 */
const encoder = new TextEncoder();
const decoder = new TextDecoder();

class ByteBuffer extends AbstractMessageBuffer {
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
  return reader;
}

async function pump(take: Listener<Uint8Array>): Promise<void> {
  try {
    for await (const chunk of Deno.stdin.readable) take(chunk);
  } catch {
    // A pipe that broke has ended.
  }
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
