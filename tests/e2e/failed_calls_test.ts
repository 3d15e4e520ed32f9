import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import type { Span } from "../../lib/model/result/trace.ts";
import { type RawConnection, rawServer } from "../support/raw_server.ts";
import { runOnce } from "../support/run_fixture.ts";
import { freePort } from "../support/free_port.ts";

/*
 * What a trace shows of a call that got no response: a `http_call` with the phases
 * there were, the last one failed and with the reason.
 */

const PROTO = `syntax = "proto3";
package desk;
message Note { string text = 1; }
service Desk { rpc Ask (Note) returns (Note); }
`;

/** One step of each kind that dials. */
const KINDS: Readonly<Record<string, string>> = {
  call: "call: GET /one",
  graphql: 'graphql: { url: /graphql, query: "{ a }" }',
  poll:
    "poll: { call: GET /, until: [status == 200], interval: 1s, max_attempts: 1 }",
  ws: "ws: { url: /, receive: }",
  grpc: "grpc: { proto: desk.proto, method: desk.Desk/Ask }",
};

interface Row {
  readonly cause: string;
  /** The target, and what ends it. */
  target(): { readonly url: string } & AsyncDisposable;
  readonly phases: readonly string[];
  readonly code: string;
  readonly says: RegExp;
  /** Kinds to which it can happen; all when absent. */
  readonly kinds?: readonly string[];
}

function server(
  handle: (connection: RawConnection) => Promise<void>,
  scheme = "http",
): ReturnType<Row["target"]> {
  const raw = rawServer(handle);
  return {
    url: `${scheme}://127.0.0.1:${raw.port}`,
    [Symbol.asyncDispose]: () => raw.close(),
  };
}

async function silent(connection: RawConnection): Promise<void> {
  while (await connection.conn.read(new Uint8Array(1_024)) !== null);
}

const nothing = { [Symbol.asyncDispose]: async () => {} };

const ROWS: readonly Row[] = [
  {
    cause: "refused",
    target: () => ({ url: `http://127.0.0.1:${freePort()}`, ...nothing }),
    phases: ["connect"],
    code: "refused",
    says: /connection refused/,
  },
  {
    cause: "an unknown name",
    target: () => ({ url: "http://no-such-host.invalid", ...nothing }),
    phases: ["dns"],
    code: "dns",
    says: /Cannot look up `no-such-host.invalid`/,
  },
  {
    cause: "refused after a look-up",
    target: () => ({ url: `http://localhost:${freePort()}`, ...nothing }),
    phases: ["dns", "connect"],
    code: "refused",
    says: /connection refused/,
  },
  {
    cause: "no TLS there",
    target: () =>
      server((connection) => connection.send("not TLS at all"), "https"),
    phases: ["connect", "tls"],
    code: "tls",
    says: /No TLS with `127.0.0.1`/,
  },
  {
    cause: "a TLS handshake without a response",
    target: () => server(silent, "https"),
    phases: ["connect", "tls"],
    code: "timeout",
    says: /timed out in the TLS handshake/,
  },
  {
    cause: "no response",
    target: () => server(silent),
    phases: ["connect", "ttfb"],
    code: "timeout",
    says: /timed out/,
  },
  {
    cause: "half a response",
    target: () =>
      server(async (connection) => {
        await connection.request();
        await connection.send(
          "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf",
        );
      }),
    phases: ["connect", "ttfb", "transfer"],
    code: "reset",
    says: /an incomplete response/,
    kinds: ["call", "graphql", "poll"],
  },
];

for (const { cause, target, phases, code, says, kinds } of ROWS) {
  Deno.test(`a call that got no response is in the trace: ${cause}`, async () => {
    await using server = target();
    const chosen = kinds ?? Object.keys(KINDS);
    const steps = chosen.map((kind) =>
      `  - { id: ${kind}, on_failure: record, ${KINDS[kind]} }\n`
    );
    const run = await runOnce({
      flow: `flow: failed\nsteps:\n${steps.join("")}`,
      url: server.url,
      target: code === "timeout" ? "request_timeout: 700ms\n" : "",
      files: { "desk.proto": PROTO },
    });
    equal(run.code, 1, run.stdout + run.stderr);
    const [{ spans } = { spans: [] }] = run.traces;
    for (const kind of chosen) {
      const step = spans.find(({ name }) => name === kind)!;
      const below = (parent: Span) =>
        spans.filter((each) => each.parent_id === parent.span_id);
      // A round of a poll is an attempt.
      const round = below(step).find(({ name }) => name === "attempt 1");
      const call = below(round ?? step)
        .find(({ name }) => name === "http_call");
      ok(call, `${kind} has no http_call`);
      equal(call.outcome, "failed", kind);
      equal(call.failure?.code, code, kind);
      const shown = below(call);
      deepStrictEqual(shown.map(({ name }) => name), phases, kind);
      const last = shown.at(-1)!;
      deepStrictEqual([last.outcome, last.failure], ["failed", call.failure]);
      match(last.failure!.message, says, kind);
      for (const phase of shown.slice(0, -1)) {
        equal(phase.outcome, undefined, kind);
      }
      const end = (span: Span) => span.start_us + span.duration_us;
      equal(end(last), end(call), `${kind}: it failed at the end`);
      // No server got the request, so none is shown.
      if (!phases.includes("ttfb")) equal(call.request, undefined, kind);
    }
  });
}
