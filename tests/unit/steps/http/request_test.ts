import assert from "node:assert/strict";
import {
  compileText,
  type Names,
  type Scope,
} from "../../../../lib/language/expressions/template.ts";
import type { RequestDraft } from "../../../../lib/steps/auth/scheme.ts";
import { compilePayload } from "../../../../lib/language/expressions/payload.ts";
import { jsonBody } from "../../../../lib/steps/http/body.ts";
import type { HttpBlock } from "../../../../lib/steps/http/block.ts";
import { prepareRequest } from "../../../../lib/steps/http/request.ts";
import type { OpenTools } from "../../../../lib/steps/protocol.ts";
import { CookieJar } from "../../../../lib/steps/cookie_jar.ts";
import { parseBaseUrl, resolveUrl } from "../../../../lib/wire/net/url.ts";

const NAMES: Names = {
  variables: new Map([["token", 0]]),
  pools: new Map(),
  env: new Map([["REGION", "eu"], ["NONE", ""], ["TWO", "a; b=1"]]),
};
const EMPTY: Scope = { variables: [], rows: [] };

function prepare(
  block: HttpBlock,
  authorizer?: OpenTools["authorizer"],
  keepsCookies = false,
) {
  const body = block.body === undefined
    ? undefined
    : jsonBody(compilePayload(block.body, NAMES));
  const tools: OpenTools = {
    names: NAMES,
    base: parseBaseUrl("http://shop.test:8080/api"),
    authorizer,
    timeoutMs: 1_000,
    userAgent: "bench/test",
    seed: 1,
    position: 0,
    keepsCookies,
    capture: "full",
    wall: () => 0,
    files: { directory: ".", readBytes: () => new Uint8Array(0) },
  };
  return prepareRequest(block, tools, body);
}

function text(block: HttpBlock, scope = EMPTY): string {
  return new TextDecoder().decode(prepare(block)(scope).http1());
}

const HOST = "Host: shop.test:8080\r\n";
const AGENT = "User-Agent: bench/test\r\n";

Deno.test("prepareRequest adds a VU's cookies, and makes a request anew only when they change", () => {
  const url = resolveUrl("/", parseBaseUrl("http://shop.test:8080/api"));
  const make = prepare({ method: "GET", url: "/items" }, undefined, true);
  const jar = new CookieJar(() => 0);
  const none = make(EMPTY, jar);
  assert.equal(make(EMPTY), none);
  jar.take(["a=1; Path=/"], url);
  const one = make(EMPTY, jar);
  const sent = new TextDecoder().decode(one.http1());
  assert.equal(
    sent,
    `GET /api/items HTTP/1.1\r\n${HOST}Cookie: a=1\r\n${AGENT}\r\n`,
  );
  assert.equal(make(EMPTY, jar), one);
  jar.take(["a=2; Path=/"], url);
  const two = make(EMPTY, jar);
  assert.match(new TextDecoder().decode(two.http1()), /Cookie: a=2\r\n/);
  assert.equal(one.http1().buffer, two.http1().buffer, "VUs share a block");
  assert.deepEqual(one.message("1.1"), {
    line: "GET /api/items HTTP/1.1",
    headers: [
      ["Host", "shop.test:8080"],
      ["Cookie", "a=1"],
      ["User-Agent", "bench/test"],
    ],
    body: new Uint8Array(0),
  });
  assert.equal(one.http2(), one.http2());
  assert.deepEqual(one.message("2").headers, [
    ["cookie", "a=1"],
    ["user-agent", "bench/test"],
  ]);
  // Another VU has none of it.
  assert.equal(make(EMPTY, new CookieJar(() => 0)), none);
  const elsewhere = prepare(
    { method: "GET", url: "http://other.test/" },
    undefined,
    true,
  );
  assert.doesNotMatch(
    new TextDecoder().decode(elsewhere(EMPTY, jar).http1()),
    /Cookie/,
  );
});

