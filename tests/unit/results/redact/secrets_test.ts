import assert from "node:assert/strict";
import fc from "fast-check";
import { MARK } from "../../../../lib/results/redact/secrets.ts";
import { secretsOf } from "./secrets_of.ts";

Deno.test("Secrets.scrub hides a secret inside a longer base64 text at any alignment", () => {
  for (const value of ["s3cret", "hunter2!", "a-longer-token-0123456789"]) {
    const secrets = secretsOf(value);
    for (const before of ["", "u", "us", "use", "user:"]) {
      const out = secrets.scrub(btoa(`${before}${value}:tail`));
      assert.ok(out.includes(MARK), `${value} after ${before || "nothing"}`);
      const left = out.split(MARK).map((each) => each.length);
      assert.ok(left[0]! <= Math.ceil(before.length * 8 / 6), out);
    }
  }
});

Deno.test("Secrets.scrub is idempotent", () => {
  const piece = fc.oneof(
    fc.constantFrom("[", "]", "red", "redacted", MARK, "a[", "]b", "ab"),
    fc.string({ maxLength: 3 }),
  );
  fc.assert(fc.property(
    fc.array(piece, { maxLength: 4 }),
    fc.array(piece, { maxLength: 8 }),
    (values, text) => {
      const secrets = secretsOf(...values);
      const once = secrets.scrub(text.join(""));
      assert.equal(secrets.scrub(once), once);
    },
  ));
});

const OVERLAPS = [
  [
    "the longer of two at one position",
    ["abc", "abcdef"],
    "xabcdefx",
    `x${MARK}x`,
  ],
  ["the shorter alone", ["abc", "abcdef"], "xabcdex", `x${MARK}dex`],
  ["one inside another", ["secret", "my-secret-key"], "my-secret-key", MARK],
  [
    "overlapping ones as one stretch",
    ["abcd", "cdef"],
    "_abcdef_",
    `_${MARK}_`,
  ],
  ["neighbours one by one", ["abcd", "efgh"], "abcdefgh", MARK + MARK],
  [
    "a secret that is part of the mark",
    ["redacted"],
    `redacted ${MARK}`,
    `${MARK} ${MARK}`,
  ],
  [
    "a secret that holds the mark",
    [`x${MARK}y`, "key"],
    `x${MARK}y xkeyy`,
    `${MARK} ${MARK}`,
  ],
  ["one character", ["k"], "ok", `o${MARK}`],
  ["nothing when the only secret is empty", [""], "a b", "a b"],
] as const;

for (const [rule, values, text, expected] of OVERLAPS) {
  Deno.test(`Secrets.scrub hides ${rule}`, () => {
    assert.equal(secretsOf(...values).scrub(text), expected);
  });
}

Deno.test("Secrets.scrub hides the beginning of a secret where the text was cut", () => {
  const secrets = secretsOf("a-long-token");
  const cut = (text: string) =>
    secrets.scrub(text, { start: false, end: true });
  assert.equal(cut("Bearer a-long-t"), `Bearer ${MARK}`);
  assert.equal(cut("Bearer a-l"), "Bearer a-l");
  assert.equal(cut("a-long-token"), MARK);
});

Deno.test("Secrets.scrub hides a part of a secret on either side of an ellipsis", () => {
  const secrets = secretsOf("a-long-token");
  assert.equal(
    secrets.scrub("`a-long-t…`, not a number"),
    `\`${MARK}…\`, not a number`,
  );
  assert.equal(secrets.scrub("…ng-token."), `…${MARK}.`);
  assert.equal(secrets.scrub("a list of a-l…"), "a list of a-l…");
});

const REWRITTEN = [
  ["trimmed", "  spaced out\t", "spaced out"],
  ["with other line ends", "one line\r\ntwo", "one line\ntwo"],
  ["without its padding", "c2VjcmV0IGtleQ==", "c2VjcmV0IGtleQ"],
  ["in the other alphabet of base64", "_-7dzLuqmYh3Zg", "/+7dzLuqmYh3Zg=="],
  ["decoded and encoded anew", "_-7dzLuqmYh3Zg", "ffeeddccbbaa99887766"],
  ["in the other letter case of hex", "deadbeef01234567", "DEADBEEF01234567"],
  ["as hex with colons", "deadbeef01", "de:ad:be:ef:01"],
  ["as a host name", "Tenant-A.Example", "tenant-a.example"],
  ["in punycode", "Bücher.Example", "xn--bcher-kva.example"],
  ["in a part of a label in punycode", "Bücher", "xn--shop-bcher-feb"],
] as const;

for (const [how, value, text] of REWRITTEN) {
  Deno.test(`Secrets.scrub hides a secret ${how}`, () => {
    assert.equal(secretsOf(value).scrub(`<${text}>`), `<${MARK}>`);
  });
}

Deno.test("Secrets.register makes the next scrub see the value", () => {
  const secrets = secretsOf("first");
  assert.equal(secrets.scrub("first second"), `${MARK} second`);
  secrets.register("second");
  assert.equal(secrets.scrub("first second"), `${MARK} ${MARK}`);
  assert.equal(secrets.size, 2);
});

Deno.test("Secrets.short names values under four characters", () => {
  assert.deepEqual(secretsOf("abc", "abcd", "").short, ["abc"]);
});
