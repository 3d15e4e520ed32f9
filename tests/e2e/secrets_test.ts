import {
  deepStrictEqual,
  doesNotMatch,
  equal,
  match,
  ok,
} from "node:assert/strict";
import { join } from "node:path";
import { rawServer } from "../support/raw_server.ts";
import { rawResponse } from "../support/raw_response.ts";
import { bench, workspace } from "../support/bench.ts";
import {
  bodyOf,
  headerOf,
  recordingServer,
} from "../support/recording_server.ts";
import {
  type FixtureRun,
  runFixture,
  spansOf,
} from "../support/run_fixture.ts";

const SECRET = 'Sup3r s€cret/+?"&';
const KEY = "k3y-of-the-realm";
const PASSWORD = "hunter2hunter2";
const TOKEN = "issued.access-token_1";

const FLOW = `flow: secrets
steps:
  - id: url
    call: "GET /in/{{ env.KEY }}?also={{ env.KEY }}"
    query: { q: "{{ env.SECRET }}" }
  - id: header
    call: GET /header
    headers: { X-Secret: "{{ env.KEY }}", X-Mixed: "a-{{ env.KEY }}-b" }
  - id: body
    call: POST /body
    body: { whole: "{{ env.SECRET }}", part: "<{{ env.SECRET }}>" }
  - id: basic
    call: GET /basic
    auth: { scheme: basic, username: "{{ env.USER_NAME }}", password: "{{ env.PASSWORD }}" }
  - id: cookie
    call: GET /cookie
    auth: { scheme: cookie, name: sid, value: "{{ env.KEY }}" }
  - id: token
    call: GET /token-user
    auth:
      scheme: oauth2_client_credentials
      token_url: "{{ env.TOKEN_URL }}"
      client_id: me
      client_secret: "{{ env.SECRET }}"
  - id: echo
    call: POST /echo
    body: { say: "{{ env.SECRET }}" }
    extract: { said: $.said }
    assert: [$.said == other, header.X-Plain == other]
    on_failure: record
  - id: later
    call: "GET /later/{{ said }}"
    assert: [said == other]
    on_failure: record
`;

/** Every way a server may throw a secret back. */
function echoes(secret: string): Record<string, unknown> {
  return {
    said: secret,
    percent: encodeURIComponent(secret),
    form: new URLSearchParams({ x: secret }).toString(),
    base64: base64(secret),
    base64url: base64(secret).replaceAll("+", "-").replaceAll("/", "_")
      .replaceAll("=", ""),
    [secret]: "as a key",
    nested: JSON.stringify({ again: secret }),
  };
}

function base64(text: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(text)));
}

/** Files and streams in which one of the words stands, as "word in place". */
function leaks(run: FixtureRun, words: Record<string, string>): string[] {
  const texts = new Map([["stdout", run.stdout], ["stderr", run.stderr]]);
  for (const { name } of Deno.readDirSync(run.dir)) {
    texts.set(name, Deno.readTextFileSync(join(run.dir, name)));
  }
  return [...texts].flatMap(([location, text]) =>
    Object.entries(words).filter(([, word]) => text.includes(word))
      .map(([name]) => `${name} in ${location}`)
  );
}

