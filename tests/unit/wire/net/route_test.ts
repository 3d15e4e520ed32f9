import { deepStrictEqual, equal, rejects } from "node:assert/strict";
import { readConnection } from "../../../../cli/options/connection.ts";
import { systemConsole } from "../../../../cli/terminal/console.ts";
import { systemClock } from "../../../../lib/base/time/clock.ts";
import { Addresses, Network } from "../../../../lib/wire/net/network.ts";
import { AllowList, parseBaseUrl } from "../../../../lib/wire/net/url.ts";
import { parseOrigin } from "../../../../lib/wire/net/origin.ts";
import type {
  RouteOptions,
  TlsOptions,
} from "../../../../lib/wire/net/byte_stream.ts";
import { type RawConnection, rawServer } from "../../../support/raw_server.ts";
import {
  authority,
  client,
  server,
} from "../../../support/tls/certificates.ts";
import { ManualClock } from "../../../support/manual_clock.ts";
import { tunnelProxy } from "../../../support/tunnel_proxy.ts";
import { STRICT } from "../../../support/strict.ts";

const readRoute = (flags: Parameters<typeof readConnection>[0]) =>
  readConnection(flags, systemConsole("never"));

function networkTo(
  url: string,
  route: RouteOptions,
  certificate: Partial<TlsOptions> = {},
): Network {
  return new Network({
    allowList: new AllowList([parseBaseUrl(url)]),
    tls: { caCerts: [authority], insecure: false, ...certificate },
    clock: systemClock,
    route,
  });
}

/** Dials, and says what the other side sends back for a line. */
async function said(network: Network, url: string): Promise<string> {
  const { stream, deadline } = await network.dial(parseOrigin(url), 5_000);
  network.deadlines.stop(deadline);
  await stream.write(new TextEncoder().encode("GET / HTTP/1.1\r\n\r\n"));
  const buffer = new Uint8Array(100);
  const count = await stream.read(buffer);
  stream.close();
  return new TextDecoder().decode(buffer.subarray(0, count ?? 0));
}

const answering = (text: string) => async (connection: RawConnection) => {
  await connection.request();
  await connection.send(text);
};

Deno.test("Addresses.inTurn: each connection begins with the next one, each thread elsewhere", () => {
  let now = 0;
  const all = ["10.0.0.3", "10.0.0.1", "10.0.0.2"];
  const addresses = new Addresses(undefined, () => now, 1);
  const first = () => addresses.inTurn("h", all)[0];
  deepStrictEqual([first(), first(), first(), first()], [
    "10.0.0.2",
    "10.0.0.3",
    "10.0.0.1",
    "10.0.0.2",
  ]);
  addresses.avoid("10.0.0.3");
  const order = addresses.inTurn("h", all);
  deepStrictEqual(
    [order.length, order[2]],
    [3, "10.0.0.3"],
    "it is tried last",
  );
  now = 10_000;
  const begun = new Set([first(), first(), first()]);
  equal(begun.size, 3, "after a while it has its turn again");
});

Deno.test(
  "--resolve: connections go to the pinned addresses in turn, without a look-up",
  STRICT,
  async () => {
    const one = rawServer(answering("one"));
    const { port } = one;
    const seen: string[] = [];
    const url = `http://shop.invalid:${port}`;
    const { route } = readRoute({
      resolve: [`Shop.invalid:${port}:127.0.0.1,127.0.0.2`],
    });
    const network = networkTo(url, route!);
    // Nothing listens on the second address: the first serves all, and each is served.
    for (let each = 0; each < 3; each++) seen.push(await said(network, url));
    deepStrictEqual(seen, ["one", "one", "one"]);
    network.close();
    await one.close();
  },
);

Deno.test(
  "--proxy: connections are tunnels, with TLS to the target inside",
  STRICT,
  async () => {
    for (const [tls, certificate] of [[], [server], [server, client]]) {
      const asked: string[] = [];
      await using target = rawServer(answering("hello"), tls ? { tls } : {});
      const proxy = tunnelProxy(target.port, asked);
      // The certificate is for localhost; only the proxy looks the name up.
      const url = `${tls ? "https" : "http"}://localhost:${target.port}`;
      const { route } = readRoute({
        proxy: `http://ada:ge%40heim@127.0.0.1:${proxy.port}`,
      });
      const network = networkTo(url, route!, certificate);
      equal(await said(network, url), "hello");
      deepStrictEqual(asked, [
        `CONNECT localhost:${target.port} HTTP/1.1\r\nHost: localhost:${target.port}\r\nProxy-Authorization: Basic ${
          btoa("ada:ge@heim")
        }\r\n\r\n`,
      ]);
      network.close();
      await proxy.close();
    }
  },
);

