import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { once } from "node:events";
import WebSocket from "ws";
import { startDemoTarget } from "../../../../cli/demo/server.ts";

Deno.test("demo: /chat greets, responds to what it is asked, and closes when it is crowded", async () => {
  const target = await startDemoTarget({ port: 0, hostname: "127.0.0.1" });
  const socket = new WebSocket(`${target.url.replace("http", "ws")}/chat`, [
    "v1.chat",
  ]);
  const said: unknown[] = [];
  socket.on("message", (data: Uint8Array) => {
    said.push(JSON.parse(new TextDecoder().decode(data)));
    if (said.length === 1) {
      socket.send('{"type":"ask","id":7}');
      socket.send('{"type":"other"}');
      socket.send("nonsense");
      socket.send('{"type":"crowd"}');
    }
  });
  const [code] = await once(socket, "close");
  strictEqual(code, 1013);
  strictEqual(socket.protocol, "v1.chat");
  deepStrictEqual(said, [
    { type: "welcome" },
    { type: "typing" },
    { type: "answer", id: 7, text: "42" },
    { type: "other" },
    { type: "error", error: "not a JSON object" },
  ]);
  await target.close();
});

Deno.test("demo: /chat refuses a request that is no handshake", async () => {
  const target = await startDemoTarget({ port: 0, hostname: "127.0.0.1" });
  const response = await fetch(`${target.url}/chat`);
  strictEqual(response.status, 426);
  await response.body?.cancel();
  await target.close();
});

Deno.test("demo: the target closes although a session is open", async () => {
  const target = await startDemoTarget({ port: 0, hostname: "127.0.0.1" });
  const socket = new WebSocket(`${target.url.replace("http", "ws")}/chat`);
  await once(socket, "message");
  const gone = once(socket, "close");
  await target.close();
  socket.terminate();
  await gone;
});
