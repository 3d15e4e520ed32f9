import { deepStrictEqual, equal, notEqual, rejects } from "node:assert/strict";
import { direct } from "../../../../lib/wire/net/direct_stream.ts";

/** A connection, and the server's side of it. */
async function connected() {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  const [connection, server] = await Promise.all([
    Deno.connect({ hostname: "127.0.0.1", port }),
    listener.accept(),
  ]);
  listener.close();
  return { connection, stream: direct(connection), server };
}

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("direct: this runtime has what it takes", async () => {
  const { connection, stream, server } = await connected();
  notEqual(stream, connection);
  stream.close();
  server.close();
});

Deno.test("direct: writes, reads what is there, and sees the end", async () => {
  const { stream, server } = await connected();
  equal(await stream.write(bytes("ping")), 4);
  const heard = new Uint8Array(10);
  equal(await server.read(heard), 4);
  deepStrictEqual(heard.subarray(0, 4), bytes("ping"));
  const read = stream.read(new Uint8Array(10));
  await server.write(bytes("po"));
  equal(await read, 2);
  server.close();
  equal(await stream.read(new Uint8Array(10)), 0);
  stream.close();
});

Deno.test("direct: a close rejects the read under way, and what is tried after it", async () => {
  const { stream, server } = await connected();
  const read = stream.read(new Uint8Array(10));
  stream.close();
  await rejects(read);
  await rejects(stream.read(new Uint8Array(10)));
  await rejects(stream.write(bytes("late")));
  server.close();
});

Deno.test("direct: a connection that hides its resource is used as it is", () => {
  const other = {} as Deno.Conn;
  equal(direct(other), other);
});
