import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createHmac } from "node:crypto";
import fc from "fast-check";
import {
  ALGORITHMS,
  CANONICAL_STRING,
  checkSign,
  compileSign,
  ENCODINGS,
  signature,
  signingKey,
} from "../../../../lib/steps/auth/hmac.ts";
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

const BODY = new TextEncoder().encode("{}");
const DIGEST =
  "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";

function signed(sign: string, body: Uint8Array = BODY) {
  const draft = { method: "POST", path: "/a", query: "b=1", body };
  return compileSign(sign)(draft, "17", "k1");
}

Deno.test("compileSign: the canonical string has four placeholders and three line ends", () => {
  deepStrictEqual(signed(CANONICAL_STRING), [`POST\n/a\n17\n${DIGEST}`]);
});

Deno.test("compileSign: text and neighbours are kept as they are", () => {
  deepStrictEqual(signed(""), []);
  deepStrictEqual(signed("fixed"), ["fixed"]);
  deepStrictEqual(signed("a{query}{body}b"), ["ab=1", BODY, "b"]);
});

Deno.test("compileSign: no body has a digest too", () => {
  deepStrictEqual(signed("{body_sha256}", new Uint8Array(0)), [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  ]);
});

const PLACEHOLDERS = [
  ["method", "POST"],
  ["path", "/a"],
  ["query", "b=1"],
  ["body", "", BODY],
  ["body_sha256", DIGEST],
  ["timestamp", "17"],
  ["key_id", "k1"],
] as const;

for (const [name, ...parts] of PLACEHOLDERS) {
  Deno.test(`checkSign: the placeholder {${name}} is known`, () => {
    deepStrictEqual(checkSign(`{${name}}`), []);
    deepStrictEqual(signed(`{${name}}`), parts);
  });
}

const wrong = [
  ["a misspelt placeholder", "{methd}", "`sign` has no placeholder `{methd}`"],
  [
    "white space inside",
    "{ method }",
    "`sign` has no placeholder `{ method }`",
  ],
  ["an empty placeholder", "{}", "`sign` has no placeholder `{}`"],
  [
    "a template",
    "{{ env.X }}",
    "`sign` takes no templates, but it has `{{ env.X }}`",
  ],
  [
    "a brace that is not closed",
    "{method}\n{path",
    "`sign` has a `{` that belongs to no placeholder",
  ],
  [
    "a brace that was not opened",
    "method}",
    "`sign` has a `}` that belongs to no placeholder",
  ],
] as const;

for (const [what, text, message] of wrong) {
  Deno.test(`checkSign: ${what} is named`, () => {
    deepStrictEqual(checkSign(text).map((each) => each.message), [message]);
  });
}
