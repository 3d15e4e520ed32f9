import assert from "node:assert/strict";
import fc from "fast-check";
import {
  encodeQueryValue,
  parseBaseUrl,
  resolveUrl,
} from "../../../../lib/wire/net/url.ts";
import { anyText } from "../../../support/any_text.ts";

const base = parseBaseUrl("http://example.com:8080/api/");

Deno.test("parseBaseUrl takes origin and path without the trailing slash", () => {
  const table: readonly [text: string, key: string, path: string][] = [
    ["http://example.com", "http://example.com:80", ""],
    ["http://example.com/", "http://example.com:80", ""],
    ["HTTPS://Example.COM:443/v1/", "https://example.com:443", "/v1"],
    ["ws://h/a/b//", "http://h:80", "/a/b"],
    ["grpcs://h:50051", "https://h:50051", ""],
    ["http://h/a b", "http://h:80", "/a%20b"],
  ];
  for (const [text, key, path] of table) {
    const got = parseBaseUrl(text);
    assert.deepEqual([got.origin.key, got.path], [key, path], text);
  }
});

Deno.test("parseBaseUrl refuses what is not a base URL, and says why", () => {
  const table: readonly [text: string, message: RegExp][] = [
    ["", /not an absolute URL/],
    ["/api", /not an absolute URL/],
    ["example.com", /not an absolute URL/],
    ["localhost:8080", /not an absolute URL/],
    ["http:/h", /not an absolute URL/],
    ["http:\\\\h", /not an absolute URL/],
    ["ftp://h", /`ftp`.* is not a usable scheme/],
    ["toString://h", /is not a usable scheme|not an absolute/],
    ["http://user:pw@h", /userinfo/],
    ["http://h/?a=b", /must not hold a query/],
    ["http://h/#top", /must not hold a fragment/],
    ["http://", /has no host/],
    ["http://h:0", /Port 0 /],
    ["http://h:65536", /Port 65536 /],
    ["http://h:+80", /`\+80` .* is not a port number/],
    ["http://h:8o", /is not a port number/],
  ];
  for (const [text, message] of table) {
    assert.throws(() => parseBaseUrl(text), { message }, text);
  }
});

Deno.test("parseBaseUrl never repeats a password in its message", () => {
  assert.throws(
    () => parseBaseUrl("http://user:hunter2@h"),
    (error: unknown) => !String(error).includes("hunter2"),
  );
});

Deno.test("resolveUrl joins a relative URL to the base", () => {
  const table: readonly [rendered: string, path: string, query: string][] = [
    ["/users", "/api/users", ""],
    ["/", "/api/", ""],
    ["", "/api", ""],
    ["?q=1", "/api", "q=1"],
    ["/a?b=c&d=e?f", "/api/a", "b=c&d=e?f"],
    ["/a?", "/api/a", ""],
    ["/a#frag?x", "/api/a", ""],
    ["#frag", "/api", ""],
    ["/a/../b/./c", "/api/a/../b/./c", ""],
    ["/a//b", "/api/a//b", ""],
  ];
  for (const [rendered, path, query] of table) {
    const got = resolveUrl(rendered, base);
    assert.deepEqual([got.path, got.query], [path, query], rendered);
    assert.equal(got.origin, base.origin, rendered);
  }
});

Deno.test("resolveUrl lets an absolute URL stand for itself", () => {
  const table: readonly [string, key: string, path: string, query: string][] = [
    ["http://other", "http://other:80", "/", ""],
    ["https://other:8443/x?y", "https://other:8443", "/x", "y"],
    ["http://other?y=1", "http://other:80", "/", "y=1"],
    ["http://example.com:8080/x", "http://example.com:8080", "/x", ""],
    ["http://example.com:80801/x", "", "", ""],
  ];
  for (const [rendered, key, path, query] of table.slice(0, -1)) {
    const got = resolveUrl(rendered, base);
    assert.deepEqual([got.origin.key, got.path, got.query], [key, path, query]);
  }
  assert.throws(() => resolveUrl(table.at(-1)![0], base), RangeError);
});

