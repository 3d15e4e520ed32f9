import {
  ErrorCodes,
  Message,
  type MessageReader,
  type MessageWriter,
} from "vscode-jsonrpc";
import { HeaderError } from "./stdio.ts";

/**
 * Responds to bytes that are no JSON and to JSON that is no message; reading goes
 * on after both. After a header that is none it cannot.
 */
export class MalformedInput {
  #broken = false;

  /** @param broken called once when nothing more can be read, the response written */
  constructor(
    reader: MessageReader,
    readonly writer: MessageWriter,
    broken: () => void,
  ) {
    reader.onError((error) => {
      if (this.#broken) return;
      const refused = this.refuse(ErrorCodes.ParseError, error.message);
      if (!(error instanceof HeaderError)) return;
      this.#broken = true;
      void refused.then(broken);
    });
  }

  /** Whether `message` is one; a response says what is wrong with any other. */
  accepts(message: Message): boolean {
    const valid = Message.isRequest(message) ||
      Message.isNotification(message) || Message.isResponse(message);
    if (!valid) {
      void this.refuse(
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
  ): Promise<void> {
    const response = { jsonrpc: "2.0", id, error: { code, message } };
    return this.writer.write(response as Message).catch(() => {});
  }
}
