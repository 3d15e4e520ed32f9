import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { createHash, createHmac } from "node:crypto";
import { rawResponse } from "../support/raw_response.ts";
import { graphqlServer } from "../support/graphql_server.ts";
import {
  bodyOf,
  headerOf,
  recordingServer,
} from "../support/recording_server.ts";
import { runFixture, runOnce, spansOf } from "../support/run_fixture.ts";

/** A flow of one step; its lines stand inside the `graphql` block. */
function flow(block: string, besides = ""): string {
  const lines = (text: string, indent: string) =>
    text.trim().replace(/^/gm, indent);
  return `flow: graphql
data: users.csv
steps:
  - id: ask
    graphql:
      url: /graphql
${lines(block, "      ")}
${besides && lines(besides, "    ")}
`;
}
const FILES = { "users.csv": 'id,text\n7,"a ""quote"" é"\n' };

const USER = `
query: |
  query User($id: ID!) {
    user(id: $id) { name posts { id title } }
  }
variables: { id: "{{ user.id }}" }`;

Deno.test("graphql: document verbatim, variables templated, in canonical order", async () => {
  await using server = graphqlServer();
  const block = `
operation_name: Echo
query: |
  # Two operations.
  query Echo($input: Anything!) { echo(input: $input) }
  query Other { number }
variables:
  input: { text: "{{ user.text }}", count: 3, list: [2, 1], deep: { text: "id {{ user.id }}" } }`;
  const run = await runOnce({
    flow: flow(block, "assert: [$.data.echo contains quote]"),
    url: server.url,
    files: FILES,
  });
  equal(run.code, 0, run.stdout + run.stderr);
  deepStrictEqual(server.bodies, [
    '{"operationName":"Echo","query":"# Two operations.\\nquery Echo($input: Anything!) { echo(input: $input) }\\nquery Other { number }\\n",' +
    '"variables":{"input":{"count":3,"deep":{"text":"id 7"},"list":[2,1],"text":"a \\"quote\\" é"}}}',
  ]);
  const [call] = spansOf(run, "http_call");
  match(call!.request!.line, /^POST \/graphql HTTP\/1\.1$/);
});

Deno.test("graphql: a variable that the operation does not declare draws a warning, and is sent", async () => {
  await using server = recordingServer(() =>
    rawResponse(200, { data: { a: 1 } })
  );
  const run = await runOnce({
    flow: flow('query: "{ a }"\nvariables: { locale: en }'),
    url: server.url,
    files: FILES,
  });
  equal(run.code, 0, run.stdout + run.stderr);
  match(
    run.stderr,
    /^flow\.yaml:8:20: warning: the operation declares no variable `\$locale`$/m,
  );
  equal(
    bodyOf(server.arrivals[0]!),
    '{"query":"{ a }","variables":{"locale":"en"}}',
  );
});

Deno.test("graphql: a mutation, and what it resolved goes on to the next step", async () => {
  await using server = graphqlServer();
  const text = `flow: sums
steps:
  - id: first
    graphql:
      endpoint: /graphql
      query: "mutation ($a: Int!) { add(a: $a, b: 2) }"
      variables: { a: 1 }
    extract: { sum: $.data.add }
  - id: second
    graphql:
      url: /graphql
      query: "mutation ($a: Int!) { add(a: $a, b: 10) }"
      variables: { a: "{{ sum }}" }
    assert: [$.data.add == 13]
`;
  const run = await runOnce({ flow: text, url: server.url });
  equal(run.code, 0, run.stdout + run.stderr);
  match(server.bodies[1]!, /"variables":\{"a":3\}/);
});

