import assert from "node:assert/strict";
import fc from "fast-check";
import { MARK, Secrets } from "../../../../lib/results/redact/secrets.ts";

function secretsOf(...values: string[]): Secrets {
  const secrets = new Secrets();
  for (const value of values) secrets.register(value);
  return secrets;
}

/** How a target or a library may write a secret, done by other means than ours. */
const ENCODERS: Readonly<Record<string, (secret: string) => string>> = {
  "itself": (s) => s,
  "encodeURIComponent": (s) => encodeURIComponent(s),
  "encodeURIComponent, lower-case escapes": (s) =>
    encodeURIComponent(s).replaceAll(/%../g, (each) => each.toLowerCase()),
  "encodeURI": (s) => encodeURI(s),
  "a form field": (s) => new URLSearchParams({ k: s }).toString().slice(2),
  "only what a URL forbids": (s) =>
    s.replaceAll(/[^\w\-.~:/?#[\]@!$&'()*+,;=%]/gu, encodeURIComponent),
  "a value in a path": (s) =>
    s.replaceAll(/[^\w\-.~!$&'()*+,;=:@/]/gu, encodeURIComponent),
  "unreserved only": (s) =>
    encodeURIComponent(s).replaceAll(
      /[!'()*]/g,
      (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
    ),
  "JSON": (s) => JSON.stringify(s).slice(1, -1),
  "JSON with escaped slashes": (s) =>
    JSON.stringify(s).slice(1, -1).replaceAll("/", "\\/"),
  "JSON in ASCII": (s) =>
    JSON.stringify(s).slice(1, -1).replaceAll(
      /[\u007f-\uffff]/g,
      (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`,
    ),
  "JSON in JSON": (s) =>
    JSON.stringify(JSON.stringify(s).slice(1, -1)).slice(1, -1),
  "base64": (s) => btoa(latin1(s)),
  "base64 without padding": (s) => btoa(latin1(s)).replaceAll("=", ""),
  "base64url": (s) => btoa(latin1(s)).replaceAll("+", "-").replaceAll("/", "_"),
  "base64url without padding": (s) =>
    btoa(latin1(s)).replaceAll("+", "-").replaceAll("/", "_").replaceAll(
      "=",
      "",
    ),
  "hex": (s) => [...latin1(s)].map(hexByte).join(""),
  "hex in upper case": (s) =>
    [...latin1(s)].map(hexByte).join("").toUpperCase(),
};

function latin1(text: string): string {
  return String.fromCharCode(...new TextEncoder().encode(text));
}

function hexByte(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(2, "0");
}

Deno.test("Secrets.scrub hides a secret in every spelling", () => {
  const values = [
    "hunter2",
    "p/ä s+s\"w\\d%&<'>",
    "日本 語/🔑",
    "a b/c==",
    "~!*'()",
  ];
  for (const value of values) {
    const secrets = secretsOf(value);
    for (const [how, encode] of Object.entries(ENCODERS)) {
      assert.equal(
        secrets.scrub(`before ${encode(value)} after`),
        `before ${MARK} after`,
        `${value} as ${how}`,
      );
    }
  }
});

Deno.test("Secrets.scrub hides random secrets in every spelling", () => {
  const names = Object.keys(ENCODERS);
  fc.assert(fc.property(
    fc.string({ unit: "grapheme", minLength: 4, maxLength: 30 }),
    fc.constantFrom(...names),
    fc.constantFrom("", " ", "x=", "\u0001"),
    (value, how, around) => {
      const secrets = secretsOf(value);
      const planted = ENCODERS[how]!(value);
      const out = secrets.scrub(around + planted + around);
      assert.ok(!out.includes(planted) || MARK.includes(planted), out);
    },
  ));
});

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
    "the longer of two at one place",
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

for (const [rule, values, text, wanted] of OVERLAPS) {
  Deno.test(`Secrets.scrub hides ${rule}`, () => {
    assert.equal(secretsOf(...values).scrub(text), wanted);
  });
}

Deno.test("Secrets.scrubCut hides the beginning of a secret at the cut", () => {
  const secrets = secretsOf("a-long-token");
  assert.equal(secrets.scrubCut("Bearer a-long-t"), `Bearer ${MARK}`);
  assert.equal(secrets.scrubCut("Bearer a-l"), "Bearer a-l");
  assert.equal(secrets.scrubCut("a-long-token"), MARK);
});

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
