import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer } from "ws";
import { recordingServer } from "../support/recording_server.ts";
import { runFixture } from "../support/run_fixture.ts";

function response(...fields: string[]): string {
  const head = fields.map((each) => `${each}\r\n`).join("");
  return `HTTP/1.1 200 OK\r\n${head}Content-Length: 2\r\n\r\n{}`;
}

function cookieOf(text: string): string | undefined {
  return /^cookie: (.*)\r$/im.exec(text)?.[1];
}

const STEPS = `steps:
  - id: login
    call: POST /login
  - id: page
    call: GET /account
  - id: own
    call: GET /own
    headers: { Cookie: "sid=mine; x=1" }
  - id: none
    call: GET /none
    headers: { Cookie: "" }
`;

Deno.test("cookies are kept for an iteration or for a VU, and only where the flow says so", async () => {
  const cases: [string, (string | undefined)[]][] = [
    ["", [undefined, undefined, "sid=mine; x=1", undefined]],
    ["cookies: iteration\n", [
      undefined,
      "sid=s0; theme=dark",
      "sid=mine; x=1; theme=dark",
      undefined,
    ]],
    ["cookies: vu\n", [
      undefined,
      "sid=s0; theme=dark",
      "sid=mine; x=1; theme=dark",
      undefined,
      "sid=s0; theme=dark",
      "sid=s4; theme=dark",
      "sid=mine; x=1; theme=dark",
      undefined,
    ]],
  ];
  for (const [cookies, expected] of cases) {
    await using server = recordingServer(({ line, index }) =>
      line.startsWith("POST")
        ? response(
          `Set-Cookie: sid=s${index}; Path=/; HttpOnly`,
          "Set-Cookie: theme=dark",
        )
        : response()
    );
    using fixture = runFixture({
      flow:
        `version: 1\nflow: f\n${cookies}profile: { mode: load, vus: 1, iterations: 2 }\n${STEPS}`,
      url: server.url,
    });
    const { code, stdout, stderr, traces } = await fixture.run();
    equal(code, 0, stdout + stderr);
    const got = server.arrivals.map(({ text }) => cookieOf(text));
    deepStrictEqual(got.slice(0, expected.length), expected);
    const shown = JSON.stringify(traces);
    equal(shown.includes('"sid=s0; theme=dark"'), cookies !== "", shown);
  }
});

Deno.test("what a step or its auth sends itself goes before what is kept, by name", async () => {
  await using server = recordingServer(({ line }) =>
    line.startsWith("POST")
      ? response("Set-Cookie: sid=kept", "Set-Cookie: key=kept")
      : response()
  );
  using fixture = runFixture({
    flow: `version: 1
flow: f
cookies: iteration
steps:
  - id: login
    call: POST /login
    extract: { sid: cookie.sid }
  - id: auth
    call: GET /
    auth: { scheme: cookie, name: key, value: "{{ env.KEY }}" }
  - id: templates
    call: GET /
    headers: { cookie: "sid={{ sid }}-mine" }
  - id: both
    call: GET /{{ sid }}
    headers: { Cookie: "sid=mine" }
    auth: { scheme: cookie, name: key, value: "{{ env.KEY }}" }
`.replace("GET /{{ sid }}", '"GET /{{ sid }}"'),
    url: server.url,
  });
  const env = { KEY: "from-the-environment" };
  const { code, stdout, stderr, traces } = await fixture.run([], { env });
  equal(code, 0, stdout + stderr);
  deepStrictEqual(server.arrivals.map(({ text }) => cookieOf(text)), [
    undefined,
    "key=from-the-environment; sid=kept",
    "sid=kept-mine; key=kept",
    "sid=mine; key=from-the-environment",
  ]);
  ok(!JSON.stringify(traces).includes(env.KEY));
});

Deno.test("a redirect's cookies, a poll's, a retry's and those of other hosts of the target are kept", async () => {
  await using other = recordingServer(() => response());
  let polls = 0;
  await using server = recordingServer(({ line }) => {
    if (line.startsWith("POST")) {
      return "HTTP/1.1 303 See Other\r\nLocation: /account\r\nSet-Cookie: sid=1\r\nContent-Length: 0\r\n\r\n";
    }
    if (line.startsWith("GET /poll")) {
      return response(`Set-Cookie: round=${++polls}`);
    }
    if (line.startsWith("GET /retry") && polls < 10) {
      polls = 10;
      return "HTTP/1.1 503 No\r\nSet-Cookie: tried=1\r\nContent-Length: 0\r\n\r\n";
    }
    return response();
  });
  using fixture = runFixture({
    flow: `version: 1
flow: f
cookies: iteration
steps:
  - id: login
    call: POST /login
    extract: { where: header.Location }
  - id: poll
    poll:
      call: GET /poll
      until: [header.Set-Cookie contains round=2]
      interval: 1ms
      max_attempts: 5
  - id: retry
    call: GET /retry
    retry: { on_status: [503], backoff: fixed, max_attempts: 2, base_delay: 1ms }
  - id: here
    call: GET {{ where }}
  - id: there
    call: GET ${other.url}/
  - id: query
    graphql: { url: /graphql, query: "{ a }", on_errors: ignore }
    on_failure: record
`.replace("GET {{ where }}", '"GET {{ where }}"'),
    url: `${server.url}, ${other.url}`,
  });
  const { stdout, stderr } = await fixture.run();
  const got = server.arrivals.map(({ line, text }) =>
    `${line}: ${cookieOf(text) ?? "-"}`
  );
  deepStrictEqual(got, [
    "POST /login: -",
    "GET /poll: sid=1",
    "GET /poll: sid=1; round=1",
    "GET /retry: sid=1; round=2",
    "GET /retry: sid=1; round=2; tried=1",
    "GET /account: sid=1; round=2; tried=1",
    "POST /graphql: sid=1; round=2; tried=1",
  ], stdout + stderr);
  // Another port is the same host (RFC 6265 section 8.5).
  equal(cookieOf(other.arrivals[0]!.text), "sid=1; round=2; tried=1");
});

