import { match, rejects, strictEqual, throws } from "node:assert/strict";
import { startAgent } from "../../../agent/server.ts";
import { STRICT } from "../../support/strict.ts";

const HELLO = () => new Response("hello");

function test(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, fn, ...STRICT });
}

async function get(url: string): Promise<string> {
  using client = Deno.createHttpClient({ poolMaxIdlePerHost: 0 });
  return await (await fetch(url, { client })).text();
}

test("startAgent: without a hostname it serves IPv4 and IPv6", async () => {
  const agent = startAgent({ port: 0 }, HELLO);
  match(
    agent.listening,
    new RegExp(`^(\\[::\\]|0\\.0\\.0\\.0):${agent.port}$`),
  );
  strictEqual(await get(`http://127.0.0.1:${agent.port}/`), "hello");
  if (agent.listening.startsWith("[::]")) {
    strictEqual(await get(`http://[::1]:${agent.port}/`), "hello");
  }
  await agent.close();
});

test("startAgent: with a hostname it serves that address alone", async () => {
  const agent = startAgent({ hostname: "127.0.0.1", port: 0 }, HELLO);
  strictEqual(agent.listening, `127.0.0.1:${agent.port}`);
  await rejects(get(`http://127.0.0.2:${agent.port}/`));
  await agent.close();
});

test("startAgent: a port that is taken is an error", async () => {
  const agent = startAgent({ port: 0 }, HELLO);
  throws(
    () => startAgent({ port: agent.port }, HELLO),
    Deno.errors.AddrInUse,
  );
  await agent.close();
});
