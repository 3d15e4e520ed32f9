import assert from "node:assert/strict";
import fc from "fast-check";
import { loadEntityNames } from "../../../../lib/results/redact/unescaped.ts";
import { ENCODERS, ESCAPES } from "../../../support/encodings.ts";
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
    fc.array(fc.tuple(encoder, around, around), { maxLength: 2 }),
    (value, layers) => {
      const beside = layers.map(([, before, after]) => before + after).join();
      fc.pre(readable([value], beside, LEAST, 0) === undefined);
      let text = value;
      for (const [how, before, after] of layers) {
        text = ENCODERS[how]!(before + text + after);
      }
      const secrets = secretsOf(value);
      const out = secrets.scrub(text);
      assert.equal(
        readable([value], out, LEAST),
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
    around,
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
