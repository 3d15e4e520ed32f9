import { strictEqual } from "node:assert/strict";
import { FrameWatch } from "../../../../lib/wire/http2/frame_watch.ts";
import { frame, joined, reset } from "../../../support/raw_http2.ts";

const BYTES = joined(
  frame(4, 0, 0, new Uint8Array(18)),
  frame(1, 4, 1, new Uint8Array(40)),
  frame(0, 0, 1, new Uint8Array(300).fill(3)),
  frame(9, 4, 1, new Uint8Array(7)),
  reset(1, 11),
  frame(6, 0, 0, new Uint8Array(8)),
);

Deno.test("FrameWatch finds resets and the length of header blocks, however the bytes are cut", () => {
  for (const size of [1, 2, 7, 9, 13, 100, BYTES.length]) {
    const watch = new FrameWatch();
    for (let at = 0; at < BYTES.length; at += size) {
      watch.see(BYTES.subarray(at, at + size));
    }
    strictEqual(watch.resetOf(1), 11, `pieces of ${size}`);
    strictEqual(watch.resetOf(3), undefined);
    strictEqual(watch.headerBytes, 47, `pieces of ${size}`);
    watch.begin();
    strictEqual(watch.headerBytes, 0);
    strictEqual(watch.resetOf(1), undefined);
  }
});