Deno.test("secrets stand in no byte of the run directory or the output", async () => {
  await using server = recordingServer(({ line }) => {
    if (line === "POST /token") {
      return rawResponse(200, { access_token: TOKEN, token_type: "bearer" });
    }
    return rawResponse(200, { ...echoes(SECRET), key: KEY, token: TOKEN }, {
      "X-Plain": KEY,
      "X-Token": `Bearer ${TOKEN}`,
      "Set-Cookie": `sid=${encodeURIComponent(PASSWORD)}; Path=/`,
    });
  });
  const env = {
    SECRET,
    KEY,
    PASSWORD,
    USER_NAME: "the-user-name",
    TOKEN_URL: `${server.url}/token`,
  };
  const words: Record<string, string> = {
    key: KEY,
    password: PASSWORD,
    token: TOKEN,
    blob: base64(`${env.USER_NAME}:${PASSWORD}`),
    tokenBlob: base64(
      "me:" + new URLSearchParams({ "": SECRET }).toString().slice(1),
    ),
    secret: SECRET,
    json: JSON.stringify(SECRET).slice(1, -1),
    percent: encodeURIComponent(SECRET),
    path: "Sup3r%20s%E2%82%ACcret/+%3F%22&",
    form: new URLSearchParams({ "": SECRET }).toString().slice(1),
    base64: base64(SECRET),
    base64url: base64(SECRET).replaceAll("/", "_").replace(/=+$/, ""),
    keyBase64: base64(KEY),
  };
  using fixture = runFixture({ flow: FLOW, url: server.url });
  for (const args of [[], ["--json"]]) {
    const run = await fixture.run(args, { env });
    equal(run.code, 1, run.stdout + run.stderr);
    deepStrictEqual(leaks(run, words), []);
    const { meta, traces } = run;
    match(JSON.stringify(traces), /\[redacted\]/);
    equal(meta.status, "finished", meta.abort_reason ?? "");
    match(JSON.stringify(meta.failures), /\[redacted\]/);
  }
  // What was sent is real all the same.
  const echo = server.arrivals.find(({ line }) => line === "POST /echo")!;
  equal(decoded(bodyOf(echo)), JSON.stringify({ say: SECRET }));
  const header = server.arrivals.find(({ line }) => line === "GET /header")!;
  equal(headerOf(header, "X-Mixed"), `a-${KEY}-b`);
});

function decoded(latin1: string): string {
  return new TextDecoder().decode(
    Uint8Array.from(latin1, (each) => each.charCodeAt(0)),
  );
}

Deno.test("secrets of a load run stay out of its workers' traces", async () => {
  await using server = recordingServer(() =>
    rawResponse(500, { said: KEY, blob: base64(KEY) }, { "X-Key": KEY })
  );
  const flow = `flow: load
profile: { mode: load, vus: 4, iterations: 20 }
steps:
  - id: one
    call: "GET /{{ env.KEY }}"
    headers: { X-Key: "{{ env.KEY }}" }
`;
  using fixture = runFixture({ flow, url: server.url });
  const run = await fixture.run(["--workers", "2"], { env: { KEY } });
  equal(run.code, 1, run.stdout + run.stderr);
  equal(run.meta.iterations.failed, 20);
  deepStrictEqual(leaks(run, { plain: KEY, base64: base64(KEY) }), []);
  match(JSON.stringify(run.traces), /GET \/\[redacted\] HTTP/);
});

Deno.test("a secret in a refusal before the run is not printed", async () => {
  const calls = ["GET http://other.test/{{ env.KEY }}", "GET {{ env.KEY }}/x"];
  for (const call of calls) {
    const flow = `flow: refused\nsteps:\n  - { id: one, call: "${call}" }\n`;
    using fixture = runFixture({ flow, url: "http://127.0.0.1:1" });
    const run = await fixture.run([], { env: { KEY } });
    equal(run.code, 2);
    match(run.stderr, /^flow\.yaml:3:/);
    equal((run.stdout + run.stderr).includes(KEY), false);
  }
});

Deno.test("secrets: a literal that is refused reaches no log, in no form of the message", async () => {
  const secret = "hunter2-swordfish";
  using folder = workspace({
    "flow.yaml": `flow: literal
steps:
  - id: one
    call: GET /one
    auth: { scheme: basic, username: ada, password: ${secret}, usr: 1 }
  - id: two
    call: GET https://ada:${secret}@127.0.0.1/
    headers: { Authorization: "Bearer ${secret}", Authorization: again }
`,
    "broken.yaml": `flow: x\nauth:\n  token: ${secret}: ${secret}\n`,
    "target.yaml":
      `name: here\nbase_urls: [https://ada:${secret}@127.0.0.1]\ntoken: ${secret}\n`,
  });
  const env = { GITHUB_ACTIONS: "true" };
  const options = { cwd: folder.path, env };
  const runs = await Promise.all([
    bench(["validate", "flow.yaml", "--target", "target.yaml"], options),
    bench(["validate", "broken.yaml", "--diagnostics", "json"], options),
    bench(["validate", "flow.yaml", "--diagnostics", "json"], options),
    bench(["run", "flow.yaml", "--target", "target.yaml"], options),
    bench(["compile", "broken.yaml"], options),
  ]);
  for (const { code, stdout, stderr } of runs) {
    equal(code, 2, stdout + stderr);
    match(stdout + stderr, /::error file=/);
    ok(!(stdout + stderr).includes("swordfish"), stdout + stderr);
  }
  const [text] = runs;
  // No source line is shown of any of them.
  doesNotMatch(text.stderr, /^ *[528] \|/m);
  match(text.stderr, /^flow\.yaml:5:\d+: error: /m);
});

