import { deepEqual, equal, ok } from "node:assert/strict";
import {
  exchangeLines,
  exchangeOf,
} from "../../../../lib/results/failures/exchange.ts";
import type { Span, Trace } from "../../../../lib/model/result/trace.ts";
import { traceOf } from "../../../support/trace_of.ts";

const message = (line: string, body?: string) => ({
  line,
  headers: [] as [string, string][],
  ...(body !== undefined && { body }),
});

function span(id: string, facts: Partial<Span>): Span {
  return {
    span_id: id,
    name: id,
    kind: "step",
    start_us: 0,
    duration_us: 1,
    ...facts,
  };
}

function respondedWith(body: string): Trace {
  return traceOf([
    span("login", {}),
    span("http_call", {
      parent_id: "login",
      kind: "call",
      request: message("POST /login HTTP/1.1"),
      response: message("HTTP/1.1 401 Unauthorized", body),
    }),
  ]);
}

Deno.test("exchangeOf() is the last exchange of the step, through its attempts", () => {
  const call = (id: string, parent_id: string, status: string) =>
    span(id, {
      parent_id,
      kind: "call",
      request: message(`GET /${id} HTTP/1.1`),
      response: message(`HTTP/1.1 ${status}`),
    });
  const trace = traceOf([
    span("first", {}),
    call("a", "first", "200 OK"),
    span("second", {}),
    span("one", { parent_id: "second", kind: "attempt" }),
    call("b", "one", "503 Busy"),
    span("two", { parent_id: "second", kind: "attempt" }),
    call("c", "two", "500 Broken"),
  ]);
  deepEqual(exchangeOf(trace, "second"), {
    request: "GET /c HTTP/1.1",
    response: "HTTP/1.1 500 Broken",
  });
  equal(exchangeOf(trace, "third"), undefined);
});

Deno.test("exchangeOf() has the frame that was sent in place of a request line", () => {
  const trace = traceOf([
    span("ask", {}),
    span("frames", {
      parent_id: "ask",
      kind: "frames",
      request: message("text frame", '{"op":\n "ask"}'),
    }),
  ]);
  deepEqual(exchangeOf(trace, "ask"), { request: 'sent {"op": "ask"}' });
});

Deno.test("exchangeLines() are at most 20, and no terminal obeys them", () => {
  const body = Array.from({ length: 60 }, (_, n) => `${n}\u001b[31m\t:`);
  const lines = exchangeLines(
    exchangeOf(respondedWith(body.join("\n")), "login")!,
  );
  ok(lines.length <= 20, String(lines.length));
  deepEqual(lines.slice(0, 3), [
    "POST /login HTTP/1.1",
    "HTTP/1.1 401 Unauthorized",
    "0\\u{1b}[31m  :",
  ]);
  equal(lines.at(-1), "…");
});

Deno.test("exchangeOf() keeps the beginning of a long body, and none that is no text", () => {
  const { body } = exchangeOf(respondedWith("x".repeat(9_000)), "login")!;
  equal(body, `${"x".repeat(499)}…`);
  const [step, call] = respondedWith("AAAA").spans;
  const binary = { ...call!.response!, body_encoding: "base64" as const };
  deepEqual(
    exchangeOf(traceOf([step!, { ...call!, response: binary }]), "login"),
    {
      request: "POST /login HTTP/1.1",
      response: "HTTP/1.1 401 Unauthorized",
    },
  );
});
