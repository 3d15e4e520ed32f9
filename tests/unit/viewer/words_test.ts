import { strictEqual } from "node:assert/strict";
import { bytesText, rateText } from "../../../viewer/model/words.ts";

Deno.test("rateText has two digits below 10, one below 100 and none from there on", () => {
  for (
    const [perSecond, text] of [
      [0, "0/s"],
      [0.123, "0.12/s"],
      [9.876, "9.88/s"],
      [9.994, "9.99/s"],
      [10, "10/s"],
      [10.04, "10/s"],
      [10.06, "10.1/s"],
      [99.94, "99.9/s"],
      [100.4, "100/s"],
      [100.6, "101/s"],
      [1_204.4, "1,204/s"],
    ] as const
  ) strictEqual(rateText(perSecond), text);
});

Deno.test("bytesText changes its unit at 1024, and has a digit below 100", () => {
  for (
    const [bytes, text] of [
      [1_023, "1023 B"],
      [1_024, "1 KiB"],
      [99.96 * 1_024, "100 KiB"],
      [99.94 * 1_024, "99.9 KiB"],
      [100.4 * 1_024, "100 KiB"],
      [1_024 ** 2, "1 MiB"],
      [1_024 ** 5, "1024 TiB"],
    ] as const
  ) strictEqual(bytesText(bytes), text);
});
