import assert from "node:assert/strict";
import { loadEntityNames } from "../../../../lib/results/redact/entities.ts";
import { MARK } from "../../../../lib/results/redact/secrets.ts";
import { ENCODERS } from "../../../support/encodings.ts";
import { readable } from "../../../support/recoverable.ts";
import { secretsOf } from "./secrets_of.ts";

await loadEntityNames();

const VALUES = [
  "hunter2",
  "p/ä s+s\"w\\d%&<'>=",
  "日本 語/🔑 und €",
  "a b/c==",
  "~!*'()-_.`^|{}[]@#$;:,?",
  "line one\nline two\r\nline three",
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.dozjgNryP4J3jVmNHl0w5N",
  "DEADbeef00112233445566778899aabb",
  "100%41&lt;\\u0041=41",
];

for (const value of VALUES) {
  Deno.test(`Secrets.scrub hides ${JSON.stringify(value)} in every encoding`, () => {
    const secrets = secretsOf(value);
    for (const [how, encode] of Object.entries(ENCODERS)) {
      assert.equal(
        secrets.scrub(`before ${encode(value)} after`),
        `before ${MARK} after`,
        how,
      );
    }
  });

  Deno.test(`Secrets.scrub hides ${JSON.stringify(value)} in every pair of encodings`, () => {
    const secrets = secretsOf(value);
    for (const [inner, encodeInner] of Object.entries(ENCODERS)) {
      for (const [outer, encodeOuter] of Object.entries(ENCODERS)) {
        const text = `before ${encodeOuter(`<${encodeInner(value)}>`)} after`;
        const out = secrets.scrub(text);
        const left = readable([value], out, Math.min(6, value.length));
        assert.equal(
          left,
          undefined,
          `${inner}, then ${outer}: ${text} → ${out}`,
        );
        assert.ok(
          out.includes(MARK),
          `${inner}, then ${outer}: ${text} → ${out}`,
        );
      }
    }
  });
}
