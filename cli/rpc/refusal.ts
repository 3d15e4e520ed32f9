import { ErrorCodes, type Message } from "vscode-jsonrpc";

/**
 * The response to what is not served (JSON-RPC 2.0 section 5.1).
 *
 * @param id of the request; null for one that has none
 */
export function refusal(
  code: number,
  message: string,
  id: string | number | null = null,
): Message {
  return { jsonrpc: "2.0", id, error: { code, message } } as Message;
}

/** The response to JSON that is no message. */
export const NO_REQUEST = refusal(
  ErrorCodes.InvalidRequest,
  "this is no JSON-RPC 2.0 request",
);
