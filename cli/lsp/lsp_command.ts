import {
  createConnection,
  createProtocolConnection,
  ErrorCodes,
} from "vscode-languageserver";
import {
  Message,
  type MessageWriter,
  type RequestMessage,
  type ResponseError,
} from "vscode-jsonrpc";
import { systemClock } from "../../lib/base/time/clock.ts";
import { refusal } from "../rpc/refusal.ts";
import { MalformedInput, stdinMessages, stdoutMessages } from "../rpc/stdio.ts";
import { checkInitializeParams, LanguageServer } from "./server.ts";

/** Returns what resolves when everything that was written until then is out. */
function writesOf(writer: MessageWriter): () => Promise<void> {
  const write = writer.write.bind(writer);
  let last: Promise<unknown> = Promise.resolve();
  writer.write = (message) => {
    const written = write(message);
    last = Promise.allSettled([last, written]);
    return written;
  };
  return async () => {
    await last;
  };
}

/** A message whose parameters are null has none; the library would hand the null on. */
function withoutNull(message: Message): Message {
  const { params, ...others } = message as RequestMessage;
  return params === null ? others as Message : message;
}

/** The response to a request that is not served at this time (LSP 3.17, "Lifecycle Messages"). */
function refusedNow(
  { id, method }: RequestMessage,
  { shutdownReceived, initialized }: {
    readonly shutdownReceived: boolean;
    readonly initialized: boolean;
  },
): Message | undefined {
  if (shutdownReceived) {
    return refusal(ErrorCodes.InvalidRequest, "`shutdown` came before", id);
  }
  return initialized || method === "initialize" ? undefined : refusal(
    ErrorCodes.ServerNotInitialized,
    "`initialize` comes first",
    id,
  );
}

/** The response to an `initialize` that the library would fail on. */
function refusedParams(
  { id, method, params }: RequestMessage,
): Message | undefined {
  if (method !== "initialize") return undefined;
  try {
    checkInitializeParams(params);
    return undefined;
  } catch (error) {
    const { message } = error as ResponseError<unknown>;
    return refusal(ErrorCodes.InvalidParams, message, id);
  }
}

/**
 * `bench lsp`: serves an editor on standard input and output until it says
 * `exit` or is gone. Returns the exit code, which the protocol wants to be 1
 * where `shutdown` was not asked for first.
 */
export async function lspCommand(): Promise<number> {
  const ended = Promise.withResolvers<number>();
  const [reader, writer] = [stdinMessages(), stdoutMessages()];
  const written = writesOf(writer);
  const life = {
    shutdownReceived: false,
    initialized: false,
    initialize: () => {
      life.initialized = true;
    },
    exit: async (code: number) => {
      // A response before it is on its way still, where a client does not wait for it.
      await systemClock.sleep(0);
      await written();
      ended.resolve(code);
    },
  };
  const malformed = new MalformedInput(reader, writer, (refused) => {
    void refused.then(() => ended.resolve(1));
  });
  const gone = async () => {
    // What was read together with the end has its turn first.
    await systemClock.sleep(0);
    await malformed.responded();
    await written();
    ended.resolve(life.shutdownReceived ? 0 : 1);
  };
  reader.onClose(gone);
  writer.onError(gone);
  const handleMessage = async (
    message: Message,
    next: (message: Message) => void | Promise<void>,
  ) => {
    if (!malformed.accepts(message)) return;
    const refused = Message.isRequest(message) &&
      (refusedNow(message, life) ?? refusedParams(message));
    if (refused) void malformed.respond(refused);
    else await next(withoutNull(message));
  };
  const connection = createConnection(
    (logger) =>
      createProtocolConnection(reader, writer, logger, {
        messageStrategy: { handleMessage },
      }),
    life,
  );
  new LanguageServer(connection);
  connection.listen();
  return await ended.promise;
}
