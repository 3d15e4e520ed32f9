/**
 * An HTTP/1.1 server that counts the requests of each connection since the last of
 * them sent its first. Prints its port; `GET /counts` is responded with the counts, and
 * ends it.
 */
const encoder = new TextEncoder();
const counts: number[] = [];

function response(body: string): Uint8Array {
  return encoder.encode(
    `HTTP/1.1 200 OK\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
}

async function serve(connection: Deno.TcpConn): Promise<void> {
  connection.setNoDelay(true);
  const ok = response("{}");
  const buffer = new Uint8Array(4_096);
  let own: number | undefined;
  for (;;) {
    const count = await connection.read(buffer);
    if (count === null) return connection.close();
    const line = new TextDecoder().decode(buffer.subarray(0, 11));
    if (line.startsWith("GET /counts")) {
      await connection.write(response(JSON.stringify(counts)));
      Deno.exit(0);
    }
    if (own === undefined) {
      counts.fill(0);
      own = counts.push(0) - 1;
    }
    counts[own]!++;
    await connection.write(ok);
  }
}

// Longer than the default of 511: a connection that finds it full comes a second later.
const tcpBacklog = 4_096;
const listener = Deno.listen({ hostname: "127.0.0.1", port: 0, tcpBacklog });
// deno-lint-ignore no-console -- the test that started it reads the port
console.log(listener.addr.port);
for await (const connection of listener) serve(connection).catch(() => {});