Deno.test("on_errors fail: the step fails and keeps the error's path", async () => {
  await using server = graphqlServer();
  const run = await runOnce({
    flow: flow(USER),
    url: server.url,
    files: FILES,
  });
  equal(run.code, 1);
  const [failure] = run.meta.failures;
  equal(failure!.code, "graphql");
  equal(
    failure!.message,
    "GraphQL error at user.posts[1].title: no title",
  );
  match(failure!.actual!.text, /^\{"path":\["user","posts",1,"title"\]/);
  deepStrictEqual(failure!.expected, { type: "nothing", text: "" });
  equal(run.meta.error_rate, 1);
  match(run.stdout, /GraphQL error at user\.posts\[1\]\.title/);
});

Deno.test("on_errors allow_partial: what was resolved is extracted", async () => {
  await using server = graphqlServer();
  const run = await runOnce({
    flow: flow(
      `${USER}\non_errors: allow_partial`,
      "extract: { name: $.data.user.name }\nassert: [name == 'user 7']",
    ),
    url: server.url,
    files: FILES,
  });
  equal(run.code, 0, run.stdout + run.stderr);
});

Deno.test("on_errors allow_partial: without any data the step fails", async () => {
  await using server = graphqlServer();
  for (const field of ["broken", "brokenForSure"]) {
    const run = await runOnce({
      flow: flow(`query: "{ ${field} }"\non_errors: allow_partial`),
      url: server.url,
      files: FILES,
    });
    equal(run.code, 1);
    match(
      run.meta.failures[0]!.message,
      /^no data was resolved: GraphQL error at broken.*: boom/,
    );
  }
});

Deno.test("on_errors ignore: only the step's assertions judge", async () => {
  await using server = graphqlServer();
  for (const [assertion, code] of [["boom", 0], ["other", 1]] as const) {
    const run = await runOnce({
      flow: flow(
        'query: "{ broken }"\non_errors: ignore',
        `assert: ['$.errors[0].message == ${assertion}']`,
      ),
      url: server.url,
      files: FILES,
    });
    equal(run.code, code, run.stdout);
    if (code) equal(run.meta.failures[0]!.code, "assertion");
  }
});

Deno.test("application/graphql-response+json: its data is read, its 400 says why", async () => {
  await using server = graphqlServer(true);
  const good = await runOnce({
    flow: flow(
      'query: "{ number }"',
      "assert: [$.data.number == 42, header.Content-Type contains graphql-response]",
    ),
    url: server.url,
    files: FILES,
  });
  equal(good.code, 0, good.stdout + good.stderr);
  const bad = await runOnce({
    flow: flow('query: "{ nothing }"'),
    url: server.url,
    files: FILES,
  });
  equal(bad.code, 1);
  const [failure] = bad.meta.failures;
  equal(failure!.code, "status");
  match(failure!.message, /400 Bad Request: GraphQL error: Cannot query field/);
  const expected = await runOnce({
    flow: flow(
      'query: "{ nothing }"',
      "assert: [status == 400, $.data not_exists]",
    ),
    url: server.url,
    files: FILES,
  });
  equal(expected.code, 0, expected.stdout);
});

Deno.test("graphql under load in two threads: every iteration is counted", async () => {
  await using server = graphqlServer();
  const text = `flow: load
profile: { mode: load, vus: 8, iterations: 200 }
steps:
  - id: ask
    graphql:
      url: /graphql
      query: "{ number }"
    assert: [$.data.number == 42]
`;
  const run = await runOnce({ flow: text, url: server.url }, [
    "--workers",
    "2",
  ]);
  equal(run.code, 0, run.stdout + run.stderr);
  equal(run.meta.iterations.passed, 200);
  equal(server.bodies.length, 200);
  ok(run.meta.latency.p50! > 0);
});

Deno.test("graphql: a document with an error is refused before the run", async () => {
  await using server = graphqlServer();
  const run = await runOnce({
    flow: flow("query: |\n  {\n    number(\n  }"),
    url: server.url,
    files: FILES,
  }).catch((error: Error) => error);
  ok(run instanceof Error);
  match(run.message, /flow\.yaml:10:9: error: the document is not GraphQL/);
  equal(server.bodies.length, 0);
});

Deno.test("graphql: a secret in an error's message is hidden, also where it is cut", async () => {
  const token = `secret-${"x1".repeat(150)}`;
  for (const message of [`no ${token} here`, `${"y".repeat(100)}${token}`]) {
    await using server = recordingServer(() =>
      rawResponse(200, { errors: [{ message, path: ["a"] }, { message }] })
    );
    using fixture = runFixture({
      flow: `flow: secrets
auth: { scheme: bearer, token: "{{ env.TOKEN }}" }
steps: [{ id: ask, graphql: { url: /g, query: "{ a }" } }]
`,
      url: server.url,
    });
    const run = await fixture.run([], { env: { TOKEN: token } });
    equal(run.code, 1);
    for (const { name } of Deno.readDirSync(run.dir)) {
      const text = Deno.readTextFileSync(`${run.dir}/${name}`);
      equal(text.includes("secret-x1x1"), false, name);
    }
    match(run.meta.failures[0]!.message, /2 GraphQL errors.*\[redacted\]/);
    equal(run.stdout.includes("secret-x1x1"), false);
  }
});

Deno.test("graphql: each attempt is signed anew, over the body that is sent", async () => {
  await using server = recordingServer(({ index }) =>
    index === 0 ? rawResponse(503) : rawResponse(200, { data: { a: 1 } })
  );
  using fixture = runFixture({
    flow: `flow: signed
auth:
  scheme: hmac
  secret: "{{ env.SECRET }}"
  sign: "{method} {path} {body_sha256}"
steps:
  - id: ask
    graphql:
      url: /g
      query: "query ($a: Int) { a(b: $a) }"
      variables: { a: 1 }
    retry: { on_status: [503], backoff: fixed, max_attempts: 2, base_delay: 1ms }
    assert: [$.data.a == 1]
`,
    url: server.url,
  });
  const run = await fixture.run([], { env: { SECRET: "hush" } });
  equal(run.code, 0, run.stdout + run.stderr);
  equal(server.arrivals.length, 2);
  for (const arrival of server.arrivals) {
    const digest = createHash("sha256").update(bodyOf(arrival)).digest("hex");
    equal(
      headerOf(arrival, "X-Signature"),
      createHmac("sha256", "hush").update(`POST /g ${digest}`).digest("hex"),
    );
  }
  equal(
    bodyOf(server.arrivals[1]!),
    '{"query":"query ($a: Int) { a(b: $a) }","variables":{"a":1}}',
  );
});

Deno.test("graphql: a declared throttle status wins over what the body says", async () => {
  await using server = recordingServer(() =>
    rawResponse(503, { errors: [{ message: "slow down" }] })
  );
  const run = await runOnce({
    flow: `flow: throttled
profile: { mode: load, iterations: 2 }
steps:
  - id: ask
    graphql: { url: /g, query: "{ a }" }
    throttle: { statuses: [503] }
`,
    url: server.url,
  });
  equal(run.code, 0, run.stdout);
  deepStrictEqual([run.meta.throttle_rate, run.meta.error_rate], [1, 0]);
});
