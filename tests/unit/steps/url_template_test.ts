import assert from "node:assert/strict";
import fc from "fast-check";
import type { Names, Row } from "../../../lib/language/expressions/template.ts";
import { compileUrl } from "../../../lib/steps/url_template.ts";
import { parseBaseUrl, resolveUrl } from "../../../lib/wire/net/url.ts";

const NAMES: Names = {
  variables: new Map([["a", 0], ["b", 1]]),
  pools: new Map([["user", 0]]),
  env: new Map([["HOST", "api.test:81/v1"], ["C", "C#"], ["NONE", ""]]),
};
const base = parseBaseUrl("http://shop.test/api");

/** What is requested: origin, path and query. */
function requested(url: string, ...variables: string[]): string {
  const scope = { variables, rows: [] };
  const resolved = resolveUrl(compileUrl(url, NAMES).render(scope), base);
  const { origin: { key }, path, query } = resolved;
  return `${key.slice(0, key.lastIndexOf(":"))}${path}${query && `?${query}`}`;
}

Deno.test("compileUrl takes a value in a path for data, whatever it holds", () => {
  const table: [url: string, value: string, expected: string][] = [
    ["/lang/{{ a }}", "C#", "/lang/C%23"],
    ["/lang/{{ a }}/x", "what?", "/lang/what%3F/x"],
    ["/lang/{{ a }}", "100%25", "/lang/100%2525"],
    ["/lang/{{ a }}", "a b/ü", "/lang/a%20b/%C3%BC"],
    ["/lang/{{ a }}", "-._~!$&'()*+,;=:@/", "/lang/-._~!$&'()*+,;=:@/"],
    [
      "/lang/{{ a }}",
      '"<>\\^`{|}[]',
      "/lang/%22%3C%3E%5C%5E%60%7B%7C%7D%5B%5D",
    ],
    ["/lang/{{ a }}?x=1", "C#", "/lang/C%23?x=1"],
    ["/{{ a }}#{{ a }}", "C#", "/C%23"],
    ["/v%20{{ a }}", "#", "/v%20%23"],
  ];
  for (const [url, value, expected] of table) {
    assert.equal(
      requested(url, value),
      `http://shop.test/api${expected}`,
      `${url} ${value}`,
    );
  }
});

Deno.test("compileUrl takes a value in a query for data, whatever it holds", () => {
  const table: [url: string, expected: string][] = [
    ["/s?q={{ a }}", "/s?q=a%26b%3Dc%2Fd%3Fe%23f%25%20%2B"],
    ["/s?{{ a }}=1&q={{ b }}", "/s?a%26b%3Dc%2Fd%3Fe%23f%25%20%2B=1&q=%2F"],
    ["?q={{ a }}", "?q=a%26b%3Dc%2Fd%3Fe%23f%25%20%2B"],
  ];
  for (const [url, expected] of table) {
    assert.equal(
      requested(url, "a&b=c/d?e#f% +", "/"),
      `http://shop.test/api${expected}`,
    );
  }
});

Deno.test("compileUrl takes a template that begins the URL for a reference, without its fragment", () => {
  const table: [url: string, values: string[], expected: string][] = [
    [
      "{{ a }}",
      ["/next?page=2&x=%20#top"],
      "http://shop.test/api/next?page=2&x=%20",
    ],
    ["{{ a }}", ["https://other.test/x?y#z"], "https://other.test/x?y"],
    [
      "{{ a }}/{{ b }}",
      ["/items#top", "C#"],
      "http://shop.test/api/items/C%23",
    ],
    [
      "{{ a }}&q={{ b }}",
      ["/items?x=1", "a&b"],
      "http://shop.test/api/items?x=1&q=a%26b",
    ],
    [
      "{{ a }}{{ b }}",
      ["http://other.test", "/x?y"],
      "http://other.test/x%3Fy",
    ],
    ["{{ env.NONE }}{{ a }}", ["/x?y"], "http://shop.test/api/x%3Fy"],
  ];
  for (const [url, values, expected] of table) {
    assert.equal(requested(url, ...values), expected, `${url} ${values}`);
  }
});

Deno.test("compileUrl leaves a value in the host as it is, and takes what follows for path", () => {
  assert.equal(requested("http://{{ a }}/x", "[::1]:8080"), "http://[::1]/x");
  assert.equal(
    requested("http://{{ a }}/x", "bücher.test"),
    "http://xn--bcher-kva.test/x",
  );
  assert.equal(
    requested("http://h.{{ a }}/x", "test:81/a b"),
    "http://h.test/a%20b/x",
  );
  assert.equal(
    requested("https://{{ env.HOST }}/{{ env.C }}"),
    "https://api.test/v1/C%23",
  );
  for (const [value, bad] of [["h#x", "#"], ["h?x/y", "?"]]) {
    assert.throws(() => requested("http://{{ a }}/x", value!), {
      name: "RequestError",
      message:
        `{{ a }} is where a URL has its host, and its value holds \`${bad}\``,
    });
  }
  assert.throws(() => requested("http://{{ a }}/x", "me@evil"), /userinfo/);
});

Deno.test("compileUrl knows a URL of literals and environment before the run", () => {
  assert.equal(compileUrl("/x/{{ env.C }}", NAMES).constant, "/x/C%23");
  assert.equal(compileUrl("/x/{{ a }}", NAMES).constant, undefined);
});

Deno.test("compileUrl gives back from path and query what a value was", () => {
  const row: Row = { get: () => ({ text: "" }) };
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), (value) => {
    const url = compileUrl("/p/{{ a }}/e?q={{ a }}&r=1", NAMES);
    const rendered = url.render({ variables: [value], rows: [row] });
    const { path, query } = resolveUrl(rendered, base);
    assert.equal(decodeURIComponent(path), `/api/p/${value}/e`);
    const [q, r] = query.split("&");
    assert.equal(decodeURIComponent(q!), `q=${value}`);
    assert.equal(r, "r=1");
  }));
});
