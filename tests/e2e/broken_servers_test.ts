import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { FLAG, FRAME, h2Server } from "../support/h2_server.ts";
import { type RawConnection, rawServer } from "../support/raw_server.ts";
import { runOnce, spansOf } from "../support/run_fixture.ts";

/** A server that does not keep to the rules, and what a person reads. */
interface Row {
  readonly rule: string;
  readonly serve: (connection: RawConnection) => Promise<void>;
  readonly code: string;
  readonly says: RegExp;
  /** Bytes of its body that came, where some did. */
  readonly part?: number;
}

const HEAD = "HTTP/1.1 200 OK\r\n";

/** Responds to the request with these bytes, then closes. */
function bytes(text: string): Row["serve"] {
  return async (connection) => {
    await connection.request();
    await connection.send(text);
  };
}

const ROWS: readonly Row[] = [
  {
    rule: "hangs",
    serve: async (connection) => {
      await connection.request();
      await connection.request();
    },
    code: "timeout",
    says: /300 ?ms/,
  },
  {
    rule: "hangs in the middle of its body",
    serve: async (connection) => {
      await connection.request();
      await connection.send(`${HEAD}Content-Length: 10\r\n\r\nhalf`);
      await connection.request();
    },
    code: "timeout",
    says: /300 ?ms/,
    part: 4,
  },
  {
    rule: "drops the connection with the request unread",
    serve: async (connection) => {
      // Closing with bytes unread makes the kernel send a reset, after its end or before.
      await connection.conn.read(new Uint8Array(1));
    },
    code: "reset",
    says: /reset the connection|closed the connection before/,
  },
  {
    rule: "closes without a response",
    serve: bytes(""),
    code: "reset",
    says: /closed the connection before any byte of the response came/,
  },
  {
    rule: "closes in the middle of its body",
    serve: bytes(`${HEAD}Content-Length: 10\r\n\r\nhalf`),
    code: "reset",
    says: /closed the connection after 43 bytes of an incomplete response/,
    part: 4,
  },
  {
    rule: "closes in the middle of a chunk",
    serve: bytes(`${HEAD}Transfer-Encoding: chunked\r\n\r\nA\r\nhalf`),
    code: "reset",
    says: /closed the connection after 54 bytes of an incomplete response/,
    part: 4,
  },
  {
    rule: "talks garbage",
    serve: bytes("SSH-2.0-OpenSSH_9.6\r\n\r\n"),
    code: "protocol",
    says: /SSH-2\.0/,
  },
  {
    rule: "sends a head without end",
    serve: bytes(`${HEAD}X-Long: ${"x".repeat(300_000)}`),
    code: "protocol",
    says: /head/,
  },
  {
    rule: "gives two lengths",
    serve: bytes(`${HEAD}Content-Length: 2\r\nContent-Length: 3\r\n\r\nabc`),
    code: "protocol",
    says: /Content-Length/i,
  },
];

const FLOW = `flow: broken
steps:
  - id: fine
    wait: 0s
  - id: asks
    call: POST /asks
    body: { a: 1 }
    extract: { v: $.v }
`;

Deno.test("a server that breaks the rules is reported in plain words", async (t) => {
  await Promise.all(ROWS.map(({ rule, serve, code, says, part }) =>
    t.step({
      name: rule,
      fn: async () => {
        const server = rawServer(serve);
        const run = await runOnce({
          flow: FLOW,
          url: server.url,
          // A busy machine may take long: only who waits in vain is cut short.
          target: code === "timeout" ? "request_timeout: 300ms\n" : "",
        });
        await server.close();
        equal(run.code, 1, run.stdout + run.stderr);
        const [failure, ...others] = run.meta.failures;
        equal(others.length, 0);
        equal(failure?.code, code, failure?.message ?? "no failure");
        match(failure!.message, says);
        equal(failure!.step, "asks");
        equal(failure!.line, 5);
        match(run.stdout, /asks +flow\.yaml:5:5/);
        equal(run.stderr, "");
        equal(server.accepted, 1, "a POST is never sent a second time");
        const call = run.traces[0]?.spans.find((each) =>
          each.name === "http_call"
        );
        equal(call?.failure?.code, code);
        ok(call?.request?.body?.includes('"a":1'), "the request is kept");
        equal(call?.response?.body_bytes, part);
        equal(call?.response?.body_truncated, part && true);
        equal(call?.response?.body, undefined);
      },
      sanitizeExit: false,
    })
  ));
});

Deno.test("a response over HTTP/2 that breaks off is stored with the length of what came", async () => {
  const server = h2Server(async (connection) => {
    await connection.request();
    await connection.headers(1, [[":status", "200"]], FLAG.END_HEADERS);
    await connection.frameOf(FRAME.DATA, 0, 1, [104, 97, 108, 102]);
    await connection.frameOf(FRAME.RST_STREAM, 0, 1, [0, 0, 0, 2]);
  });
  const run = await runOnce({ flow: FLOW, url: server.url }, ["--http", "2"]);
  await server.close();
  equal(run.code, 1, run.stdout + run.stderr);
  const [call] = spansOf(run, "http_call");
  match(call!.failure!.message, /reset the stream with INTERNAL_ERROR/);
  deepStrictEqual(call!.response, {
    line: "HTTP/2 200",
    headers: [],
    body_bytes: 4,
    body_truncated: true,
  });
});

Deno.test("a server that speaks before it is asked has as many requests as attempts", async () => {
  await using server = rawServer(async (connection) => {
    await connection.send("SSH-2.0-OpenSSH_9.6\r\n");
    await connection.request();
  });
  for (const action of ["call: GET /", "ws: { url: /, receive: }"]) {
    const { meta, stdout } = await runOnce({
      flow: `flow: early
profile: { mode: load, vus: 1, iterations: 50 }
steps: [{ id: one, ${action} }]
`,
      url: server.url,
    });
    deepStrictEqual([meta.requests, meta.steps[0]!.requests], [50, 50], stdout);
    equal(meta.failures[0]!.count, 50);
  }
});

Deno.test("a server that speaks another protocol first is no server of HTTP/2", async () => {
  await using server = rawServer(async (connection) => {
    await connection.send("SSH-2.0-OpenSSH_9.6\r\n");
    await connection.request();
  });
  const { meta } = await runOnce(
    { flow: "flow: f\nsteps: [{ id: one, call: GET / }]\n", url: server.url },
    ["--http", "2"],
  );
  match(meta.failures[0]!.message, /does not speak HTTP\/2: its first bytes/);
});
