import type http2 from "node:http2";
import type { AddressInfo } from "node:net";

/** An HTTP/2 server of node that listens on a free loopback port. */
export interface Http2Listener extends AsyncDisposable {
  readonly port: number;
}

/** Lets a server listen; it is closed with its sessions, however broken they are. */
export async function listening(
  server: http2.Http2Server | http2.Http2SecureServer,
): Promise<Http2Listener> {
  const sessions = new Set<http2.ServerHttp2Session>();
  server.on("session", (session: http2.ServerHttp2Session) => {
    sessions.add(session);
    session.on("error", () => {});
    session.on("close", () => sessions.delete(session));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((done) => server.close(() => done()));
      for (const session of sessions) session.destroy();
      await closed;
    },
  };
}
