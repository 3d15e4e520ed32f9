import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import { type HeaderList, headerValue } from "../../base/values/headers.ts";

/** RFC 6455 section 1.3. */
const GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/** A value for `Sec-WebSocket-Key`: 16 random bytes in base64. */
export function newKey(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(16)))
    .toString("base64");
}

/** The fields that make a GET a handshake (RFC 6455 section 4.1). */
export function handshakeFields(
  key: string,
  subprotocols: readonly string[],
): HeaderList {
  return [
    ["Sec-WebSocket-Version", "13"],
    ["Sec-WebSocket-Key", key],
    ["Connection", "Upgrade"],
    ["Upgrade", "websocket"],
    ...subprotocols.length === 0
      ? []
      : [["Sec-WebSocket-Protocol", subprotocols.join(", ")] as const],
  ];
}

/**
 * Why a response with status 101 opens no WebSocket (RFC 6455 section 4.1);
 * undefined when it does.
 */
export function handshakeRefusal(
  headers: HeaderList,
  key: string,
  subprotocols: readonly string[],
): string | undefined {
  const field = (name: string) => headerValue(headers, name) ?? "";
  if (field("upgrade").toLowerCase() !== "websocket") {
    return "the response has no `Upgrade: websocket`";
  }
  if (!/(?:^|,)\s*upgrade\s*(?:,|$)/i.test(field("connection"))) {
    return "the response has no `Connection: Upgrade`";
  }
  if (field("sec-websocket-accept") !== acceptOf(key)) {
    return "`Sec-WebSocket-Accept` does not match the key of the request";
  }
  const extensions = field("sec-websocket-extensions");
  if (extensions !== "") {
    return `the server uses the extension \`${extensions}\`, which was not offered`;
  }
  return subprotocolRefusal(
    headerValue(headers, "sec-websocket-protocol"),
    subprotocols,
  );
}

function subprotocolRefusal(
  chosen: string | undefined,
  offered: readonly string[],
): string | undefined {
  if (chosen === undefined) {
    return offered.length === 0
      ? undefined
      : "the server chose none of the subprotocols that were offered";
  }
  return offered.includes(chosen)
    ? undefined
    : `the server chose the subprotocol \`${chosen}\`, which was not offered`;
}

/** The value of `Sec-WebSocket-Accept` (RFC 6455 section 4.2.2). */
export function acceptOf(key: string): string {
  return createHash("sha1").update(key + GUID).digest("base64");
}
