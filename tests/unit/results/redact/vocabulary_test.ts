import assert from "node:assert/strict";
import fc from "fast-check";
import { irWords } from "../../../../lib/language/flow/format_words.ts";
import { registry } from "../../../../lib/steps/registry.ts";
import { redact, scanText } from "../../../../lib/results/redact/redacted.ts";
import { Secrets } from "../../../../lib/results/redact/secrets.ts";
import { metaText } from "../../../../lib/results/store/run_writer.ts";
import { parseMeta } from "../../../../lib/results/store/meta_schema.ts";
import { buildTrace } from "../../../../lib/results/traces/trace_build.ts";
import { Seconds } from "../../../../lib/results/record/seconds.ts";
import { seriesOf } from "../../../../lib/results/record/series.ts";
import {
  isFixedKey,
  isFixedValue,
} from "../../../../lib/results/redact/vocabulary.ts";
import { isRunId, makeRunId } from "../../../../lib/results/store/layout.ts";
import { CASES } from "../formats/summary_cases.ts";
import {
  attemptOf,
  iterationOf,
  responseOf,
  stepOf,
} from "../record/fixtures.ts";

const WORDS = irWords(registry);

/** Every key of a JSON value, but not those of `attributes`, which are free. */
function keysOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(keysOf);
  return Object.entries(value).flatMap(([key, each]) =>
    key === "attributes" ? [key] : [key, ...keysOf(each)]
  );
}

Deno.test("isFixedKey knows every key of meta.json", () => {
  for (const { meta } of Object.values(CASES)) {
    assert.deepEqual(keysOf(meta).filter((key) => !isFixedKey(key)), []);
  }
});

Deno.test("isFixedKey knows every key of a trace", () => {
  const message = {
    line: "",
    headers: [],
    body: "",
    body_bytes: 0,
    body_truncated: true,
  };
  const failure = { code: "status", message: "no" };
  const response = responseOf({}, {
    failure,
    capturedRequest: () => message,
    capturedResponse: () => message,
  });
  const attempts = [attemptOf({ response, failure })];
  const trace = buildTrace(
    iterationOf({ row: 1, steps: [stepOf({ attempts, failure })] }),
    [{ id: "login", kind: "call" }],
    0,
    [1, 2, 3, 4],
  );
  assert.deepEqual(keysOf(trace).filter((key) => !isFixedKey(key)), []);
});

Deno.test("isFixedKey knows every key of series.json", () => {
  const series = seriesOf(new Seconds(0).data());
  assert.deepEqual(keysOf(series).filter((key) => !isFixedKey(key)), []);
});

Deno.test("isFixedValue knows a run id", () => {
  const id = makeRunId("checkout", 0, () => 0.5);
  assert.ok(isRunId(id) && isFixedValue("id", id));
});

Deno.test("isFixedValue knows the fixed values of meta.json", () => {
  const fields = [
    "status",
    "verdict",
    "mode",
    "started_at",
    "ended_at",
    "ir_sha256",
    "bench_version",
  ];
  for (const { meta } of Object.values(CASES)) {
    for (const field of fields) {
      const value = (meta as unknown as Record<string, string>)[field]!;
      assert.ok(isFixedValue(field, value), `${field}: ${value}`);
    }
    for (const { expression } of meta.thresholds) {
      assert.ok(isFixedValue("expression", expression), expression);
    }
    for (const { kind } of meta.steps) {
      assert.ok(isFixedValue("kind", kind, WORDS));
    }
    for (const { code, outcome } of meta.failures) {
      assert.ok(isFixedValue("code", code) && isFixedValue("outcome", outcome));
    }
  }
});

Deno.test("a run stays readable and clean, whatever part of it is a secret", () => {
  const metas = Object.values(CASES).map(({ meta }) => meta);
  const part = fc.tuple(fc.nat(), fc.integer({ min: 1, max: 24 }));
  fc.assert(fc.property(
    fc.constantFrom(...metas),
    fc.array(part, { minLength: 1, maxLength: 4 }),
    (meta, parts) => {
      const text = metaText(meta);
      const secrets = new Secrets(WORDS);
      for (const [at, length] of parts) {
        secrets.register(text.slice(at % text.length).slice(0, length));
      }
      const stored = metaText(redact(meta, secrets));
      assert.deepEqual(scanText(stored, secrets), []);
      parseMeta(stored, "meta.json");
    },
  ));
});
