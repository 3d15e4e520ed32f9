import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import type { Series } from "../../lib/model/result/series.ts";
import { runFixture, runOnce, spansOf } from "../support/run_fixture.ts";
import { type ServerSession, wsServer } from "../support/ws_server.ts";

/** Sends back every frame; `{"close": n}` closes, `{"say": [...]}` says those. */
function echo({ socket }: ServerSession): void {
  socket.on("message", (data) => {
    const text = new TextDecoder().decode(data);
    const { close, say } = JSON.parse(text);
    if (close !== undefined) return socket.close(close, "as asked");
    for (const each of say ?? []) socket.send(JSON.stringify(each));
    if (!say) socket.send(text);
  });
}

const flow = (steps: string, top = "") => `flow: ws\n${top}\nsteps:\n${steps}`;

Deno.test("ws: a session is opened, joined by name, and closed with the iteration", async () => {
  const closes: number[] = [];
  await using server = await wsServer({
    session(session) {
      echo(session);
      session.socket.on("close", (code) => closes.push(code));
    },
  });
  const run = await runOnce({
    url: server.url,
    flow: flow(`
  - id: first
    ws: { url: /one, session: one }
  - id: second
    ws: { url: /two }
  - id: ask_one
    ws: { session: one, send: { id: 7, from: one }, receive: }
    extract: { id: $.id }
    assert: [$.from == one, latency < 5s]
  - id: ask_two
    ws: { send: { id: "{{ id }}", text: "no. {{ id }}" }, receive: }
    assert: [$.id == 7, $.text == "no. 7"]
`),
  });
  strictEqual(run.code, 0, run.stdout);
  deepStrictEqual(server.handshakes.map((each) => each.url), ["/one", "/two"]);
  deepStrictEqual(closes, [1000, 1000]);
  const counted = run.meta.steps.map((each) => each.requests);
  deepStrictEqual(counted, [1, 1, 1, 1]);
});

Deno.test("ws: frames that come early wait; a receive skips what does not match", async () => {
  await using server = await wsServer({ session: echo });
  const run = await runOnce({
    url: server.url,
    flow: flow(`
  - id: open
    ws:
      url: /
      send: { say: [{ n: 1 }, { n: 2 }, { n: 3, tag: x }, { n: 4 }] }
  - id: match
    ws: { receive: { match: [$.n > 1, $.tag exists] } }
    assert: [$.n == 3]
  - id: next
    ws: { receive: }
    assert: [$.n == 4]
`),
  });
  strictEqual(run.code, 0, run.stdout);
  // Only steps that send make a request.
  deepStrictEqual(run.meta.steps.map((each) => each.requests), [1, 0, 0]);
});

Deno.test("ws: frames without a latency count their bytes all the same", async () => {
  await using server = await wsServer({ session: echo });
  using fixture = runFixture({
    url: server.url,
    flow: flow(`
  - id: open
    ws: { url: / }
  - id: send
    ws: { send: { n: 1 } }
  - id: receive
    ws: { receive: }
`),
  });
  const run = await fixture.run();
  strictEqual(run.code, 0, run.stdout);
  const [open, send, receive] = run.meta.steps;
  // Two bytes of header; the client's frame is masked with four more.
  strictEqual(send!.bytes_sent, 2 + 4 + `{"n":1}`.length);
  strictEqual(
    send!.bytes_received + receive!.bytes_received,
    2 + `{"n":1}`.length,
  );
  deepStrictEqual([send!.latency.max, receive!.latency.max], [null, null]);
  deepStrictEqual([open!.requests, send!.requests], [1, 1]);
  strictEqual(run.meta.requests, 2);
  const { points } = JSON.parse(
    Deno.readTextFileSync(`${run.dir}/series.json`),
  ) as Series;
  const sum = <Item>(list: readonly Item[], of: (each: Item) => number) =>
    list.reduce((total, each) => total + of(each), 0);
  for (const key of ["bytes_sent", "bytes_received"] as const) {
    const steps = sum(run.meta.steps, (each) => each[key]);
    strictEqual(sum(points, (each) => each[key]), steps, key);
  }
});

