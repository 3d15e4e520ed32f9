import type { WireResponse } from "../../../../lib/wire/net/wire_response.ts";

/** A response that keeps the connection. */
export const HELLO = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

/** The body of a response. */
export function text(response: WireResponse): string {
  return new TextDecoder().decode(response.body);
}

/** A promise and its resolver, to order two sides without sleeping. */
export function latch(): { opened: Promise<void>; open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}
