import type { Protocol } from "../protocol.ts";
import { type WsBlock, wsBlock } from "./block.ts";
import { checkWsSteps, reservedInHandshake } from "./rules.ts";

/** Opens a WebSocket session, sends a JSON frame on it, receives one (RFC 6455). */
export const ws: Protocol<WsBlock> = {
  kind: "ws",
  doc: "a WebSocket session: open it, send a frame, receive one",
  block: wsBlock,
  sharedKey: { key: "session", madeBy: ["url", "endpoint"] },
  keys: ["extract", "assert", "throttle", "auth"],
  requests: true,
  sends: (block) => block.url !== undefined || block.send !== undefined,
  waitsUs: (block) => block.receive?.timeout_us ?? 0,
  authorizes: (block) => block.url !== undefined,
  evidence: (block) => ({
    status: false,
    headers: false,
    body: block.receive !== undefined,
  }),
  facts: ({ session = "" }) => ({ session }),
  reserves: reservedInHandshake,
  checkFlow: checkWsSteps,
  async open(block, tools) {
    // Loaded by flows that need it.
    const { openWs } = await import("./attempt.ts");
    return openWs(block, tools);
  },
};
