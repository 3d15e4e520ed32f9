import { createHash } from "node:crypto";
import { Sessions } from "../../../../lib/engine/vu/vu.ts";
import type {
  Names,
  Scope,
} from "../../../../lib/language/expressions/template.ts";
import type { AttemptContext } from "../../../../lib/steps/protocol.ts";
import { ws } from "../../../../lib/steps/ws/ws.ts";
import type { WsBlock } from "../../../../lib/steps/ws/block.ts";
import type { StepResponse } from "../../../../lib/model/result/response.ts";
import { systemClock } from "../../../../lib/base/time/clock.ts";
import { HttpConnections } from "../../../../lib/wire/http/connections.ts";
import { parseBaseUrl } from "../../../../lib/wire/net/url.ts";
import type { RawConnection } from "../../../support/raw_server.ts";
import { attempted } from "../../../support/attempted.ts";
import { wireHarness } from "../../../support/wire_harness.ts";

const NO_NAMES: Names = {
  variables: new Map(),
  pools: new Map(),
  env: new Map(),
};

/** One virtual user that runs `ws` steps against `url`, outside the engine. */
export interface WsHarness extends AsyncDisposable {
  /** Runs one step. */
  step(block: WsBlock): Promise<StepResponse>;
  /** Closes the sessions, as the end of an iteration does. */
  endIteration(): Promise<void>;
  /** Stops the run now, as the engine does. */
  stop(): Promise<void>;
}

/** Makes one; every attempt has at most `timeoutMs`. */
export function wsHarness(
  url: string,
  { timeoutMs = 2_000, caCerts = [] }: {
    readonly timeoutMs?: number;
    readonly caCerts?: readonly string[];
  } = {},
): WsHarness {
  const { network } = wireHarness(url, { tls: { caCerts } });
  const sessions = new Sessions();
  const stopped = new AbortController();
  const scope: Scope = { variables: [], rows: [] };
  const context: AttemptContext = {
    iteration: 0,
    scope,
    connections: new HttpConnections(network),
    network,
    sessions,
    deadlines: network.deadlines,
    signal: stopped.signal,
    now: () => systemClock.now(),
    sleep: (ms) => systemClock.sleep(ms, stopped.signal),
  };
  return {
    async step(block) {
      const adapter = await ws.open(block, {
        names: NO_NAMES,
        base: parseBaseUrl(url),
        authorizer: undefined,
        timeoutMs,
        userAgent: "bench/test",
        seed: 1,
        position: 0,
        capture: "full",
        wall: () => systemClock.wall(),
        files: { directory: ".", readBytes: Deno.readFileSync },
      });
      return await attempted(adapter, context);
    },
    endIteration: () => sessions.close(),
    async stop() {
      stopped.abort();
      await sessions.close();
    },
    async [Symbol.asyncDispose]() {
      await sessions.close();
      network.close();
    },
  };
}

/** The server's part of an opening handshake (RFC 6455 section 4.2.2). */
export function acceptance(request: string, more = ""): string {
  const key = /^sec-websocket-key: *(.*)$/im.exec(request)![1]!.trim();
  const accept = createHash("sha1")
    .update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
  return "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n" +
    `Connection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n${more}\r\n`;
}

/** Reads the handshake and accepts it. */
export async function accept(
  connection: RawConnection,
  more?: string,
): Promise<string> {
  const request = await connection.request() ?? "";
  await connection.send(acceptance(request, more));
  return request;
}

/** Reads what the client sends until it closes the session or is gone. */
export async function drain(
  { conn: connection }: RawConnection,
): Promise<void> {
  const buffer = new Uint8Array(4_096);
  for (;;) {
    const count = await connection.read(buffer).catch(() => null);
    if (count === null) return;
    // All frames of a client here are short, masked, and read whole.
    for (let at = 0; at < count; at += 6 + (buffer[at + 1]! & 0x7f)) {
      if (buffer[at] === CLOSE) return;
    }
  }
}

export const TEXT = 0x81;
export const BINARY = 0x82;
export const CLOSE = 0x88;
export const PING = 0x89;
