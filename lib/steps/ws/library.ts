import type { Buffer } from "node:buffer";
import type { ClientRequest, IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import WebSocket from "ws";

/** The part of the library's client that sessions use. */
export interface ClientSocket {
  on(event: "open", listener: () => void): this;
  on(event: "upgrade", listener: (response: IncomingMessage) => void): this;
  on(
    event: "unexpected-response",
    listener: (request: ClientRequest, response: IncomingMessage) => void,
  ): this;
  on(event: "error", listener: (error: Error) => void): this;
  on(
    event: "message",
    listener: (data: Buffer, isBinary: boolean) => void,
  ): this;
  on(event: "close", listener: (code: number, reason: Buffer) => void): this;
  removeAllListeners(event: "open" | "upgrade" | "unexpected-response"): this;
  /** The callback hears when it was written, or why it could not be. */
  send(
    data: Buffer,
    options: { readonly binary: boolean },
    written?: (error?: Error) => void,
  ): void;
  /** Begins the closing handshake; lets go after `closeTimeout`. */
  close(code: number): void;
  /** Lets go of the connection at once. */
  terminate(): void;
  pause(): void;
  resume(): void;
}

/** Options of the library that are used here. */
export interface ClientOptions {
  readonly createConnection: () => Duplex;
  readonly headers: Readonly<Record<string, string>>;
  /** Sends the request; it may change it first. */
  readonly finishRequest: (request: ClientRequest) => void;
  readonly perMessageDeflate: false;
  /** Bytes of a whole message. */
  readonly maxPayload: number;
  /** Milliseconds. */
  readonly closeTimeout: number;
}

/** The library's client. */
export const Client = WebSocket as unknown as new (
  url: string,
  protocols: readonly string[],
  options: ClientOptions,
) => ClientSocket;
