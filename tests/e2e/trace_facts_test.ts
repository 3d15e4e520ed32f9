import { deepStrictEqual, equal } from "node:assert/strict";
import { startDemoTarget } from "../../cli/demo/server.ts";
import { rawResponse } from "../support/raw_response.ts";
import { recordingServer } from "../support/recording_server.ts";
import { runOnce, spansOf } from "../support/run_fixture.ts";

Deno.test("traces: a check says what it expects and what it saw, also where it holds, and no secret", async () => {
  await using server = recordingServer(() =>
    rawResponse(200, { token: "tok-4711-secret", name: "Ada", n: 3 })
  );
  const flow = `flow: facts
steps:
  - id: login
    call: POST /login
    extract: { token: $.token, name: $.name }
    assert: [status == 200, '$.name == "Ada"', $.n < 10, latency < 1m]
  - id: act
    call: "GET /users/{{ name }}"
    auth: { scheme: bearer, token: "{{ token }}" }
    assert: [name != other]
`;
  const run = await runOnce({ flow, url: server.url });
  const facts = (name: string) => spansOf(run, name)[0]!.attributes!;
  deepStrictEqual(facts("login.extract@name"), {
    check: "$.name",
    type: "string",
    value: "Ada",
  });
  equal(facts("login.extract@token").value, "[redacted]");
  deepStrictEqual(
    [0, 1, 2].map((n) => {
      const { check, type, value } = facts(`login.assert@${n}`);
      return [check, type, value];
    }),
    [
      ["status == 200", "integer", "200"],
      ['$.name == "Ada"', "string", "Ada"],
      ["$.n < 10", "integer", "3"],
    ],
  );
  equal(facts("login.assert@3").type, "duration");
  equal(facts("act.assert@0").check, 'name != "other"');
  equal(facts("login").call, "POST /login");
  equal(facts("act").call, "GET /users/{{ name }}");
  equal(run.stdout.includes("tok-4711"), false);
});

Deno.test("traces: a step says its operation, its method or its session", async () => {
  const target = await startDemoTarget({ port: 0, hostname: "127.0.0.1" });
  try {
    const flow = `flow: kinds
steps:
  - id: query
    graphql:
      url: /graphql
      query: "query Products { products { id } }"
    on_failure: record
  - id: open
    ws: { url: /chat, session: room }
    on_failure: record
`;
    const run = await runOnce({ flow, url: target.url });
    equal(spansOf(run, "query")[0]!.attributes!.operation, "Products");
    equal(spansOf(run, "open")[0]!.attributes!.session, "room");
  } finally {
    await target.close();
  }
});
