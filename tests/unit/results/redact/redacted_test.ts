import assert from "node:assert/strict";
import fc from "fast-check";
import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import {
  isOwn,
  redact,
  rescan,
} from "../../../../lib/results/redact/redacted.ts";
import { Histogram } from "../../../../lib/results/histograms/histogram.ts";
import { encodeHistogram } from "../../../../lib/results/histograms/histogram_text.ts";
import { MARK } from "../../../../lib/results/redact/secrets.ts";
import { secretsOf, withheld } from "./secrets_of.ts";

Deno.test("redact scrubs values, and leaves keys, numbers and booleans", () => {
  const value = {
    attributes: { plain: [1, "4242", { n: 4242 }], origin: "x 4242" },
    ok: true,
    none: null,
  };
  assert.deepEqual(redact(value, secretsOf("4242")), {
    attributes: { plain: [1, MARK, { n: 4242 }], origin: `x ${MARK}` },
    ok: true,
    none: null,
  });
});

Deno.test("redact keeps the words of the program and of the author where the format puts them", () => {
  const meta = {
    status: "finished",
    verdict: "pass",
    mode: "load",
    flow_file: "flows/acme.yaml",
    target: "acme",
    thresholds: [{
      expression: "p95(latency) < 300ms",
      pass: true,
      samples: 1,
    }],
    steps: [{ id: "acme", checks: [{ check: "$.tenant == acme", passed: 1 }] }],
    spans: [{ name: "acme.assert@1", attributes: { check: "$.a == acme" } }],
    trace_id: "00000000000000000000000000001234",
    started_at: "2026-11-20T18:02:11Z",
  };
  const secrets = secretsOf(
    ...["pass", "load", "finished", "latency", "1234", "2026", "acme", "1"],
  );
  assert.deepEqual(redact(meta, secrets), meta);
});

Deno.test("redact keeps the id of a step in the key of a failure", () => {
  const failure = {
    key: "acme|assertion|it is acme",
    step: "acme",
    code: "assertion",
    message: "it is acme",
  };
  assert.deepEqual(redact(failure, secretsOf("acme")), {
    ...failure,
    key: `acme|assertion|it is ${MARK}`,
    message: `it is ${MARK}`,
  });
});

Deno.test("redact scrubs what a trace of a share was kept for, and not its step", () => {
  const kept = { group: "acme|assertion|it is acme", item: {} };
  assert.deepEqual(redact(kept, secretsOf("acme")), {
    ...kept,
    group: `acme|assertion|it is ${MARK}`,
  });
});

const message = { line: "GET /pass HTTP/1.1", headers: [] };

Deno.test("redact scrubs the same words where they are someone's data", () => {
  const secrets = secretsOf("pass", "load", "HTTP");
  assert.deepEqual(
    redact(
      { response: { ...message, body: "load", headers: [["X-Key", "pass"]] } },
      secrets,
    ),
    {
      response: {
        line: `GET /${MARK} HTTP/1.1`,
        headers: [["X-Key", MARK]],
        body: MARK,
      },
    },
  );
});

Deno.test("redact withholds a header and a body that hide a secret, each alone", () => {
  const body = "key %68unter2! in text";
  const { response } = redact({
    response: {
      ...message,
      headers: [["A", "aHVud%47VyMiE"], ["B", "hunter2!"], ["C", "c"]],
      body,
      body_bytes: body.length,
    },
  }, secretsOf("hunter2!"));
  assert.deepEqual(response, {
    line: message.line,
    headers: [["A", withheld("aHVud%47VyMiE")], ["B", MARK], ["C", "c"]],
    body_sha256: createHash("sha256").update(body).digest("hex"),
    body_bytes: body.length,
  });
});

Deno.test("redact leaves histograms as they are, and what is no histogram under their names", () => {
  const text = encodeHistogram(new Histogram());
  const set = { service: text, response: text, throttled: text };
  const written = { ...set, stretches: { ms: 5000, blocks: "ABCDEFGH" } };
  const secrets = secretsOf(text.slice(8, 12), "CDEF");
  assert.deepEqual(redact(written, secrets), written);
  assert.equal(rescan(JSON.stringify({ steps: written }), secrets), undefined);
  assert.deepEqual(
    redact({ ...set, service: "a CDEF" }, secrets).service,
    `a ${MARK}`,
  );
});

Deno.test("redact keeps a key named __proto__ as a key", () => {
  const value = JSON.parse('{"__proto__": {"x": "hunter2"}}');
  assert.equal(
    JSON.stringify(redact(value, secretsOf("hunter2"))),
    `{"__proto__":{"x":"${MARK}"}}`,
  );
});

Deno.test("redact withholds bytes that hold a secret, however short it is", () => {
  const bytes = "\x00\xffk9z!tail";
  const { response } = redact(
    { response: { ...message, body: btoa(bytes), body_encoding: "base64" } },
    secretsOf("k9z!"),
  );
  assert.deepEqual(response, {
    ...message,
    body_encoding: "base64",
    body_sha256: createHash("sha256").update(Buffer.from(bytes, "latin1"))
      .digest("hex"),
  } as unknown);
});

Deno.test("redact hides a secret that a cut went through", () => {
  const secrets = secretsOf("a-long-token");
  const { response } = redact(
    { response: { ...message, body: "key=a-long-to", body_truncated: true } },
    secrets,
  );
  assert.equal(response.body, `key=${MARK}`);
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
  );
  fc.assert(fc.property(arbitrary, ([secret, how, noise, path]) => {
    const secrets = secretsOf(secret);
    const planted = encodings[how]!(secret);
    let value: unknown = { planted: [planted, `<${planted}>`], noise };
    for (const key of path) value = { [`${key}-`]: value, list: [value] };
    const text = JSON.stringify(redact(value, secrets));
    assert.equal(rescan(text, secrets), undefined);
    assert.ok(!strings(JSON.parse(text)).some((each) => each.includes(secret)));
    assert.ok(text.includes("[redacted"));
  }));
});

Deno.test("rescan of JSON text is the text of the redacted value", () => {
  fc.assert(fc.property(
    fc.object({ maxDepth: 3, values: [fc.string(), fc.double()] }),
    fc.array(fc.string({ minLength: 2, maxLength: 5 }), { maxLength: 3 }),
    (value, words) => {
      const secrets = secretsOf(...words);
      const once = rescan(JSON.stringify(value), secrets);
      if (once !== undefined) assert.equal(rescan(once, secrets), undefined);
    },
  ));
});

Deno.test("rescan reads a file that was cut off while it was written", () => {
  assert.equal(
    rescan('{"a": "hunter2", "b": "unfin', secretsOf("hunter2")),
    `{"a": "${MARK}", "b": "unfin`,
  );
});

Deno.test("isOwn goes by what the schemas say of a field, wherever it is", () => {
  const fields = ["id", "step", "name", "expression", "check", "flow_file"];
  assert.deepEqual(fields.filter((each) => !isOwn(each)), []);
  const others = ["message", "text", "key", "notes", "row_name", "unheard"];
  assert.deepEqual(others.filter(isOwn), []);
});

function strings(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap((
    [key, each],
  ) => [key, ...strings(each)]);
}
