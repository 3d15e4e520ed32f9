import { equal } from "node:assert/strict";
import { cutBodies, redact } from "../../../../lib/results/redact/redacted.ts";
import { Secrets } from "../../../../lib/results/redact/secrets.ts";
import type { Trace } from "../../../../lib/model/result/trace.ts";

const LIMIT = 64 * 1024;

function traceWith(body: string): Trace {
  return {
    trace_id: "0".repeat(32),
    iteration: 0,
    vu: 0,
    outcome: "passed",
    start_us: 0,
    duration_us: 1,
    spans: [{
      span_id: "0".repeat(16),
      name: "http_call",
      kind: "call",
      start_us: 0,
      duration_us: 1,
      response: {
        line: "HTTP/1.1 200 OK",
        headers: [],
        body,
        body_bytes: body.length,
      },
    }],
  };
}

function stored(body: string, secrets = new Secrets()) {
  return cutBodies(redact(traceWith(body), secrets), secrets).spans[0]!
    .response!;
}

Deno.test("cutBodies leaves a body of 64 KiB as it is", () => {
  const message = stored("x".repeat(LIMIT));
  equal(message.body!.length, LIMIT);
  equal(message.body_truncated, undefined);
});

Deno.test("cutBodies cuts a longer body, and says how long it was", () => {
  const message = stored("x".repeat(LIMIT + 1));
  equal(message.body!.length, LIMIT);
  equal(message.body_truncated, true);
  equal(message.body_bytes, LIMIT + 1);
});

Deno.test("cutBodies leaves no half of a character", () => {
  const message = stored("x".repeat(LIMIT - 1) + "\u{1f600}");
  equal(message.body, "x".repeat(LIMIT - 1));
});

Deno.test("cutBodies counts bytes, however many a character takes", () => {
  for (const [character, bytes] of [["é", 2], ["語", 3], ["😀", 4]] as const) {
    const most = Math.floor(LIMIT / bytes);
    const message = stored(character.repeat(most + 1));
    equal(message.body, character.repeat(most));
    equal(message.body_truncated, true);
    equal(stored(character.repeat(most)).body_truncated, undefined);
  }
});

Deno.test("cutBodies comes after redaction: a secret across the cut is gone", () => {
  const secrets = new Secrets();
  secrets.register("hunter2-hunter2");
  const message = stored("x".repeat(LIMIT - 7) + "hunter2-hunter2", secrets);
  equal(message.body!.includes("hunter2"), false);
});

Deno.test("cutBodies hides what the cut makes look like the beginning of a secret", () => {
  const secrets = new Secrets();
  secrets.register("https://shop.example.com");
  const before = "x".repeat(LIMIT - 8);
  const message = stored(before + "https://www.example.com", secrets);
  equal(message.body, before + "[redacted]");
});
