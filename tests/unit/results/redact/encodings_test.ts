import assert from "node:assert/strict";
import { loadEntityNames } from "../../../../lib/results/redact/unescaped.ts";
import { MARK } from "../../../../lib/results/redact/secrets.ts";
import { CASES, ENCODERS } from "../../../support/encodings.ts";
import { readable } from "../../../support/recoverable.ts";
import { secretsOf, withheld } from "./secrets_of.ts";

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
  // A letter that is two in capitals, and a backslash that takes what follows along.
  'Gr0ße "Pläne" & <Wörter>/+=%?\\',
];

/** Digits and escapes are not the same in other letters. */
const OUTER = Object.entries(ENCODERS).filter(([how]) =>
  !Object.hasOwn(CASES, how)
);

type AssertHidden = (text: string, how: string) => void;

/** Asserts that all of a text is withheld, or that what is left of it says nothing. */
function hiding(value: string): AssertHidden {
  const secrets = secretsOf(value);
  const sayNothing = new Set<string>();
  return (text, how) => {
    const out = secrets.scrub(text);
    if (sayNothing.has(out) || out === withheld(text)) return;
    const left = readable([value], out, Math.min(6, value.length));
    const seen = `${how}: ${text} → ${out}`;
    assert.equal(left, undefined, seen);
    assert.ok(out.includes(MARK), seen);
    sayNothing.add(out);
  };
}

for (const value of VALUES) {
  const assertHidden = hiding(value);

  Deno.test(`Secrets.scrub hides ${JSON.stringify(value)} in every encoding`, () => {
    for (const [how, encode] of Object.entries(ENCODERS)) {
      assertHidden(`before ${encode(value)} after`, how);
    }
  });

  Deno.test(`Secrets.scrub hides ${JSON.stringify(value)} in every pair of encodings`, () => {
    for (const [inner, encodeInner] of Object.entries(ENCODERS)) {
      for (const [outer, encodeOuter] of OUTER) {
        for (const [left, right] of [["<", ">"], ['"', ""]]) {
          const text = encodeOuter(left + encodeInner(value) + right);
          const how = `${inner}, then ${outer} with ${left}`;
          assertHidden(`before ${text} after`, how);
        }
      }
    }
  });
}

/** Forms that are replaced where they stand: nothing else is lost. */
const IN_PLACE = [
  "as it is",
  "encodeURIComponent",
  "encodeURIComponent, lower case",
  "form",
  "JSON",
  "HTML",
  "base64",
  "base64 without padding",
  "base64url",
  "base32",
  "hex",
  "hex, mixed case",
  "upper case",
  "lower case",
  "UTF-8 read as Latin-1",
];

for (const how of IN_PLACE) {
  Deno.test(`Secrets.scrub replaces a secret in place: ${how}`, () => {
    for (const value of VALUES) {
      assert.equal(
        secretsOf(value).scrub(`before ${ENCODERS[how]!(value)} after`),
        `before ${MARK} after`,
        value,
      );
    }
  });
}
