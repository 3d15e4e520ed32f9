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