Deno.test("ws: a receive that times out lists what it skipped and closes the session", async () => {
  await using server = await wsServer({ session: echo });
  const run = await runOnce(
    {
      url: server.url,
      flow: flow(`
  - id: open
    ws: { url: /, send: { say: [{ n: 1 }, { n: 2, token: "{{ env.TOKEN }}" }] } }
  - id: wait
    on_failure: record
    ws: { receive: { match: $.n == 3, timeout: 150ms } }
  - id: after
    ws: { send: { n: 1 }, receive: }
`),
    },
    [],
    { env: { TOKEN: "top-secret-token" } },
  );
  strictEqual(run.code, 1);
  const [late, after] = run.meta.failures.toSorted((a, b) =>
    a.step.localeCompare(b.step)
  ).reverse();
  strictEqual(late!.code, "timeout");
  strictEqual(
    late!.message,
    'no frame matched `$.n == 3` within 150ms; skipped: {"n":1}, {"n":2,"token":"[redacted]"}',
  );
  if (after) strictEqual(after.code, "session");
  ok(!run.stdout.includes("top-secret-token"));
});

Deno.test("ws: the handshake carries auth, headers and subprotocols, and has phase spans", async () => {
  await using server = await wsServer({ session: echo, subprotocol: "v2" });
  const run = await runOnce(
    {
      url: server.url,
      flow: flow(
        `
  - id: open
    headers: { X-Id: "{{ env.ID }}", User-Agent: "" }
    ws: { url: "/chat?a=1", subprotocols: [v1, v2], send: { a: 1 }, receive: }
`,
        'auth: { scheme: api_key, name: key, value: "{{ env.KEY }}", in: query }',
      ),
    },
    [],
    { env: { ID: "id-12345", KEY: "key-12345" } },
  );
  strictEqual(run.code, 0, run.stdout);
  const { url, headers } = server.handshakes[0]!;
  strictEqual(url, "/chat?a=1&key=key-12345");
  strictEqual(headers["x-id"], "id-12345");
  strictEqual(headers["user-agent"], undefined);
  strictEqual(headers["sec-websocket-protocol"], "v1, v2");
  strictEqual(headers["sec-websocket-extensions"], undefined);
  const [call] = spansOf(run, "http_call");
  strictEqual(call!.request!.line, "GET /chat?a=1&key=[redacted] HTTP/1.1");
  strictEqual(call!.attributes!.status, 101);
  strictEqual(call!.attributes!.origin, server.url.replace("http", "ws"));
  for (const phase of ["connect", "ttfb", "transfer"]) {
    const [span] = spansOf(run, phase);
    strictEqual(span!.parent_id, call!.span_id, phase);
  }
  const [frames] = spansOf(run, "frames");
  strictEqual(frames!.parent_id, call!.parent_id);
  strictEqual(frames!.request!.body, '{"a":1}');
  strictEqual(frames!.response!.body, '{"a":1}');
  strictEqual(run.meta.steps[0]!.requests, 1, "a request a step");
});