Deno.test("secrets: a literal Authorization header draws a warning and is stored in the flow alone", async () => {
  const blob = "YWRhOnN3b3JkZmlzaA==";
  await using server = recordingServer((arrival) =>
    rawResponse(200, {
      heard: headerOf(arrival, "Authorization") ?? "",
      token: "sword-fish",
    })
  );
  const flow = `flow: literals
steps:
  - id: bearer
    call: GET /bearer
    headers: { Authorization: Bearer sword-fish }
  - id: basic
    call: GET /basic
    headers: { authorization: Basic ${blob} }
  - id: proxy
    call: GET /proxy
    headers: { Proxy-Authorization: other-fish }
`;
  using fixture = runFixture({ flow, url: server.url });
  const run = await fixture.run();
  equal(run.code, 0, run.stdout + run.stderr);
  const places = leaks(run, {
    bearer: "sword-fish",
    blob,
    proxy: "other-fish",
  });
  deepStrictEqual(places, [
    "bearer in flow.json",
    "blob in flow.json",
    "proxy in flow.json",
  ]);
  deepStrictEqual(
    [...run.stderr.matchAll(/^flow\.yaml:(\d+):16: warning: .* literal/gm)]
      .map(([, line]) => line),
    ["5", "8", "11"],
  );
  equal(headerOf(server.arrivals[0]!, "Authorization"), "Bearer sword-fish");
  match(JSON.stringify(run.traces), /"Authorization","\[redacted\]"/);
});

Deno.test("a warning is printed by every command that checks a flow, and changes no exit code", async () => {
  using folder = workspace({
    "flow.yaml":
      "flow: w\nsteps:\n  - { id: one, call: GET /, headers: { Authorization: swordfish } }\n",
    "target.yaml": "name: here\nbase_urls: [http://127.0.0.1:1]\n",
  });
  const cwd = folder.path;
  const target = ["--target", "target.yaml"];
  const text = await Promise.all([
    bench(["validate", "flow.yaml", ...target], { cwd }),
    bench(["compile", "flow.yaml"], { cwd }),
    bench(["plan", "flow.yaml", ...target], { cwd }),
  ]);
  for (const { code, stderr } of text) {
    equal(code, 0);
    match(stderr, /^flow\.yaml:3:40: warning: /);
    ok(!stderr.includes("swordfish"));
  }
  equal(JSON.parse(text[1]!.stdout).flow, "w");
  const env = { GITHUB_ACTIONS: "true" };
  const json = await bench(["validate", "flow.yaml", "--diagnostics", "json"], {
    cwd,
    env,
  });
  equal(json.code, 0);
  const [warning, ...more] = JSON.parse(json.stdout);
  deepStrictEqual([warning.severity, warning.code, more.length], [
    "warning",
    "literal-credential",
    0,
  ]);
  match(json.stderr, /^::warning file=flow\.yaml,line=3,col=40::/m);
});

/** A server whose every login has a token of its own, which it throws back. */
function loginServer() {
  const tokens: string[] = [];
  const server = recordingServer((arrival) => {
    if (arrival.line.startsWith("POST /login")) {
      // Fixed letters around the number, so that a test can look for any of them.
      const token = `session-of-${tokens.length}-swordfish/+`;
      tokens.push(token);
      return rawResponse(200, { session: { token }, plain: token });
    }
    const heard = headerOf(arrival, "Authorization") ?? "";
    return rawResponse(200, {
      heard,
      hidden: base64(heard.replace("Bearer ", "")),
      in_url: encodeURIComponent(heard),
      // Names that a thread knows once it has loaded them.
      in_html: heard.replace("/", "&sol;").replace("+", "&plus;"),
    });
  });
  return { server, tokens };
}

const LOGIN = `steps:
  - id: login
    call: POST /login
    auth: { scheme: none }
    extract: { token: $.plain, session: $.session }
    assert: [token != nothing]
  - id: bearer
    call: GET /act
    auth: { scheme: bearer, token: "{{ session.token }}" }
    assert: [$.heard == other]
    on_failure: record
  - id: header
    call: GET /act
    headers: { Authorization: "Bearer {{ token }}" }
    assert: [$.hidden == other, $.heard contains swordfish]
    on_failure: record
`;

