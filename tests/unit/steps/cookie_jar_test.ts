import { deepStrictEqual, equal } from "node:assert/strict";
import { CookieJar } from "../../../lib/steps/cookie_jar.ts";
import { parseBaseUrl, resolveUrl } from "../../../lib/wire/net/url.ts";

const BASE = parseBaseUrl("http://www.shop.example");
const at = (url: string) => resolveUrl(url, BASE);

/** What a jar sends to each URL once these lines came from the first. */
function sent(from: string, lines: string[], to: string) {
  const jar = new CookieJar(() => 0);
  jar.take(lines, at(from));
  return jar.field(at(to));
}

Deno.test("a cookie goes where RFC 6265 sends it", () => {
  const www = "https://www.shop.example";
  const cases: [from: string, line: string, to: string, sent: string][] = [
    [www, "a=1", `${www}/any/where`, "a=1"],
    [www, 'a="b c"; HttpOnly; SameSite=Strict', www, 'a="b c"'],
    [www, "a=1=2==", www, "a=1=2=="],
    [www, "a=café", www, "a=café"],
    // The host alone, whatever its port.
    [www, "a=1", "https://www.shop.example:8443/", "a=1"],
    [www, "a=1", "https://shop.example/", ""],
    [www, "a=1", "https://api.www.shop.example/", ""],
    // A domain and what is below it.
    [www, "a=1; Domain=shop.example", "https://api.shop.example/", "a=1"],
    [www, "a=1; Domain=.SHOP.example", "https://shop.example/", "a=1"],
    [www, "a=1; Domain=shop.example", "https://badshop.example/", ""],
    [www, "a=1; Domain=api.shop.example", "https://api.shop.example/", ""],
    [www, "a=1; Domain=example", "https://other.example/", ""],
    ["https://a.co.uk", "a=1; Domain=co.uk", "https://b.co.uk/", ""],
    ["http://127.0.0.1", "a=1; Domain=127.0.0.1", "http://127.0.0.1:8/", "a=1"],
    ["http://127.0.0.1", "a=1; Domain=0.0.1", "http://127.0.0.1/", ""],
    ["http://localhost", "a=1; Domain=localhost", "http://localhost/", "a=1"],
    ["http://[::1]", "a=1", "http://[::1]:99/", "a=1"],
    // The path, by default that of the request up to its last slash.
    [`${www}/account/login`, "a=1", `${www}/account/orders`, "a=1"],
    [`${www}/account/login`, "a=1", `${www}/account`, "a=1"],
    [`${www}/account/login`, "a=1", `${www}/`, ""],
    [www, "a=1; Path=/shop", `${www}/shop/x?y`, "a=1"],
    [www, "a=1; Path=/shop", `${www}/shopping`, ""],
    [www, "a=1; Path=shop", `${www}/`, "a=1"],
    // Transport.
    [www, "a=1; Secure", "http://www.shop.example/", ""],
    [www, "a=1; Secure", "wss://www.shop.example/", "a=1"],
    [www, "a=1", "ws://www.shop.example/", "a=1"],
    ["http://www.shop.example", "a=1; Secure", www, ""],
    ["http://127.0.0.1", "a=1; Secure", "http://127.0.0.1/", "a=1"],
    // Prefixes (RFC 6265bis).
    [www, "__Host-a=1; Secure; Path=/", www, "__Host-a=1"],
    [www, "__Host-a=1; Secure; Path=/; Domain=shop.example", www, ""],
    [www, "__Secure-a=1", www, ""],
    // What is no cookie.
    [www, "nothing", www, ""],
    [www, "", www, ""],
    [www, `a=${"x".repeat(5_000)}`, www, ""],
  ];
  for (const [from, line, to, expected] of cases) {
    equal(sent(from, [line], to), expected, `${from}: ${line} -> ${to}`);
  }
});

