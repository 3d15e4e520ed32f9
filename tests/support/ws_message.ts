import type { WebSocketEvents } from "../../lib/wire/websocket/connection.ts";

/** A message as a WebSocket connection hands it on: text, or a copy of its bytes. */
export function contentOf(
  ...[bytes, start, end, isText]: Parameters<WebSocketEvents["message"]>
): string | Uint8Array {
  const content = bytes.slice(start, end);
  return isText
    ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(content)
    : content;
}