for (
  const [mode, args] of [
    ["integration", []],
    ["load, vus: 4, iterations: 40", ["--workers", "1"]],
    ["load, vus: 4, iterations: 40", ["--workers", "2"]],
  ] as const
) {
  Deno.test(`secrets: a variable that is sent as a credential is stored nowhere, in ${mode} ${args.join(" ")}`, async () => {
    const { server, tokens } = loginServer();
    await using _ = server;
    const flow = `flow: login\nprofile: { mode: ${mode} }\n${LOGIN}`;
    using fixture = runFixture({ flow, url: server.url });
    const run = await fixture.run(args);
    equal(run.meta.status, "finished", run.stdout + run.stderr);
    equal(tokens.length, run.meta.iterations.completed);
    deepStrictEqual(
      leaks(run, {
        token: "-swordfish",
        percent: "-swordfish%2F",
        base64: "c2Vzc2lvbi1vZi",
      }),
      [],
    );
    const bodies = JSON.stringify(run.traces);
    match(bodies, /\{\\"session\\":\{\\"token\\":\\"\[redacted\]\\"\},/);
    match(bodies, /"Authorization","Bearer \[redacted\]"/);
    // Each iteration has another token, and the failure is the same.
    const messages = run.meta.failures.map(({ message }) => message);
    deepStrictEqual(messages.length, 2, messages.join("\n"));
    for (const message of messages) match(message, /\[redacted\]|<text>/);
  });
}

Deno.test("secrets: a variable that is sent under a name of credentials is one", async () => {
  const uses = [
    'headers: { X-Auth-Token: "{{ t0 }}" }',
    'headers: { Cookie: "a=b; session={{ t1 }}" }',
    'query: { access_token: "{{ t2 }}" }',
    'query: { q: "{{ t3 }}" }, headers: { X-Api-Key: "{{ t3 }}" }',
    'body: { user: { password: "{{ t4 }}" } }',
    'form: { password: "{{ t5 }}" }',
  ];
  const issued = uses.map((_, nth) => `sword-fish/${nth}`);
  await using server = recordingServer((arrival) =>
    rawResponse(200, {
      issued,
      page: "page-3",
      line: arrival.line,
      body: bodyOf(arrival),
    })
  );
  const extract = uses.map((_, nth) => `t${nth}: "$.issued[${nth}]"`);
  const flow = `version: 1
flow: named
steps:
  - { id: login, call: GET /login, extract: { ${extract}, page: $.page } }
${
    uses.map((use, nth) =>
      `  - { id: act${nth}, call: "POST /act?page_token={{ page }}", ${use}, ` +
      "assert: [$.line == other], on_failure: record }\n"
    ).join("")
  }`;
  using fixture = runFixture({ flow, url: server.url });
  const run = await fixture.run();
  equal(run.code, 1, run.stdout + run.stderr);
  for (const token of issued) {
    const words = { token, encoded: encodeURIComponent(token) };
    deepStrictEqual(leaks(run, words), [], token);
  }
  // What says where a list goes on is none.
  match(JSON.stringify(run.traces), /page_token=page-3/);
});

Deno.test("secrets: credentials that are written out are redacted in what was sent and received", async () => {
  const words = {
    header: "literal-header",
    cookie: "literal-cookie",
    query: "literal query",
    url: "literal-url",
    body: "literal-body",
  };
  await using server = recordingServer((arrival) =>
    rawResponse(200, {
      line: arrival.line,
      cookie: headerOf(arrival, "Cookie") ?? "",
      words: Object.values(words),
    })
  );
  const flow = `flow: literals
steps:
  - id: one
    call: POST /one?access_token=${words.url}
    headers: { X-Api-Key: ${words.header}, Cookie: "a=b; sid=${words.cookie}" }
    query: { api_key: ${words.query} }
    body: { user: { password: ${words.body} } }
`;
  using fixture = runFixture({ flow, url: server.url });
  const run = await fixture.run();
  equal(run.code, 0, run.stdout + run.stderr);
  const texts = { ...words, percent: "literal%20query", form: "literal+query" };
  // A span says the call as it is written, and so does the flow.
  deepStrictEqual(
    leaks(run, texts).filter((each) => !each.endsWith("in flow.json")),
    ["url in traces.json"],
  );
  const bodies = spansOf(run, "http_call").map(({ request, response }) =>
    JSON.stringify([request, response])
  ).join();
  match(bodies, /POST \/one\?access_token=\[redacted\]&api_key=\[redacted\]/);
  ok(!bodies.includes("literal"), bodies);
});

Deno.test("secrets: a short one beside another ends no run, and step ids are as they are written", async () => {
  await using server = recordingServer(() =>
    rawResponse(200, { text: "acme has 1 job" })
  );
  const flow = `flow: short
steps:
  - id: of_acme
    call: GET /jobs
    headers: { X-Tenant: "{{ env.TENANT }}", X-N: "{{ env.N }}" }
    assert: [$.text == none]
`;
  using fixture = runFixture({ flow, url: server.url });
  const run = await fixture.run([], { env: { TENANT: "acme", N: "1" } });
  equal(run.code, 1, run.stdout + run.stderr);
  match(run.stdout, /why: 1 × of_acme: \$\.text == "none"/);
  const [exchange] = spansOf(run, "http_call");
  equal(exchange!.response!.body, '{"text":"[redacted] has 1 job"}');
});

Deno.test("secrets: a long body that is cut at what may begin one ends no run, and replays the same", async () => {
  const body = "x".repeat(64 * 1024 - 8) + "https://www.example.com/ and more";
  await using server = recordingServer(() => rawResponse(200, body));
  const flow = `flow: long
steps: [{ id: a, call: GET /, headers: { X-Site: "{{ env.SITE }}" } }]
`;
  using fixture = runFixture({ flow, url: server.url });
  const env = { SITE: "https://shop.example.com" };
  const run = await fixture.run([], { env });
  equal(run.code, 0, run.stdout + run.stderr);
  const replay = await bench(["replay", run.dir], { env, cwd: fixture.path });
  match(replay.stdout, /every exchange is the same/);
});

Deno.test("secrets: a reason names the flow of a mix as it is written", async () => {
  await using server = recordingServer(() => rawResponse(500, {}));
  const flow = `version: 1
mix: both
flows: [{ flow: part.bench.yaml, weight: 1 }]
profile:
  { mode: load, vus: 1, iterations: 1, thresholds: ["of_acme: error_rate < 1%"] }
`;
  const part = `flow: of_acme
steps: [{ id: a, call: GET /, headers: { X-Tenant: "{{ env.TENANT }}" } }]
`;
  using fixture = runFixture({
    flow,
    url: server.url,
    files: { "part.bench.yaml": part },
  });
  const run = await fixture.run([], { env: { TENANT: "acme" } });
  equal(run.code, 1, run.stdout + run.stderr);
  match(run.meta.reason!.text, /; of_acme: error_rate < 1% did not hold/);
});

const CUT_OFF = [
  ["no response at all", "GET /v1?key=", ""],
  ["a bad header name", "HTTP/1.1 200 OK\r\n" + "y".repeat(12), ": x\r\n\r\n"],
  [
    "a bad chunk size",
    "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nyyyy",
    "\r\n",
  ],
] as const;

for (const [what, before, after] of CUT_OFF) {
  for (const whole of [true, false]) {
    Deno.test(
      `secrets: a message that cuts one off keeps no part of it: ${what}, ${
        whole ? "in one piece" : "as far as it has come"
      }`,
      async () => {
        const secret = "sk_live_51Hb9QzXwAbCdEf ()GhIjKlMnOp";
        const bytes = before + secret + after;
        const come = before.length + 20;
        await using server = rawServer(async (connection) => {
          await connection.request();
          await connection.send(whole ? bytes : bytes.slice(0, come));
        });
        using fixture = runFixture({
          flow: `flow: cut
steps:
  - id: one
    call: GET /
    headers: { X-Key: "{{ env.KEY }}" }
`,
          url: server.url,
        });
        const run = await fixture.run([], { env: { KEY: secret } });
        equal(run.code, 1, run.stderr);
        deepStrictEqual(leaks(run, { start: secret.slice(0, 12) }), []);
      },
    );
  }
}
