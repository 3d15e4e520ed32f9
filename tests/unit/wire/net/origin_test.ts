import assert from "node:assert/strict";
import { originText, parseOrigin } from "../../../../lib/wire/net/origin.ts";

Deno.test("parseOrigin gives one spelling to every way of writing an origin", () => {
  const table: readonly [url: string, key: string, hostHeader: string][] = [
    ["http://h", "http://h:80", "h"],
    ["http://h:80/x?y#z", "http://h:80", "h"],
    ["http://h:", "http://h:80", "h"],
    ["http://h:0080", "http://h:80", "h"],
    ["ws://h", "http://h:80", "h"],
    ["grpc://h:50051", "http://h:50051", "h:50051"],
    ["https://h", "https://h:443", "h"],
    ["wss://h:443", "https://h:443", "h"],
    ["grpcs://h:80", "https://h:80", "h:80"],
    ["HTTP://EXAMPLE.com", "http://example.com:80", "example.com"],
    ["http://example.com.", "http://example.com:80", "example.com"],
    ["http://my_service:1", "http://my_service:1", "my_service:1"],
    [
      "http://bücher.example",
      "http://xn--bcher-kva.example:80",
      "xn--bcher-kva.example",
    ],
    ["http://ｅｘａｍｐｌｅ．com", "http://example.com:80", "example.com"],
    ["http://127.0.0.1", "http://127.0.0.1:80", "127.0.0.1"],
    ["http://0x7f.1", "http://127.0.0.1:80", "127.0.0.1"],
    ["http://2130706433", "http://127.0.0.1:80", "127.0.0.1"],
    ["http://0177.0.0.1", "http://127.0.0.1:80", "127.0.0.1"],
    ["http://127.0.0.1.", "http://127.0.0.1:80", "127.0.0.1"],
    ["http://[::1]", "http://[::1]:80", "[::1]"],
    ["http://[0:0:0:0:0:0:0:1]:8080", "http://[::1]:8080", "[::1]:8080"],
    ["http://[2001:DB8::0001]", "http://[2001:db8::1]:80", "[2001:db8::1]"],
    [
      "http://[::ffff:127.0.0.1]",
      "http://[::ffff:7f00:1]:80",
      "[::ffff:7f00:1]",
    ],
  ];
  for (const [url, key, hostHeader] of table) {
    const got = parseOrigin(url);
    assert.deepEqual([got.key, got.hostHeader], [key, hostHeader], url);
  }
});

Deno.test("parseOrigin keeps the host of an IPv6 address without brackets", () => {
  assert.equal(parseOrigin("http://[::1]:1").host, "::1");
});

Deno.test("parseOrigin refuses hosts that hide what they are", () => {
  const table: readonly [url: string, message: RegExp][] = [
    ["http://", /has no host/],
    ["http:///x", /has no host/],
    ["http://:80", /has no host/],
    ["http://.", /neither a name nor an address/],
    ["http://a..b", /neither a name nor an address/],
    ["http://h..", /neither a name nor an address/],
    ["http://.h", /neither a name nor an address/],
    ["http://::1", /^`::1` .* needs brackets/],
    ["http://fe80::1:8080", /`fe80::1:8080` .* needs brackets/],
    ["http://127.0.0.1::8080", /`127.0.0.1::8080` .* more than one colon/],
    ["http://[::1", /neither a name|needs brackets|not a port/],
    ["http://[::1]x", /neither a name|needs brackets/],
    ["http://[fe80::1%25eth0]", /percent escapes/],
    ["http://%6c%6fcalhost", /percent escapes/],
    ["http://local host", /U\+0020 is not allowed/],
    ["http://h\0", /U\+0000 is not allowed/],
    ["http://h\\x", /`\\` is not allowed/],
    ["http://a|b", /`\|` is not allowed/],
    ["http://256.1.1.1", /neither a name nor an address/],
    ["http://1.2.3.4.5", /neither a name nor an address/],
    ["http://a／b", /neither a name nor an address/],
    ["http://h!", /neither a name nor an address/],
  ];
  for (const [url, message] of table) {
    assert.throws(() => parseOrigin(url), { message }, url);
  }
});

Deno.test("originText is how a URL begins, in the scheme of its family", () => {
  const table = [
    ["http://h:80", "http://h"],
    ["wss://h:443/x", "https://h"],
    ["grpcs://h:50051", "https://h:50051"],
    ["http://[::1]:8080", "http://[::1]:8080"],
  ] as const;
  for (const [url, text] of table) {
    assert.equal(originText(parseOrigin(url)), text);
  }
});
