import * as net from "node:net";
import * as tls from "node:tls";
import type { KeyPair } from "./certificates.ts";

/** A TLS server that responds once, without a length, and ends the connection. */
export interface ClosingServer {
  /** `https://127.0.0.1:<port>`. */
  readonly url: string;
  close(): Promise<void>;
}

/**
 * @param how with TLS's close_notify, or by closing the connection below it, as
 *   a fault or somebody on the way would
 */
export async function closingServer(
  pair: KeyPair,
  response: string,
  how: "close_notify" | "bare close",
): Promise<ClosingServer> {
  const server = net.createServer((raw) => {
    const socket = new tls.TLSSocket(
      raw,
      { isServer: true, ...pair } as tls.TLSSocketOptions,
    );
    raw.on("error", () => {});
    socket.on("error", () => {});
    socket.once("data", () => {
      socket.write(response, () => {
        if (how === "close_notify") socket.end();
        else raw.destroy();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as net.AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
