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

/** A frame as a server sends it; `first` holds FIN, RSV and the opcode. */
export function serverFrame(
  first: number,
  payload: string | Uint8Array,
): Uint8Array<ArrayBuffer> {
  const bytes = typeof payload === "string"
    ? new TextEncoder().encode(payload)
    : payload;
  const { length } = bytes;
  const head = length < 126
    ? [length]
    : length < 65_536
    ? [126, length >> 8, length & 255]
    : [127, 0, 0, 0, 0, ...[24, 16, 8, 0].map((by) => (length >> by) & 255)];
  return Uint8Array.from([first, ...head, ...bytes]);
}
