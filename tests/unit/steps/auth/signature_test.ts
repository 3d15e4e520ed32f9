import { strictEqual } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHash, createHmac } from "node:crypto";
import fc from "fast-check";
import {
  ALGORITHMS,
  bodyDigest,
  ENCODINGS,
  signature,
  signingKey,
} from "../../../../lib/steps/auth/signature.ts";
import rfc4231 from "../../../vectors/hmac/rfc4231.json" with { type: "json" };

for (const each of rfc4231.cases) {
  Deno.test(`signature: RFC 4231 ${each.name}`, () => {
    const key = new Uint8Array(Buffer.from(each.key_hex, "hex"));
    const data = new Uint8Array(Buffer.from(each.data_hex, "hex"));
    for (const algorithm of ALGORITHMS) {
      strictEqual(
        signature(signingKey(algorithm, key), [data], "hex"),
        each[`${algorithm}_hex`],
      );
    }
  });
}

Deno.test("signature: any key and message sign as with the platform's HMAC", () => {
  fc.assert(fc.property(
    fc.constantFrom(...ALGORITHMS),
    fc.constantFrom(...ENCODINGS),
    fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.uint8Array({ maxLength: 300 }),
    ),
    fc.array(fc.oneof(fc.string({ unit: "grapheme" }), fc.uint8Array())),
    (algorithm, encoding, key, parts) => {
      const expected = createHmac(algorithm, key);
      for (const part of parts) expected.update(part);
      strictEqual(
        signature(signingKey(algorithm, key), parts, encoding),
        expected.digest(encoding),
      );
    },
  ));
});

Deno.test("signature: keys of a block, and a byte less and more, are distinguished", () => {
  for (const algorithm of ALGORITHMS) {
    for (const length of [0, 63, 64, 65, 127, 128, 129]) {
      const key = new Uint8Array(length).fill(7);
      strictEqual(
        signature(signingKey(algorithm, key), ["m"], "hex"),
        createHmac(algorithm, key).update("m").digest("hex"),
      );
    }
  }
});

Deno.test("bodyDigest: nothing has a digest too", () => {
  const nothing = new Uint8Array();
  strictEqual(
    bodyDigest(nothing),
    createHash("sha256").update(nothing).digest("hex"),
  );
});
