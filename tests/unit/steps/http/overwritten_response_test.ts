import assert from "node:assert/strict";
import { OverwrittenResponse } from "../../../../lib/steps/http/overwritten_response.ts";
import type { HttpResponse } from "../../../../lib/steps/http/response.ts";
import type { StepResponse } from "../../../../lib/model/result/response.ts";
import { httpResponse, wireResponse } from "./wire_response.ts";

/** A response that ended at `end`, before the next one on its connection. */
function passed(end: number, status = 200): HttpResponse {
  const wire = wireResponse(status, { id: end }, { "x-a": "b" });
  const marks = { ...wire.marks, start: end - 2, firstByte: end - 1, end };
  return httpResponse({ ...wire, marks, bytesSent: end, stale: true });
}

/** The parts that a trace shows. */
function shown(response: StepResponse) {
  const { start, dns, connect, tls, firstByte, end } = response.marks;
  return {
    marks: { start, dns, connect, tls, firstByte, end },
    counts: [response.bytesSent, response.bytesReceived, response.status],
    where: [response.origin, response.httpVersion, response.signal],
    request: response.capturedRequest(),
    response: response.capturedResponse(),
    overwritten: response.overwritten,
    headers: response.headers("x-a").length,
    retryAfter: response.retryAfter(),
  };
}

/** The same of a response whose fields can be read no more. */
function shownOf(response: HttpResponse) {
  return shown(Object.assign(response, { headers: () => [] }));
}

Deno.test("HttpResponse.outlasting says what the overwritten response says", () => {
  const small = passed(7).outlasting(undefined);
  assert.ok(small instanceof OverwrittenResponse);
  assert.deepEqual(shown(small), shownOf(passed(7)));
});

Deno.test("HttpResponse.outlasting writes over the response of an earlier iteration", () => {
  const spare = passed(7).outlasting(undefined);
  const next = passed(9, 201).outlasting(spare);
  assert.equal(next, spare);
  assert.deepEqual(shown(next), shownOf(passed(9, 201)));
});

Deno.test("HttpResponse.outlasting leaves a response that is still there, or did not pass", () => {
  const there = httpResponse(wireResponse(200, {}));
  assert.equal(there.outlasting(undefined), there);
  for (const status of [404, 429, 503]) {
    const bad = passed(7, status);
    assert.equal(bad.outlasting(undefined), bad, `${status}`);
  }
});

Deno.test("OverwrittenResponse.pack keeps what responses say while they are written over", () => {
  const responses = [7, 300, 5_000_000_000].map((end) =>
    passed(end).outlasting(undefined)
  );
  const before = responses.map(shown);
  const again = OverwrittenResponse.pack(responses);
  for (const each of responses) passed(1, 204).outlasting(each);
  assert.notDeepEqual(responses.map(shown), before);
  assert.deepEqual(again().map(shown), before);
});