Deno.test("a WebSocket handshake sends cookies and keeps those of its response", async () => {
  const got: (string | undefined)[] = [];
  const server = createServer((request, result) => {
    got.push(request.headers.cookie);
    result.setHeader("set-cookie", "sid=1").end("{}");
  });
  const sockets = new WebSocketServer({ server });
  sockets.on("headers", (fields: string[], request: IncomingMessage) => {
    got.push(request.headers.cookie);
    fields.push("Set-Cookie: socket=2");
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  using fixture = runFixture({
    flow: `version: 1
flow: f
cookies: vu
steps:
  - id: login
    call: GET /
  - id: open
    ws: { url: /socket }
  - id: after
    call: GET /
`,
    url: `http://127.0.0.1:${port}`,
  });
  const { code, stdout, stderr } = await fixture.run();
  sockets.close();
  server.close();
  equal(code, 0, stdout + stderr);
  deepStrictEqual(got, [undefined, "sid=1", "sid=1; socket=2"]);
});

Deno.test("HTTP/2 sends kept cookies as HTTP/1.1 does", async () => {
  const got: (string | null)[] = [];
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request) => {
      got.push(request.headers.get("cookie"));
      return new Response("{}", { headers: { "set-cookie": "sid=1" } });
    },
  );
  using fixture = runFixture({
    flow: `version: 1
flow: f
cookies: vu
steps:
  - { id: a, call: GET /a }
  - { id: b, call: GET /b }
  - { id: c, call: POST /c, body: 1, headers: { Cookie: "x=1" } }
`,
    url: `http://127.0.0.1:${server.addr.port}`,
  });
  const { code, stdout, stderr } = await fixture.run(["--http", "2"]);
  equal(code, 0, stdout + stderr);
  deepStrictEqual(got, [null, "sid=1", "x=1; sid=1"]);
});

Deno.test("a run that is refused for want of a cookie says how to keep it", async () => {
  await using server = recordingServer(({ text, line }) =>
    line.startsWith("POST")
      ? response("Set-Cookie: sid=1")
      : cookieOf(text)
      ? response()
      : "HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n"
  );
  const flow = `flow: f
steps:
  - { id: login, call: POST /login }
  - { id: page, call: GET /account }
`;
  using without = runFixture({ flow, url: server.url });
  const refused = await without.run();
  equal(refused.code, 1);
  match(refused.stdout, /`cookies: iteration`/);
  using kept = runFixture({
    flow: `version: 1\ncookies: iteration\n${flow}`,
    url: server.url,
  });
  const held = await kept.run();
  equal(held.code, 0, held.stdout);
  ok(!held.stdout.includes("`cookies: iteration`"));
});

for (
  const [keeps, profile, args] of [
    ["iteration", "integration", []],
    ["vu", "integration", []],
    ["vu", "load, vus: 3, iterations: 30", ["--workers", "2"]],
  ] as const
) {
  Deno.test(`a session's cookie that is kept for ${keeps} is stored nowhere, in ${profile}`, async () => {
    await using server = recordingServer(({ line, text, index }) => {
      const heard = cookieOf(text) ?? "";
      const body = JSON.stringify({ heard, hidden: btoa(heard) });
      const fields = line.startsWith("POST")
        ? [
          `Set-Cookie: sid=session-${index}-swordfish; Path=/`,
          "Set-Cookie: theme=dark-and-wide",
          "Set-Cookie: login=yes",
        ]
        : [];
      return `HTTP/1.1 200 OK\r\n${
        fields.map((each) => `${each}\r\n`).join("")
      }Content-Length: ${body.length}\r\n\r\n${body}`;
    });
    using fixture = runFixture({
      flow: `version: 1
flow: login
cookies: ${keeps}
data: rows.csv
profile: { mode: ${profile} }
steps:
  - { id: login, call: POST /login }
  - { id: page, call: GET /page, assert: [$.heard == nothing, $.hidden == nothing] }
`,
      files: { "rows.csv": `n\n${"1\n".repeat(30)}` },
      url: server.url,
    });
    const run = await fixture.run(args);
    equal(run.meta.iterations.failed, 30, run.stdout + run.stderr);
    const stored = [...Deno.readDirSync(run.dir)].map(({ name }) =>
      Deno.readTextFileSync(`${run.dir}/${name}`)
    ).join("\n");
    const shown = stored + run.stdout + run.stderr;
    for (const part of ["-swordfish", btoa("-swordfish").slice(0, 8)]) {
      ok(!shown.includes(part), `${part} in ${shown}`);
    }
    match(stored, /sid=\[redacted\]; Path=\//);
    match(stored, /"sid=\[redacted\]; theme=dark-and-wide; login=yes"/);
    equal(run.meta.failures.length, 1, "its cookie makes no other failure");
  });
}
