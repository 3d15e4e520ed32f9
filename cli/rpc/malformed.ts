import {
  ErrorCodes,
  Message,
  type MessageReader,
  type MessageWriter,
} from "vscode-jsonrpc";

/**
 * Responds to bytes that are no JSON and to JSON that is no message; reading goes
 * on after both.
 */
export class MalformedInput {
  constructor(reader: MessageReader, readonly writer: MessageWriter) {
    reader.onError(({ message }) =>
      this.refuse(ErrorCodes.ParseError, message)
    );
  }

  /** Whether `message` is one; a response says what is wrong with any other. */
  accepts(message: Message): boolean {
    const valid = Message.isRequest(message) ||
      Message.isNotification(message) || Message.isResponse(message);
    if (!valid) {
      this.refuse(
        ErrorCodes.InvalidRequest,
        "this is no JSON-RPC 2.0 request",
      );
    }
    return valid;
  }

  /** @param id of the request; null for one that has none */
  refuse(
    code: number,
    message: string,
    id: string | number | null = null,
  ): void {
    const response = { jsonrpc: "2.0", id, error: { code, message } };
    this.writer.write(response as Message).catch(() => {});
  }
}
