import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { JsonSearch } from "../../../../lib/base/values/json_search.ts";
import { HttpResponse } from "../../../../lib/steps/http/response.ts";
import { httpResponse, SENT, wireResponse } from "./wire_response.ts";

Deno.test("HttpResponse: a date to retry after is a wait from when the response came, also for a trace that is built later", () => {
  let now = Date.UTC(2030, 0, 1);
  const date = new Date(now + 5_000).toUTCString();
  const wire = wireResponse(503, {}, { "Retry-After": date });
  const response = new HttpResponse(wire, SENT, () => now, "full");
  strictEqual(response.retryAfter(), 5_000);
  response.detach();
  now += 60_000;
  response.detach();
  strictEqual(response.retryAfter(), 5_000);
});

Deno.test("HttpResponse says what it takes in memory, unless a small body may be a huge one", () => {
  const wire = wireResponse(200, "hello");
  const plain = new HttpResponse(wire, SENT, () => 0, "full");
  const coded = new HttpResponse(wire, SENT, () => 0, "full", undefined, {
    bytes: new TextEncoder().encode("hello"),
  });
  deepStrictEqual([plain.heldBytes, coded.heldBytes], [15, Infinity]);
});

Deno.test("HttpResponse reads a bare word or number as JSON only where its media type says JSON, or there is none", () => {
  const types = {
    json: [
      undefined,
      "",
      "application/json",
      "Application/JSON; charset=utf-8",
      "text/json",
      "application/problem+json",
    ],
    text: ["text/plain", "text/plain; charset=utf-8", "application/xml"],
  };
  const bodies: [body: string, json: unknown][] = [
    ["1.10", 1.1],
    ["1234e56", 1.234e59],
    ["0e1234", 0],
    ["true", true],
    ["null", null],
    ['"quoted"', "quoted"],
    ["12345678901234567890", 12345678901234567890n],
  ];
  const responseOf = (body: string, type: string | undefined) =>
    new HttpResponse(
      wireResponse(
        200,
        body,
        type === undefined ? {} : { "content-type": type },
      ),
      SENT,
      () => 0,
      "full",
    );
  for (const [body, json] of bodies) {
    for (const type of types.json) {
      const response = responseOf(body, type);
      deepStrictEqual([response.json(), response.text()], [json, undefined]);
    }
    for (const type of types.text) {
      const response = responseOf(body, type);
      deepStrictEqual([response.json(), response.text()], [undefined, body]);
      strictEqual(response.bodyFailure, undefined);
    }
  }
  for (const type of [...types.json, ...types.text]) {
    deepStrictEqual(responseOf(' {"n": 1.10}', type).json(), { n: 1.1 });
    deepStrictEqual(responseOf("[1]", type).json(), [1]);
  }
});

Deno.test("HttpResponse.searched: responses that share a search each find their own values", () => {
  const search = new JsonSearch();
  const id = search.add(["id"]);
  const [one, two] = [1, 2].map((value) =>
    httpResponse(wireResponse(200, { id: value }))
  );
  const found = [one!, two!, two!, one!].map((response) =>
    response.searched(search) && search.value(id)
  );
  deepStrictEqual(found, [1, 2, 2, 1]);
});

Deno.test("HttpResponse.searched looks again once it was checked, and leaves to `json` what was read", () => {
  const search = new JsonSearch();
  const id = search.add(["id"]);
  const wire = wireResponse(200, { id: 1 });
  const response = httpResponse(wire);
  strictEqual(response.searched(search), true);
  response.checked();
  (wire.body as Uint8Array).set(new TextEncoder().encode('{"id":7}'));
  strictEqual(response.searched(search) && search.value(id), 7);
  deepStrictEqual(response.json(), { id: 7 });
  strictEqual(response.searched(search), false);
});

Deno.test("HttpResponse.searched: a body that was compressed is searched as decoded", () => {
  const search = new JsonSearch();
  const id = search.add(["id"]);
  const response = new HttpResponse(
    wireResponse(200, "no JSON"),
    SENT,
    () => 0,
    "full",
    undefined,
    { bytes: new TextEncoder().encode('{"id":"decoded"}') },
  );
  strictEqual(response.searched(search) && search.value(id), "decoded");
});