Deno.test("a cookie lives as long as it says", () => {
  let now = Date.UTC(2026, 0, 1);
  const jar = new CookieJar(() => now);
  const home = at("/");
  const day = 24 * 3_600_000;
  jar.take([
    "session=1",
    "short=1; Max-Age=60",
    "date=1; Expires=Fri, 02 Jan 2026 00:00:00 GMT",
    "both=1; Max-Age=60; Expires=Fri, 02 Jan 2026 00:00:00 GMT",
    "gone=1; Max-Age=0",
    "old=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT",
    "odd=1; Expires=soon",
  ], home);
  const names = () =>
    jar.field(home).split("; ").map((each) => each.split("=")[0]);
  deepStrictEqual(names(), ["session", "short", "date", "both", "odd"]);
  now += 61_000;
  deepStrictEqual(names(), ["session", "date", "odd"]);
  now += day;
  deepStrictEqual(names(), ["session", "odd"]);
  jar.take(["session=; Max-Age=-1"], home);
  deepStrictEqual(names(), ["odd"]);
  jar.clear();
  equal(jar.field(home), "");
});

Deno.test("a cookie replaces the one of its name, domain and path; longer paths go first", () => {
  const jar = new CookieJar(() => 0);
  jar.take(["a=1; Path=/", "b=1; Path=/", "c=1; Path=/x/y"], at("/"));
  jar.take(["a=2; Path=/", "b=2; Path=/x"], at("/"));
  equal(jar.field(at("/x/y/z")), "c=1; b=2; a=2; b=1");
});

Deno.test("values of cookies that are named like a session's are secrets from one clearing to the next", () => {
  const jar = new CookieJar(() => 0);
  const first = ['sid="quoted-1"', "theme=very-dark", "auth=yes"];
  jar.take([...first, "old_session=expired-1; Max-Age=0"], at("/"));
  deepStrictEqual(jar.secrets, ["quoted-1"]);
  jar.take(["sid=rolled-over", "sid=rolled-over", "jwt=a.b.c-d-e"], at("/"));
  deepStrictEqual(jar.secrets, ["quoted-1", "rolled-over", "a.b.c-d-e"]);
  jar.renew();
  deepStrictEqual(jar.secrets, ["rolled-over", "a.b.c-d-e"]);
  jar.clear();
  equal(jar.secrets, undefined);
});

Deno.test("what a step sends itself goes before what is kept, by name", () => {
  const jar = new CookieJar(() => 0);
  jar.take(["a=1", "b=1"], at("/"));
  equal(jar.field(at("/"), "b=own; c=3"), "b=own; c=3; a=1");
  equal(new CookieJar(() => 0).field(at("/"), "b=own"), "b=own");
});

Deno.test("a jar does not grow without end", () => {
  const jar = new CookieJar(() => 0);
  jar.take(Array.from({ length: 1_000 }, (_, n) => `n${n}=1`), at("/"));
  equal(jar.field(at("/")).split("; ").length, 180);
});

Deno.test("the cookie that was set longest ago makes room in a jar that is full", () => {
  const jar = new CookieJar(() => 0);
  const set = (n: number) => jar.take([`n${n}=1`], at("/"));
  for (let n = 0; n < 180; n++) set(n);
  set(0);
  jar.take(["session=1"], at("/"));
  const names = jar.field(at("/")).split("; ").map((pair) =>
    pair.split("=")[0]
  );
  deepStrictEqual(names.slice(0, 2), ["n0", "n2"]);
  deepStrictEqual(names.slice(-2), ["n179", "session"]);
});

Deno.test("cookies that have expired make room in a jar that is full", () => {
  let now = 0;
  const jar = new CookieJar(() => now);
  jar.take(
    Array.from({ length: 180 }, (_, n) => `n${n}=1; Max-Age=9`),
    at("/"),
  );
  now = 10_000;
  jar.take(["session=1"], at("/"));
  equal(jar.field(at("/")), "session=1");
});
