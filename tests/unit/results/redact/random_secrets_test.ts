import assert from "node:assert/strict";
import fc from "fast-check";
import "../../../support/fixed_seed.ts";
import { loadEntityNames } from "../../../../lib/results/redact/unescaped.ts";
import { CASES, ENCODERS, ESCAPES } from "../../../support/encodings.ts";
import { readable } from "../../../support/recoverable.ts";
import { secretsOf } from "./secrets_of.ts";

await loadEntityNames();

const TOKEN =
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/";
const secret = fc.oneof(
  fc.string({
    unit: fc.constantFrom(...TOKEN),
    minLength: 8,
    maxLength: 60,
  }),
  fc.string({ unit: "grapheme-ascii", minLength: 8, maxLength: 40 }),
  fc.string({ unit: "grapheme", minLength: 8, maxLength: 24 }),
  fc.uint8Array({ minLength: 8, maxLength: 32 }).map((bytes) =>
    bytes.toBase64()
  ),
  fc.uint8Array({ minLength: 8, maxLength: 32 }).map((bytes) => bytes.toHex()),
  // Passwords that look encoded, and letters that are two or none in other letters.
  fc.string({
    unit: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...TOKEN) },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          ...["%", "%4", "%41", "&", "&lt;", "&#", "\\", "\\n", "\\u00", "="],
          ...[
            "=3D",
            "xn--",
            "ß",
            "İ",
            "ς",
            "ﬁ",
            "ŉ",
            "é",
            "e\u0301",
            "\0",
            "\x7f",
          ],
          ...[
            "\r\n",
            "\n",
            "\t",
            " ",
            "🔑",
            '"',
            "'",
            "`",
            "\u2026",
            "\u2028",
            "0x",
          ],
        ),
      },
    ),
    minLength: 8,
    maxLength: 30,
  }),
)
  // What is left of text like this says nothing.
  .filter((text) => new Set(text.trim()).size >= 6);
const around = fc.oneof(
  fc.constantFrom("", " ", '"', "user:", "…", "x=", "&", "/a/b/", "%", "\\"),
  fc.string({ unit: "grapheme-ascii", maxLength: 12 }),
  fc.constantFrom("[redacted]"),
);
const encoder = fc.constantFrom(...Object.keys(ENCODERS));

/** So much of a secret is not given away by chance. */
const LEAST = 7;

Deno.test("Secrets.scrub leaves nothing of a random secret in random encodings", () => {
  fc.assert(fc.property(
    secret,
    fc.array(fc.tuple(encoder, around, around), { maxLength: 3 }),
    (value, layers) => {
      const beside = layers.map(([, before, after]) => before + after).join();
      // More of these are not taken off.
      fc.pre(
        layers.filter(([how]) => /CSS|quoted|UTF/.test(how)).length <= 2,
      );
      // Bytes in capitals are others.
      fc.pre(
        !layers.some(([how], n) =>
          Object.hasOwn(CASES, how) &&
          layers.slice(0, n).some(([inner]) => inner.startsWith("UTF"))
        ),
      );
      fc.pre(readable([value], beside, LEAST, 0) === undefined);
      let text = value;
      for (const [how, before, after] of layers) {
        text = ENCODERS[how]!(before + text + after);
      }
      const secrets = secretsOf(value);
      const out = secrets.scrub(text);
      assert.equal(
        readable([value], out, LEAST, Math.max(2, layers.length)),
        undefined,
        JSON.stringify([value, layers, out]),
      );
      assert.equal(secrets.scrub(out), out);
    },
  ));
});

Deno.test("Secrets.scrub leaves nothing of a secret where a text was cut", () => {
  fc.assert(fc.property(
    secret,
    fc.constantFrom(
      ...Object.keys(ESCAPES),
      "base64",
      "base64url",
      "base64 of mail",
      "hex",
      "hex with colons",
      "hex of .NET",
    ),
    // A backslash takes the first character along.
    around.map((text) => text.replace(/\\$/, "\\ ")),
    fc.double({ min: 0.3, max: 1, noNaN: true }),
    fc.constantFrom("end", "ellipsis"),
    (value, how, beside, share, where) => {
      const whole = ENCODERS[how]!(value);
      const length = Math.ceil(whole.length * share);
      const secrets = secretsOf(value);
      const out = where === "end"
        ? secrets.scrub(beside + whole.slice(0, length), true)
        : secrets.scrub(`\`${whole.slice(0, length)}…\`, ${beside}`);
      assert.equal(
        readable([value], out, LEAST),
        undefined,
        JSON.stringify([value, how, where, share, beside, out]),
      );
    },
  ));
});

/** What random cases found: a secret, and a text that it could be read out of. */
const FOUND: readonly (readonly [value: string, text: string])[] = [
  ["AAADpVxZ", "+eJxzdHR0KQiriIouSk1JTC5JTYkFADrKBpQ"],
  ["A=AAAACNHk", "A\\3d AAAACN\\4…"],
  ["AA…AAA%%AA%A%&lt;", "AA…AAA%…"],
  ["&   !'()&", "&amp;   &excl;&apos;&lpar;&rpar;&amp…"],
  ["AAAAAAB+AAAARQ==", "AAAAAAB&PLUS;AAAARQ&EQUALS;&EQUALS;"],
  ['00%     #$"', '%00%     #$\\\\\\"'],
  ["İstanbul-ﬁne-ς", "i%CC%87stanbul-%EF%AC%81ne-%CF%82"],
  ["00 &  ! {$", "%00 &amp;  &excl;…"],
  ["eyJhbGciOiJ", "[101,121,74,104,98,71,9…"],
  ["eyJhbGciOiJ", "0x65, 0x79, 0x4a, 0x68, 0x62, 0x47, 0x63, 0x6…"],
];

Deno.test("Secrets.scrub leaves nothing where random cases found something", () => {
  for (const [value, text] of FOUND) {
    const out = secretsOf(value).scrub(text);
    assert.equal(readable([value], out, 5), undefined, `${text} → ${out}`);
  }
});
