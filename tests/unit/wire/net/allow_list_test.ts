import assert from "node:assert/strict";
import {
  AllowList,
  parseBaseUrl,
  resolveUrl,
} from "../../../../lib/wire/net/url.ts";
import { parseOrigin } from "../../../../lib/wire/net/origin.ts";

const bases = [
  "http://api.example.com/v1",
  "https://secure.example.com:8443",
  "http://127.0.0.1:3000",
  "http://[::1]:3000",
  "http://bücher.example",
].map(parseBaseUrl);
const allowList = new AllowList(bases);

Deno.test("AllowList permits every spelling of a listed origin", () => {
  const same = [
    "http://api.example.com/anything/else",
    "http://API.Example.COM",
    "http://api.example.com.",
    "http://api.example.com:80/",
    "ws://api.example.com/socket",
    "grpc://api.example.com",
    "wss://secure.example.com:8443",
    "grpcs://secure.example.com:8443",
    "http://127.1:3000",
    "http://0x7f000001:3000",
    "http://[0::1]:3000",
    "http://xn--bcher-kva.example",
    "http://BÜCHER.example/",
  ];
  for (const url of same) {
    assert.equal(allowList.permits(parseOrigin(url)), true, url);
  }
});

Deno.test("AllowList permits nothing else", () => {
  const other = [
    "https://api.example.com",
    "wss://api.example.com",
    "http://api.example.com:443",
    "http://api.example.com:8080",
    "http://example.com",
    "http://evil.api.example.com",
    "http://api.example.com.evil.test",
    "http://api-example.com",
    "http://secure.example.com:8443",
    "https://secure.example.com",
    "http://localhost:3000",
    "http://127.0.0.2:3000",
    "http://[::ffff:127.0.0.1]:3000",
    "http://[::ffff:7f00:1]:3000",
    "http://[::]:3000",
    "http://0.0.0.0:3000",
    "http://bucher.example",
  ];
  for (const url of other) {
    assert.equal(allowList.permits(parseOrigin(url)), false, url);
  }
});

/** What a flow could try: each either is refused or stays where it should. */
Deno.test("AllowList cannot be got round through resolveUrl", () => {
  const tries = [
    "http://api.example.com@evil.test/",
    "http://evil.test#@api.example.com/",
    "http://evil.test?@api.example.com/",
    "http://evil.test\\@api.example.com/",
    "http://evil.test\\api.example.com/",
    "http:\\\\evil.test/",
    "http:/\\evil.test/",
    "//evil.test/",
    "/\\evil.test/",
    "\\\\evil.test/",
    "ht\ttp://evil.test/",
    "http://evil.test\t.api.example.com/",
    "http://api.example.com\n.evil.test/",
    "http://api.example.com%2eevil.test/",
    "http://api%2eexample.com/",
    "http://api.example.com%00.evil.test/",
    "http://api.example.com:80@evil.test/",
    "http://api.example.com:80:80/",
    "http://api.example.com:80\\.evil.test/",
    "http://api.example.com..evil.test/",
    "http://[api.example.com]/",
    "http://evil.test/api.example.com",
    "\u0000http://evil.test/",
    "HTTP://EVIL.TEST/",
    "javascript://api.example.com/%0aalert(1)",
  ];
  for (const rendered of tries) {
    let host: string;
    try {
      const { origin } = resolveUrl(rendered, bases[0]!);
      if (!allowList.permits(origin)) continue;
      host = origin.host;
    } catch (error) {
      assert.ok(
        error instanceof SyntaxError || error instanceof RangeError,
        `${rendered}: ${error}`,
      );
      continue;
    }
    assert.equal(host, "api.example.com", rendered);
    assert.ok(rendered.startsWith("/"), rendered);
  }
});

Deno.test("AllowList.refusal names each origin that is permitted once", () => {
  const twice = [...bases, parseBaseUrl("ws://API.example.com/other")];
  const allowed = new AllowList(twice);
  assert.equal(
    allowed.refusal(parseOrigin("http://api.example.com")),
    undefined,
  );
  assert.equal(
    allowed.refusal(parseOrigin("http://evil.test")),
    "`http://evil.test:80` is not on the target's allow-list: base_urls permits " +
      "`http://api.example.com:80`, `https://secure.example.com:8443`, " +
      "`http://127.0.0.1:3000`, `http://[::1]:3000`, " +
      "`http://xn--bcher-kva.example:80`",
  );
  assert.match(
    allowed.refusal(parseOrigin("WSS://evil.test"))!,
    /^`wss:\/\/evil\.test:443` is not/,
    "as the user wrote it",
  );
});

Deno.test("AllowList.refusal names five of many origins, the most alike first", () => {
  const hosts = Array.from(
    { length: 100 },
    (_, i) => `http://${i}.example.com`,
  );
  const allowed = new AllowList(
    [...hosts, "https://shop.test:8443", "http://stock.test"].map(parseBaseUrl),
  );
  const named = (origin: string) =>
    /permits (.*)/.exec(allowed.refusal(parseOrigin(origin))!)![1];
  const first = (many: number) =>
    hosts.slice(0, many).map((each) => `\`${each}:80\``).join(", ");
  assert.equal(named("http://evil.test"), `${first(5)} and 97 more`);
  assert.equal(
    named("https://shop.test"),
    `\`https://shop.test:8443\`, ${first(4)} and 97 more`,
  );
  assert.equal(
    named("http://stocks.test"),
    `\`http://stock.test:80\`, ${first(4)} and 97 more`,
  );
});