Deno.test(
  "--proxy: interim responses before the tunnel are passed over",
  STRICT,
  async () => {
    await using target = rawServer(answering("hello"));
    const proxy = tunnelProxy(
      target.port,
      [],
      "100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\nHTTP/1.1 200 OK",
    );
    const url = `http://127.0.0.1:${target.port}`;
    const { route } = readRoute({ proxy: proxy.url });
    const network = networkTo(url, route!);
    equal(await said(network, url), "hello");
    network.close();
    await proxy.close();
  },
);

Deno.test(
  "--proxy: the allow-list is asked before the proxy",
  STRICT,
  async () => {
    const asked: string[] = [];
    const proxy = tunnelProxy(1, asked);
    const { route } = readRoute({ proxy: proxy.url });
    const network = networkTo("http://allowed.invalid", route!);
    await rejects(
      () => network.dial(parseOrigin("http://other.invalid"), 1_000),
      { code: "forbidden-host" },
    );
    deepStrictEqual([proxy.accepted, asked], [0, []]);
    network.close();
    await proxy.close();
  },
);

Deno.test(
  "--proxy: a proxy that opens no tunnel is the failure, by name",
  STRICT,
  async () => {
    const asked: string[] = [];
    const proxy = tunnelProxy(1, asked, "407 Proxy Authentication Required");
    const { route } = readRoute({ proxy: proxy.url });
    const network = networkTo("http://shop.invalid", route!);
    await rejects(
      () => network.dial(parseOrigin("http://shop.invalid"), 5_000),
      {
        code: "proxy",
        message:
          `No tunnel to \`shop.invalid:80\` through proxy \`127.0.0.1:${proxy.port}\`: it responded 407 Proxy Authentication Required`,
      },
    );
    await proxy.close();
    await rejects(
      () => network.dial(parseOrigin("http://shop.invalid"), 5_000),
      {
        code: "refused",
        message:
          `Cannot connect to proxy \`127.0.0.1:${proxy.port}\`: connection refused`,
      },
    );
    network.close();
  },
);

Deno.test("--resolve and --proxy: what they cannot be is refused", async () => {
  const flags = [
    { resolve: ["shop.example:443"] },
    { resolve: ["shop.example:443:not-an-address"] },
    { resolve: ["shop.example:99999:10.0.0.1"] },
    { proxy: "https://127.0.0.1:3128" },
    { proxy: "socks5://127.0.0.1:1080" },
  ];
  for (const each of flags) {
    await rejects(
      () => Promise.resolve().then(() => readRoute(each)),
      /it must be /,
    );
  }
  deepStrictEqual(
    readRoute({ resolve: ["h:1:[::1]", "h:1:10.0.0.1"] }).route!.resolve,
    { "h:1": ["::1", "10.0.0.1"] },
  );
});

Deno.test(
  "Network.dial: an address that does not respond leaves time for the next one",
  STRICT,
  async () => {
    const asked = Promise.withResolvers<void>();
    // The first connection stands for the address that does not respond.
    await using proxy = rawServer(async (connection) => {
      await connection.request();
      if (proxy.accepted > 1) await connection.send("HTTP/1.1 200 OK\r\n\r\n");
      else asked.resolve();
      await connection.request();
    });
    const { port } = proxy;
    const url = "http://shop.invalid:80";
    const clock = new ManualClock();
    const network = new Network({
      allowList: new AllowList([parseBaseUrl(url)]),
      tls: { caCerts: [], insecure: false },
      clock,
      route: {
        proxy: { host: "proxy.invalid", port },
        resolve: { [`proxy.invalid:${port}`]: ["127.0.0.1", "127.0.0.1"] },
      },
    });
    const dialled = network.dial(parseOrigin(url), 5_000);
    await asked.promise;
    await clock.pass(2_500);
    const { stream, deadline } = await dialled;
    network.deadlines.stop(deadline);
    stream.close();
    equal(proxy.accepted, 2);
    network.close();
  },
);
