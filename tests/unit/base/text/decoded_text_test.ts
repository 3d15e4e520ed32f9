import { equal } from "node:assert/strict";
import { decodedText } from "../../../../lib/base/text/decoded_text.ts";

function utf16(text: string, littleEndian: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(2 * text.length));
  for (let at = 0; at < text.length; at++) {
    view.setUint16(2 * at, text.charCodeAt(at), littleEndian);
  }
  return new Uint8Array(view.buffer);
}

Deno.test("decodedText: UTF-16 with its mark is read, and the mark is dropped", () => {
  equal(decodedText(utf16("\ufeffé", true)), "é");
  equal(decodedText(utf16("\ufeffé", false)), "é");
});

Deno.test("decodedText: all else is UTF-8, its mark dropped too", () => {
  equal(decodedText(new TextEncoder().encode("\ufeffé")), "é");
  equal(decodedText(new Uint8Array()), "");
  equal(decodedText(Uint8Array.of(0xff)), "\ufffd");
});
