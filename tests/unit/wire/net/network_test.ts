import assert from "node:assert/strict";
import { http1Request } from "../../../../lib/wire/http/request.ts";
import { parseOrigin } from "../../../../lib/wire/net/origin.ts";
import { rawServer } from "../../../support/raw_server.ts";
import { wireHarness } from "../../../support/wire_harness.ts";
import { freePort } from "../../../support/free_port.ts";
import { STRICT } from "../../../support/strict.ts";

Deno.test(
  "HttpConnections refuses an origin off the allow-list before it looks it up",
  STRICT,
  async () => {
    const harness = wireHarness("http://127.0.0.1:1");
    const origin = parseOrigin("http://never-looked-up.invalid");
    const response = await harness.connections.request(
      origin,
      http1Request("GET", new Uint8Array(1)),
      1000,
    );
    assert.equal(response.failure?.code, "forbidden-host");
    assert.match(
      response.failure!.message,
      /`http:\/\/never-looked-up.invalid:80`.*`http:\/\/127.0.0.1:1`/,
    );
    assert.ok(isNaN(response.marks.dns));
    assert.equal(response.bytesSent, 0);
    assert.deepEqual(
      [response.status, response.statusLine, response.headers()],
      [
        0,
        "",
        [],
      ],
    );
    harness.close();
  },
);

Deno.test(
  "HttpConnections names why there is no connection",
  STRICT,
  async () => {
    const port = freePort();
    const refused = wireHarness(`http://127.0.0.1:${port}`);
    const first = (await refused.exchange()).failure!;
    assert.equal(first.code, "refused");
    assert.equal(
      first.message,
      `Cannot connect to \`127.0.0.1:${port}\`: connection refused`,
    );
    refused.close();

    const unknown = wireHarness("http://no-such-host.invalid");
    const second = (await unknown.exchange()).failure!;
    assert.equal(second.code, "dns");
    assert.match(second.message, /Cannot look up `no-such-host.invalid`: /);
    unknown.close();
  },
);

Deno.test("Network.dial tries every address of a name", STRICT, async () => {
  // localhost may be ::1 first; only 127.0.0.1 listens.
  await using server = rawServer(async (connection) =>
    void await connection.request()
  );
  const url = `http://localhost:${server.port}`;
  using harness = wireHarness(url);
  const { stream, marks } = await harness.network.dial(parseOrigin(url), 5000);
  assert.ok(marks.dns <= marks.connect && isNaN(marks.tls));
  stream.close();
});

/** Some containers have no IPv6 loopback. */
const hasIpv6 = (() => {
  try {
    Deno.listen({ hostname: "::1", port: 0 }).close();
    return true;
  } catch {
    return false;
  }
})();

Deno.test("Network.dial speaks to an IPv6 address", {
  ...STRICT,
  ignore: !hasIpv6,
}, async () => {
  await using server = rawServer(
    async (connection) => void await connection.request(),
    {
      hostname: "::1",
    },
  );
  const url = `http://[::1]:${server.port}`;
  using harness = wireHarness(url);
  const { stream } = await harness.network.dial(parseOrigin(url), 5000);
  stream.close();
});
