/**
 * An HTTP/1.1 server that counts the requests of each connection. Prints its port;
 * `GET /counts` is responded with the counts, and ends it.
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
  const own = counts.push(0) - 1;
  for (;;) {
    const count = await connection.read(buffer);
    if (count === null) return connection.close();
    const line = new TextDecoder().decode(buffer.subarray(0, 11));
    if (line.startsWith("GET /counts")) {
      const all = counts.filter((each) => each > 0);
      await connection.write(response(JSON.stringify(all)));
      Deno.exit(0);
    }
    counts[own]!++;
    await connection.write(ok);
  }
}

const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
// deno-lint-ignore no-console -- the test that started it reads the port
console.log(listener.addr.port);
for await (const connection of listener) serve(connection).catch(() => {});