Deno.test("ws: a close that no later step looks at counts at the end of the iteration", async () => {
  await using server = await wsServer({ session: echo });
  const unseen = (code: number) =>
    runOnce({
      url: server.url,
      flow: flow(
        `
  - id: open
    ws: { url: / }
  - id: notify
    ws: { send: { close: ${code} } }
  - id: think
    wait: 1ms
`,
        "profile: { mode: load, iterations: 1 }",
      ),
    });
  const failed = await unseen(1008);
  deepStrictEqual([failed.meta.throttle_rate, failed.meta.error_rate], [0, 1]);
  deepStrictEqual(
    failed.meta.steps.map((each) => [each.id, each.passed, each.failed]),
    [["open", 1, 0], ["notify", 0, 1], ["think", 1, 0]],
  );
  const why =
    "the server closed the session with code 1008 (policy violation): as asked, and no later step used it";
  deepStrictEqual(
    failed.meta.failures.map(({ step, code, message }) => [
      step,
      code,
      message,
    ]),
    [["notify", "closed", why]],
  );
  ok(failed.stdout.includes("code 1008 (policy violation)"), failed.stdout);
  const [notify] = spansOf(failed, "notify");
  deepStrictEqual([notify?.outcome, notify?.failure?.message], ["failed", why]);
  strictEqual(
    spansOf(failed, "frames").at(-1)?.response?.line,
    "close 1008 (policy violation)",
  );
  const throttled = await unseen(1013);
  deepStrictEqual([
    throttled.code,
    throttled.meta.throttle_rate,
    throttled.meta.error_rate,
  ], [0, 1, 0]);
  deepStrictEqual(throttled.meta.failures.map((each) => each.message), [
    "Throttled by the target: close code 1013 (try again later): as asked",
  ]);
  for (const good of [1000, 1001]) {
    const { meta } = await unseen(good);
    deepStrictEqual([meta.error_rate, meta.throttle_rate], [0, 0]);
  }
});

Deno.test("ws: a step that joins a session that did not open fails by itself", async () => {
  await using server = await wsServer({
    upgrade(_, stream) {
      stream.end("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n");
      return false;
    },
  });
  const run = await runOnce({
    url: server.url,
    flow: flow(`
  - id: open
    on_failure: record
    ws: { url: /, session: a }
  - id: join
    ws: { session: a, send: 1, receive: }
`),
  });
  strictEqual(run.code, 1);
  match(run.stdout, /response to the handshake was 401 Unauthorized, not 101/);
  const failures = spansOf(run, "join").map(({ failure }) => failure?.message);
  deepStrictEqual(failures, [
    "the session `a` is not open: the step that opens it did not",
  ]);
});

Deno.test("ws: two workers under load leave no session open", async () => {
  await using server = await wsServer({ session: echo });
  const { meta } = await runOnce({
    url: server.url,
    flow: flow(
      `
  - id: open
    ws: { url: /, session: a, send: { hello: true }, receive: }
  - id: ask
    ws: { session: a, send: { n: 1 }, receive: { match: $.n == 1 } }
`,
      "profile: { mode: load, vus: 8, iterations: 200 }",
    ),
  }, ["--workers", "2"]);
  strictEqual(meta.iterations.passed, 200, JSON.stringify(meta.failures));
  strictEqual(meta.requests, 400, "a request for each step that sends");
  strictEqual(server.handshakes.length, 200);
  strictEqual(server.open, 0);
});

Deno.test("ws: each attempt is in its second once, with a latency or without, and a receive is none of the requests", async () => {
  await using server = await wsServer({ session: echo });
  using fixture = runFixture({
    url: server.url,
    flow: flow(
      `
  - id: open
    ws: { url: /, send: { n: 1 }, receive: }
  - id: say
    ws: { send: { n: 2 } }
  - id: hear
    ws: { receive: }
  - id: late
    ws: { receive: { timeout: 1ms } }
`,
      "profile: { mode: load, vus: 2, iterations: 10 }",
    ),
  });
  const { dir, meta } = await fixture.run();
  const { points } = JSON.parse(
    Deno.readTextFileSync(`${dir}/series.json`),
  ) as Series;
  const total = (of: (point: Series["points"][number]) => number) =>
    points.map(of).reduce((sum, each) => sum + each, 0);
  deepStrictEqual(
    meta.steps.map((_, step) =>
      [1, 2, 3].map((outcome) =>
        total(({ steps }) =>
          steps?.find(([index]) => index === step)?.[outcome] ?? 0
        )
      )
    ),
    meta.steps.map(({ attempts: { passed, throttled, failed } }) => [
      passed,
      throttled,
      failed,
    ]),
  );
  deepStrictEqual(
    [total((each) => each.passed), total((each) => each.failed)],
    [meta.requests, 0],
  );
  // A handshake and a frame.
  strictEqual(meta.steps[0]!.latency_intervals!.samples, 20);
});
