import assert from "node:assert/strict";
import fc from "fast-check";
import {
  redact,
  redactText,
  scanText,
} from "../../../../lib/results/redact/redacted.ts";
import { MARK } from "../../../../lib/results/redact/secrets.ts";
import {
  isFixedKey,
  isFixedValue,
} from "../../../../lib/results/redact/vocabulary.ts";
import { secretsOf } from "./secrets_of.ts";

Deno.test("redact scrubs values and keys, and leaves numbers and booleans", () => {
  const value = {
    attributes: { "token-4242": "x 4242", plain: [1, "4242", { n: 4242 }] },
    ok: true,
    none: null,
  };
  assert.deepEqual(redact(value, secretsOf("4242")), {
    attributes: {
      [`token-${MARK}`]: `x ${MARK}`,
      plain: [1, MARK, { n: 4242 }],
    },
    ok: true,
    none: null,
  });
});

Deno.test("redact keeps the format's own words where the format puts them", () => {
  const meta = {
    status: "finished",
    verdict: "pass",
    mode: "load",
    thresholds: [{
      expression: "p95(latency) < 300ms",
      pass: true,
      samples: 1,
    }],
    trace_id: "00000000000000000000000000001234",
    started_at: "2026-11-20T18:02:11Z",
  };
  const secrets = secretsOf(
    "pass",
    "load",
    "finished",
    "latency",
    "1234",
    "2026",
  );
  assert.deepEqual(redact(meta, secrets), meta);
});

Deno.test("redact scrubs the same words where they are someone's data", () => {
  const secrets = secretsOf("pass", "load");
  assert.deepEqual(
    redact(
      { body: "load", headers: [["X-Key", "pass"]], status: "pass" },
      secrets,
    ),
    { body: MARK, headers: [["X-Key", MARK]], status: MARK },
  );
});

Deno.test("redact keeps both values when two keys become the same", () => {
  assert.deepEqual(
    redact({ "k-one1": 1, "k-two2": 2 }, secretsOf("one1", "two2")),
    { [`k-${MARK}`]: 1, [`k-${MARK} (2)`]: 2 },
  );
});

Deno.test("redact keeps a key named __proto__ as a key", () => {
  const value = JSON.parse('{"__proto__": {"x": "hunter2"}}');
  assert.equal(
    JSON.stringify(redact(value, secretsOf("hunter2"))),
    `{"__proto__":{"x":"${MARK}"}}`,
  );
});

Deno.test("redact looks into a base64 body, however short the secret", () => {
  const secrets = secretsOf("k9z!");
  const out = redact(
    { body: btoa("\x00\xffk9z!tail"), body_encoding: "base64" },
    secrets,
  );
  assert.equal(atob(out.body), `\x00\xff${MARK}tail`);
});

Deno.test("redact hides a secret that a cut went through", () => {
  const secrets = secretsOf("a-long-token");
  assert.deepEqual(
    redact({ body: "key=a-long-to", body_truncated: true }, secrets).body,
    `key=${MARK}`,
  );
  assert.equal(redact({ text: "key=a-long-…" }, secrets).text, `key=${MARK}…`);
});

const encodings: ((secret: string) => string)[] = [
  (s) => s,
  encodeURIComponent,
  (s) => JSON.stringify({ key: s }),
  (s) => JSON.stringify(JSON.stringify({ [s]: 1 })),
  (s) => new URLSearchParams({ q: s }).toString(),
  (s) => new TextEncoder().encode(s).toBase64(),
  (s) => new TextEncoder().encode(`user:${s}`).toBase64(),
  (s) => new TextEncoder().encode(s).toHex(),
];

Deno.test("redact leaves no planted secret in any string of a random value", () => {
  const arbitrary = fc.tuple(
    fc.string({ unit: "grapheme-composite", minLength: 6, maxLength: 24 }),
    fc.nat(encodings.length - 1),
    fc.object({
      maxDepth: 4,
      values: [fc.string(), fc.integer(), fc.boolean()],
    }),
    fc.array(fc.string({ maxLength: 8 }), { maxLength: 3 }),
  ).filter(([secret]) => !isFixedKey(secret));
  fc.assert(fc.property(arbitrary, ([secret, how, noise, path]) => {
    const secrets = secretsOf(secret);
    const planted = encodings[how]!(secret);
    let value: unknown = { [`k${planted}`]: [planted, `<${planted}>`], noise };
    for (const key of path) value = { [key]: value, list: [value] };
    const text = JSON.stringify(redact(value, secrets));
    assert.deepEqual(scanText(text, secrets), []);
    assert.ok(!strings(JSON.parse(text)).some((each) => each.includes(secret)));
    assert.ok(text.includes(MARK));
  }));
});

Deno.test("redactText of JSON text is the text of the redacted value", () => {
  fc.assert(fc.property(
    fc.object({ maxDepth: 3, values: [fc.string(), fc.double()] }),
    fc.array(fc.string({ minLength: 2, maxLength: 5 }), { maxLength: 3 }),
    (value, words) => {
      const secrets = secretsOf(...words);
      const once = redactText(JSON.stringify(value), secrets);
      assert.deepEqual(scanText(once, secrets), []);
      assert.equal(redactText(once, secrets), once);
    },
  ));
});

Deno.test("scanText names the line and the field of a finding, not the secret", () => {
  const text = '{\n "note": "x",\n "body": "say hunter2",\n "hunter2": 7}';
  assert.deepEqual(scanText(text, secretsOf("hunter2", "7")), [
    { line: 3, field: "body", kind: "value" },
    { line: 4, field: "body", kind: "key" },
  ]);
});

Deno.test("scanText reads a file that was cut off while it was written", () => {
  assert.equal(
    scanText('{"a": "hunter2", "b": "unfin', secretsOf("hunter2")).length,
    1,
  );
});

Deno.test("isFixedValue takes whole words only", () => {
  assert.equal(isFixedValue("status", "finished"), true);
  assert.equal(isFixedValue("status", "finished now"), false);
  assert.equal(isFixedValue("body", "finished"), false);
  assert.equal(isFixedValue("constructor", "finished"), false);
});

function strings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap((
    [key, each],
  ) => [key, ...strings(each)]);
}
