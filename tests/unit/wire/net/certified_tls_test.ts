import { deepStrictEqual, rejects } from "node:assert/strict";
import { Network } from "../../../../lib/wire/net/network.ts";
import { parseOrigin } from "../../../../lib/wire/net/origin.ts";
import { AllowList, parseBaseUrl } from "../../../../lib/wire/net/url.ts";
import { ManualClock } from "../../../support/manual_clock.ts";
import { authority, client } from "../../../support/tls/certificates.ts";

Deno.test(
  "a connection with a client certificate cannot be given up: while there is one, others are made that can",
  async () => {
    using listener = Deno.listen({
      hostname: "127.0.0.1",
      port: 0,
      tcpBacklog: 1,
    });
    const { port } = listener.addr;
    // The system lets no other in, and does not say so.
    const [first, second] = await Promise.all([
      Deno.connect({ port }),
      Deno.connect({ port }),
    ]);
    const url = `https://127.0.0.1:${port}`;
    const clock = new ManualClock();
    const network = new Network({
      allowList: new AllowList([parseBaseUrl(url)]),
      tls: { caCerts: [authority], insecure: false, ...client },
      clock,
    });
    const { connectTls } = Deno;
    let begun = 0;
    Deno.connectTls = (options) => {
      begun++;
      return connectTls(options);
    };
    try {
      for (const _ of [1, 2, 3]) {
        const dialled = network.dial(parseOrigin(url), 1_000);
        await clock.pass(1_000);
        await rejects(dialled, { code: "timeout", message: /connecting/ });
      }
    } finally {
      Deno.connectTls = connectTls;
    }
    deepStrictEqual(begun, 1);
    first.close();
    second.close();
    network.close();
  },
);
