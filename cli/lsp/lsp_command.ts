import {
  createConnection,
  createProtocolConnection,
  ErrorCodes,
} from "vscode-languageserver";
import { Message, type RequestMessage } from "vscode-jsonrpc";
import { systemClock } from "../../lib/base/time/clock.ts";
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
  const malformed = new MalformedInput(reader, writer, (refused) => {
    void refused.then(() => life.exit(1));
  });
  const gone = async () => {
    // What was read together with the end has its turn first.
    await systemClock.sleep(0);
    await malformed.responded();
    life.exit(life.shutdownReceived ? 0 : 1);
  };
  reader.onClose(gone);
  writer.onError(gone);
  /** The response to a request that is not served at this time (LSP 3.17, "Lifecycle Messages"). */
  const refusedNow = ({ id, method }: RequestMessage) =>
    life.shutdownReceived
      ? refusal(ErrorCodes.InvalidRequest, "`shutdown` came before", id)
      : !initialized && method !== "initialize"
      ? refusal(
        ErrorCodes.ServerNotInitialized,
        "`initialize` comes first",
        id,
      )
      : undefined;
  const handleMessage = async (
    message: Message,
    next: (message: Message) => void | Promise<void>,
  ) => {
    if (!malformed.accepts(message)) return;
    const refused = Message.isRequest(message) && refusedNow(message);
    if (refused) void malformed.respond(refused);
    else await next(message);
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
