import { type RawServer, rawServer } from "./raw_server.ts";

/**
 * An HTTP proxy that leads every tunnel to one port, whatever is asked for.
 *
 * @param asked the heads of its requests are added to it
 */
export function tunnelProxy(
  port: number,
  asked: string[],
  response = "200 OK",
): RawServer {
  return rawServer(async (connection) => {
    asked.push(await connection.request() ?? "");
    await connection.send(`HTTP/1.1 ${response}\r\n\r\n`);
    if (!/(^|\n\S+ )2\d\d/.test(response)) return;
    const target = await Deno.connect({ hostname: "127.0.0.1", port });
    await Promise.all([
      connection.conn.readable.pipeTo(target.writable).catch(() => {}),
      target.readable.pipeTo(connection.conn.writable).catch(() => {}),
    ]);
  });
}
