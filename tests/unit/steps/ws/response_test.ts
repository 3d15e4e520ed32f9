import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { WsFrame } from "../../../../lib/steps/ws/frame.ts";
import { FrameResponse } from "../../../../lib/steps/ws/response.ts";
import { serviceTime } from "../../../../lib/model/result/response.ts";

const frame = (text: string) =>
  new WsFrame(8, true, new TextEncoder().encode(text));

function exchanged(sent: string | undefined, came: WsFrame | undefined) {
  return new FrameResponse({
    start: 5,
    end: 8,
    sent,
    came,
    failure: undefined,
    bytesSent: 10,
    bytesReceived: 20,
    before: undefined,
    samples: undefined,
  }, "full");
}

Deno.test("FrameResponse shows texts as they were on the wire, with their lengths in bytes", () => {
  const text = '{"x":"ä"}';
  const response = exchanged(text, frame(text));
  const message = {
    line: "text frame",
    headers: [],
    body: text,
    body_bytes: 10,
  };
  deepStrictEqual(response.capturedRequest(), message);
  deepStrictEqual(response.capturedResponse(), message);
});

Deno.test("FrameResponse cuts a long text, and says so", () => {
  const text = "x".repeat(200_000);
  const response = exchanged(text, undefined);
  const { body, body_bytes, body_truncated } = response.capturedRequest()!;
  deepStrictEqual([body!.length, body_bytes, body_truncated], [
    131_072,
    200_000,
    true,
  ]);
  const whole = response.capturedRequest({ mostBytes: Infinity, whole: true });
  strictEqual(whole?.body, text);
});

Deno.test("FrameResponse shows a text that begins as compressed bytes do as it is", () => {
  const response = exchanged("x^2 + 1", undefined);
  strictEqual(response.capturedRequest()?.body, "x^2 + 1");
});

Deno.test("FrameResponse counts from the send, and has a first byte when a frame came", () => {
  const came = exchanged("1", frame("1")).marks;
  deepStrictEqual([serviceTime(came), came.start, came.firstByte], [3, 5, 8]);
  const { marks } = exchanged("1", undefined);
  deepStrictEqual([serviceTime(marks), marks.firstByte, marks.dns], [
    3,
    NaN,
    NaN,
  ]);
});

Deno.test("FrameResponse reads JSON anew after its checks", () => {
  const response = exchanged(undefined, frame('{"a": 1}'));
  deepStrictEqual(response.json(), { a: 1 });
  response.checked();
  deepStrictEqual(response.json(), { a: 1 });
});

Deno.test("FrameResponse shows a text frame after its checks as before", () => {
  const text = '{"a": 1}';
  const response = exchanged("1", frame(text));
  const before = [
    ...[response.capturedResponse(), response.bodyText()],
    ...[response.heldBytes, response.marks.firstByte],
  ];
  response.checked();
  deepStrictEqual([
    ...[response.capturedResponse(), response.bodyText()],
    ...[response.heldBytes, response.marks.firstByte],
  ], before);
});

Deno.test("FrameResponse is text of its own once it is checked", () => {
  const bytes = new TextEncoder().encode('{"id":1}');
  const response = exchanged("1", new WsFrame(8, true, bytes));
  response.checked();
  bytes.fill(0);
  deepStrictEqual([response.bodyText(), response.json()], ['{"id":1}', {
    id: 1,
  }]);
});

Deno.test("FrameResponse.of uses a response again that has no more than its own times and texts", () => {
  const exchange = {
    start: 15,
    end: 18,
    sent: "2",
    came: frame("later"),
    failure: undefined,
    bytesSent: 3,
    bytesReceived: 4,
    before: undefined,
    samples: undefined,
  };
  const plain = exchanged("1", frame("first"));
  plain.checked();
  const again = FrameResponse.of(exchange, "full", plain);
  strictEqual(again, plain);
  deepStrictEqual(
    [again.start, again.end, again.bytesSent, again.bytesReceived],
    [15, 18, 3, 4],
  );
  strictEqual(again.capturedRequest()?.body, "2");
  strictEqual(again.bodyText(), "later");
  const failure = { code: "timeout" as const, message: "no frame in time" };
  const failed = new FrameResponse({ ...exchange, failure }, "full");
  for (
    const made of [
      FrameResponse.of(exchange, "full", failed),
      FrameResponse.of(exchange, "none", plain),
      FrameResponse.of({ ...exchange, failure }, "full", plain),
      FrameResponse.of({ ...exchange, samples: [1, 2] }, "full", plain),
      FrameResponse.of(exchange, "full", undefined),
    ]
  ) strictEqual(made === failed || made === plain, false);
});