Deno.test("resolveUrl encodes only what RFC 3986 forbids", () => {
  const table: readonly [rendered: string, sent: string][] = [
    ["/a b", "/api/a%20b"],
    ["/a%20b%2Fc", "/api/a%20b%2Fc"],
    ["/100%", "/api/100%25"],
    ["/%zz%4", "/api/%25zz%254"],
    ["/ü/日本", "/api/%C3%BC/%E6%97%A5%E6%9C%AC"],
    ["/😀", "/api/%F0%9F%98%80"],
    ["/\ud800x", "/api/%EF%BF%BDx"],
    ["/a:b@c!$&'()*+,;=~-._", "/api/a:b@c!$&'()*+,;=~-._"],
    ['/"<>\\^`{|}[]', "/api/%22%3C%3E%5C%5E%60%7B%7C%7D%5B%5D"],
    ["/x?a[]=1&b={2}", "/api/x?a%5B%5D=1&b=%7B2%7D"],
    ["/x?a=b c+d/e?f", "/api/x?a=b%20c+d/e?f"],
    ["/\r\nHost: evil", "/api/%0D%0AHost:%20evil"],
    ["/x?a=\r\n\0\t\x7f", "/api/x?a=%0D%0A%00%09%7F"],
  ];
  for (const [rendered, sent] of table) {
    const { path, query } = resolveUrl(rendered, base);
    assert.equal(query === "" ? path : `${path}?${query}`, sent, rendered);
  }
});

Deno.test("resolveUrl refuses what could name another host unseen", () => {
  const table: readonly [rendered: string, message: RegExp][] = [
    ["//evil/path", /begins with `\/\/`/],
    ["///evil", /begins with `\/\/`/],
    ["http:\\\\evil", /neither a path nor an absolute URL/],
    ["http:/evil", /neither a path nor an absolute URL/],
    ["http:evil", /neither a path nor an absolute URL/],
    [" http://evil", /neither a path nor an absolute URL/],
    ["ht\ntp://evil", /neither a path nor an absolute URL/],
    ["\thttp://evil", /neither a path nor an absolute URL/],
    ["evil:80/x", /neither a path nor an absolute URL/],
    ["javascript:alert(1)", /neither a path nor an absolute URL/],
    ["users/1", /neither a path nor an absolute URL/],
    ["file:///etc/passwd", /not a usable scheme/],
    ["http://example.com@evil/", /userinfo/],
    ["http://evil\\@example.com/", /userinfo/],
    ["http://evil\\.example.com/", /`\\` is not allowed in a host/],
    ["http://ev\til/", /U\+0009 is not allowed/],
    ["http://ev\nil/", /U\+000A is not allowed/],
    ["http://evil%2ecom/", /percent escapes in a host/],
  ];
  for (const [rendered, message] of table) {
    assert.throws(() => resolveUrl(rendered, base), { message }, rendered);
  }
});

Deno.test("resolveUrl sends only characters a request line may hold", () => {
  fc.assert(fc.property(
    anyText,
    (text) => {
      const { path, query } = resolveUrl(`/x${text}`, base);
      assert.match(`${path}?${query}`, /^[!-~]*$/);
      assert.ok(path.startsWith("/api/x"));
      const again = resolveUrl(
        query === "" ? path : `${path}?${query}`,
        { origin: base.origin, path: "" },
      );
      assert.deepEqual([again.path, again.query], [path, query]);
    },
  ));
});

Deno.test("encodeQueryValue encodes everything but unreserved characters", () => {
  const table: readonly [text: string, sent: string][] = [
    ["a b", "a%20b"],
    ["a+b&c=d", "a%2Bb%26c%3Dd"],
    ["-._~", "-._~"],
    ["!'()*", "%21%27%28%29%2A"],
    ["100%", "100%25"],
    ["é", "%C3%A9"],
    ["\ud800", "%EF%BF%BD"],
    ["", ""],
  ];
  for (const [text, sent] of table) assert.equal(encodeQueryValue(text), sent);
});

Deno.test("encodeQueryValue is undone by decodeURIComponent", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => {
    assert.equal(decodeURIComponent(encodeQueryValue(text)), text);
  }));
});
