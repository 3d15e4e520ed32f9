import {
  createConnection,
  createProtocolConnection,
  ErrorCodes,
} from "vscode-languageserver";
import { Message } from "vscode-jsonrpc";
import { refusal } from "../rpc/refusal.ts";
import { MalformedInput, stdinMessages, stdoutMessages } from "../rpc/stdio.ts";
import { LanguageServer } from "./server.ts";

/**
 * `bench lsp`: serves an editor on standard input and output until it says
 * `exit` or is gone. Returns the exit code, which the protocol wants to be 1
 * where `shutdown` was not asked for first.
 */
export async function lspCommand(): Promise<number> {
  const ended = Promise.withResolvers<number>();
  const [reader, writer] = [stdinMessages(), stdoutMessages()];
  let initialized = false;
  const life = {
    shutdownReceived: false,
    initialize: () => {
      initialized = true;
    },
    exit: (code: number) => ended.resolve(code),
  };
  let last = Promise.resolve();
  const gone = () =>
    void last.then(() => life.exit(life.shutdownReceived ? 0 : 1));
  const malformed = new MalformedInput(reader, writer, (refused) => {
    last = refused.then(() => life.exit(1));
  });
  reader.onClose(gone);
  writer.onError(gone);
  const handleMessage = async (
    message: Message,
    next: (message: Message) => void | Promise<void>,
  ) => {
    if (!malformed.accepts(message)) return;
    if (Message.isRequest(message)) {
      const { id, method } = message;
      if (!initialized && method !== "initialize") {
        void malformed.respond(
          refusal(
            ErrorCodes.ServerNotInitialized,
            "`initialize` comes first",
            id,
          ),
        );
        return;
      }
    }
    await next(message);
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