Deno.test("prepareRequest puts these bytes on the wire", () => {
  const json = "Content-Type: application/json\r\n";
  const table: [says: string, block: HttpBlock, expected: string][] = [
    [
      "joined to the base, with the defaults",
      { method: "GET", url: "/items" },
      `GET /api/items HTTP/1.1\r\n${HOST}${AGENT}\r\n`,
    ],
    [
      "declared fields are sorted, before the defaults",
      { method: "GET", url: "/", headers: { "X-B": "2", "X-A": "1" } },
      `GET /api/ HTTP/1.1\r\n${HOST}X-A: 1\r\nX-B: 2\r\n${AGENT}\r\n`,
    ],
    [
      "a declared field takes the place of its default, in any letter case",
      { method: "GET", url: "/", headers: { "user-agent": "me" } },
      `GET /api/ HTTP/1.1\r\n${HOST}user-agent: me\r\n\r\n`,
    ],
    [
      "a field declared empty is not sent at all",
      { method: "GET", url: "/", headers: { "User-Agent": "" } },
      `GET /api/ HTTP/1.1\r\n${HOST}\r\n`,
    ],
    [
      "a body is canonical JSON, measured in bytes",
      { method: "POST", url: "/", body: { b: 1, a: "é" } },
      `POST /api/ HTTP/1.1\r\n${HOST}${AGENT}${json}Content-Length: 16\r\n\r\n{"a":"é","b":1}`,
    ],
    [
      "an empty body is said where one may be expected",
      { method: "PUT", url: "/" },
      `PUT /api/ HTTP/1.1\r\n${HOST}${AGENT}Content-Length: 0\r\n\r\n`,
    ],
    [
      "query values are encoded, a list repeats its key",
      { method: "GET", url: "/?x=1", query: { q: "a b&c", id: ["1", "2"] } },
      `GET /api/?x=1&id=1&id=2&q=a%20b%26c HTTP/1.1\r\n${HOST}${AGENT}\r\n`,
    ],
    [
      "a query that ends in `&` gets no second one",
      { method: "GET", url: "/n?a=1&", query: { b: "2" } },
      `GET /api/n?a=1&b=2 HTTP/1.1\r\n${HOST}${AGENT}\r\n`,
    ],
    [
      "a field that the environment makes empty is not sent",
      {
        method: "GET",
        url: "/",
        headers: { "User-Agent": "{{ env.NONE }}", "X-A": "{{ env.NONE }}" },
      },
      `GET /api/ HTTP/1.1\r\n${HOST}\r\n`,
    ],
    [
      "environment values are filled in",
      { method: "GET", url: "/{{ env.REGION }}" },
      `GET /api/eu HTTP/1.1\r\n${HOST}${AGENT}\r\n`,
    ],
  ];
  for (const [says, block, expected] of table) {
    assert.equal(text(block), expected, says);
  }
});

Deno.test("prepareRequest makes constant bytes once, and others for each scope", () => {
  const constant = prepare({ method: "GET", url: "/" });
  assert.equal(constant(EMPTY), constant(EMPTY));
  const block: HttpBlock = { method: "GET", url: "/{{ token }}" };
  assert.match(text(block, { variables: ["a"], rows: [] }), /^GET \/api\/a /);
  assert.match(text(block, { variables: ["b"], rows: [] }), /^GET \/api\/b /);
});

Deno.test("prepareRequest never lets a value forge a field", () => {
  const block: HttpBlock = {
    method: "GET",
    url: "/",
    headers: { "X-Id": "{{ token }}" },
  };
  const make = prepare(block);
  for (const value of ["a\r\nX-Evil: 1", "a\nb", "a\0b"]) {
    assert.throws(
      () => make({ variables: [value], rows: [] }),
      { name: "RequestError", message: /X-Id/ },
      JSON.stringify(value),
    );
  }
});

Deno.test("prepareRequest leaves out a field that an iteration makes empty, in HTTP/2 too", () => {
  const headers = { "User-Agent": "{{ token }}", "X-A": "a{{ token }}" };
  const make = prepare({ method: "GET", url: "/", headers });
  const request = make({ variables: [""], rows: [] });
  assert.equal(
    new TextDecoder().decode(request.http1()),
    `GET /api/ HTTP/1.1\r\n${HOST}X-A: a\r\n\r\n`,
  );
  assert.deepEqual(request.message("2").headers, [["x-a", "a"]]);
});

Deno.test("prepareRequest lets no value begin another cookie", () => {
  const sends = (cookie: string, value = "") =>
    text({ method: "GET", url: "/", headers: { cookie } }, {
      variables: [value],
      rows: [],
    });
  const refused = {
    name: "RequestError",
    message: /holds `;`, which would begin another cookie/,
  };
  assert.throws(() => sends("a=1; sid={{ token }}", "x; admin=1"), refused);
  assert.throws(() => sends("sid=<{{ env.TWO }}>"), refused);
  const value = compileText("{{ env.TWO }}", NAMES);
  const auth = { cookie: ["sid", value] as const };
  assert.throws(() => prepare({ method: "GET", url: "/" }, auth), refused);
  // Whole headers are lists, and other characters are the server's to judge.
  assert.match(
    sends("{{ env.TWO }}; c={{ token }}", 'x,"y z\\'),
    /cookie: a; b=1; c=x,"y z\\\r\n/,
  );
});

Deno.test("prepareRequest signs each attempt anew", () => {
  let count = 0;
  const make = prepare(
    { method: "GET", url: "/a?b=1" },
    {
      headers: [],
      query: [],
      sign(draft: RequestDraft) {
        assert.deepEqual(
          [draft.method, draft.path, draft.query],
          ["GET", "/api/a", "b=1"],
        );
        return [["X-Signature", `s${++count}`]];
      },
    },
  );
  const decoder = new TextDecoder();
  assert.match(decoder.decode(make(EMPTY).http1()), /X-Signature: s1\r\n/);
  assert.match(decoder.decode(make(EMPTY).http1()), /X-Signature: s2\r\n/);
});
