import type { Protocol } from "../protocol.ts";
import { readWsBlock, WS_FORM, type WsBlock, wsSchema } from "./block.ts";
import { checkWsSteps, reservedInHandshake } from "./rules.ts";

/** Opens a WebSocket session, sends a JSON frame on it, receives one (RFC 6455). */
export const ws: Protocol<WsBlock> = {
  kind: "ws",
  doc: "a WebSocket session: open it, send a frame, receive one",
  keys: ["headers", "extract", "assert", "throttle", "auth"],
  form: WS_FORM,
  sharedKey: { key: "session", madeBy: ["url", "endpoint"] },
  requests: true,
  schema: wsSchema,
  parse: readWsBlock,
  templates: (block) => [
    ...(block.url === undefined ? [] : [{ pointer: "/url", value: block.url }]),
    ...(block.headers ? [{ pointer: "/headers", value: block.headers }] : []),
    ...(block.send === undefined
      ? []
      : [{ pointer: "/send", value: block.send }]),
  ],
  assertions: (block) =>
    (block.receive?.match ?? []).map((assertion, index) => ({
      pointer: `/receive/match/${index}`,
      assertion,
    })),
  urls: (block) =>
    block.url === undefined ? [] : [{ pointer: "/url", value: block.url }],
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
