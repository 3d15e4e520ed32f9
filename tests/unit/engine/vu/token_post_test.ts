import { deepStrictEqual } from "node:assert/strict";
import { postThrough } from "../../../../lib/engine/workers/main_tokens.ts";
import { UNLIMITED } from "../../../../lib/engine/limiter/limiter.ts";
import { systemClock } from "../../../../lib/base/time/clock.ts";
import { AllowList, parseBaseUrl } from "../../../../lib/wire/net/url.ts";
import { Network } from "../../../../lib/wire/net/network.ts";
import { rawServer } from "../../../support/raw_server.ts";

Deno.test("postThrough: what a token endpoint responds, and how long it wants to be left alone", async () => {
  const server = rawServer(async (connection) => {
    await connection.request();
    await connection.send(
      "HTTP/1.1 429 Slow\r\nRetry-After: 7\r\nContent-Length: 2\r\n\r\nno",
    );
  });
  const base = parseBaseUrl(server.url);
  const network = new Network({
    allowList: new AllowList([base]),
    tls: { caCerts: [], insecure: false },
    clock: systemClock,
  });
  try {
    const post = postThrough({
      network,
      base,
      userAgent: "bench/test",
      plan: { requestTimeoutMs: 5_000 },
      limiter: UNLIMITED,
      signal: new AbortController().signal,
    });
    deepStrictEqual(await post("/token", [], "a=b"), {
      status: 429,
      body: "no",
      retryAfterMs: 7_000,
    });
  } finally {
    network.close();
    await server.close();
  }
});
