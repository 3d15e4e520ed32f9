import { deepStrictEqual, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { WsFrame } from "../../../../lib/steps/ws/frame.ts";
import { FrameText } from "../../../../lib/steps/ws/frame_text.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);
const frame = (text: string) => {
  const bytes = bytesOf(`..${text}..`);
  return new WsFrame(0, true, bytes, 2, bytes.length - 2);
};

Deno.test("FrameText holds the latest text that it took, whatever others take", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 40 });
  const taken = fc.array(fc.tuple(fc.nat(4), text), { maxLength: 60 });
  fc.assert(fc.property(taken, (all) => {
    const texts = Array.from({ length: 5 }, () => new FrameText());
    const expected = texts.map(() => "");
    for (const [at, each] of all) {
      texts[at]!.take(frame(each));
      expected[at] = each;
    }
    deepStrictEqual(texts.map((each) => each.decode()), expected);
  }));
});

Deno.test("FrameText takes no text of more than 1,024 bytes, and keeps what it has", () => {
  const text = new FrameText();
  strictEqual(text.take(frame("a".repeat(1_024))), true);
  strictEqual(text.take(frame("b".repeat(1_025))), false);
  deepStrictEqual([text.length, text.decode()], [1_024, "a".repeat(1_024)]);
});

Deno.test("FrameText copies its bytes behind others, and says where they end", () => {
  const text = new FrameText();
  text.take(frame("é1"));
  const bytes = new Uint8Array(6);
  strictEqual(text.copyTo(bytes, 2), 5);
  deepStrictEqual(bytes, new Uint8Array([0, 0, ...bytesOf("é1"), 0]));
});
