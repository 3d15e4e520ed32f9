import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { HttpResponse } from "../../../../lib/steps/http/response.ts";
import { SENT, wireResponse } from "./wire_response.ts";

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
