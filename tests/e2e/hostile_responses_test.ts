import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { rawResponse } from "../support/raw_response.ts";
import { grpcServer, respond } from "../support/grpc_server.ts";
import {
  DEEP,
  lists,
  longList,
  nestedMessage,
  objects,
  twins,
} from "../support/hostile_bodies.ts";
import { recordingServer } from "../support/recording_server.ts";
import { type FixtureRun, runOnce } from "../support/run_fixture.ts";
import { wsServer } from "../support/ws_server.ts";

/** The steps of a run and how each of them ended, once. */
function outcomes(run: FixtureRun): [string, string][] {
  equal(run.meta.status, "finished", run.stderr);
  return run.meta.steps.map(({ id, passed, failed }) => [
    id,
    passed > 0 ? "passed" : failed > 0 ? "failed" : "not run",
  ]);
}

const json = (text: string) =>
  rawResponse(200, text, { "Content-Type": "application/json" });

Deno.test("hostile responses: a body is looked into as deep and as long as it is", async () => {
  const bodies: Readonly<Record<string, string>> = {
    lists: lists(DEEP),
    objects: objects(DEEP),
    long: longList(300_000),
    twins: twins(20_000),
  };
  const checks: [id: string, path: string, assertion: string][] = [
    ["below", "lists", "$..b not_exists"],
    ["inside", "objects", "$..[?@.a == 1] != null"],
    ["whole", "objects", "$ == 1"],
    ["other", "objects", '$.a != {"a": 1}'],
    ["has", "lists", "$ contains 1"],
    ["all", "long", "$.a[*] contains 1"],
    ["none", "long", "$.a[?@ != 1] not_exists"],
    ["word", "long", "$.a[*] matches x"],
    ["equal", "twins", "$[?@.a == @.b] not_exists"],
    ["unequal", "twins", "$[?@.a != @.b] exists"],
    ["endless", "objects", "$..a..a..a exists"],
  ];
  await using server = recordingServer(({ line }) =>
    json(bodies[line.replace("GET /", "")]!)
  );
  const steps = checks.map(([id, path, assertion]) =>
    `  - { id: ${id}, call: GET /${path}, on_failure: record, assert: ['${assertion}'] }\n`
  );
  const run = await runOnce({
    flow: `flow: deep\nsteps:\n${steps.join("")}`,
    url: server.url,
  });
  equal(run.code, 1, run.stderr);
  deepStrictEqual(outcomes(run), [
    ["below", "passed"],
    ["inside", "passed"],
    ["whole", "failed"],
    ["other", "passed"],
    ["has", "failed"],
    ["all", "passed"],
    ["none", "passed"],
    ["word", "failed"],
    ["equal", "passed"],
    ["unequal", "passed"],
    ["endless", "failed"],
  ]);
  const endless = run.meta.failures.find(({ step }) => step === "endless");
  equal(endless?.code, "limit");
  match(endless!.message, /looks at more than 20000000 values$/);
  ok(run.meta.failures.every(({ code }) => code !== "fault"), run.stdout);
});

Deno.test("hostile responses: a deep value is extracted and sent on", async () => {
  const deep = objects(DEEP);
  await using server = recordingServer(({ line }) =>
    line === "GET /deep" ? json(deep) : rawResponse(200)
  );
  const run = await runOnce({
    flow: `flow: on
steps:
  - { id: take, call: GET /deep, extract: { all: $, some: $.a.a } }
  - { id: send, call: POST /x, body: { v: "{{ all }}", t: "it is {{ some }}" } }
  - { id: same, call: GET /deep, assert: ["$ == {{ all }}", "$.a.a == {{ some }}"] }
`,
    url: server.url,
  });
  equal(run.code, 0, run.stdout + run.stderr);
  ok(server.arrivals[1]!.text.includes(`"v":${deep}}`));
});

Deno.test("hostile responses: no text keeps a pattern busy", async () => {
  await using server = recordingServer(() =>
    json(JSON.stringify({ v: `${"a".repeat(1 << 20)}!` }))
  );
  const check = (id: string, assertion: string) =>
    `  - { id: ${id}, call: GET /, on_failure: record, assert: ['${assertion}'] }\n`;
  const run = await runOnce({
    flow: `flow: patterns\nsteps:\n${
      check("nested", "$.v matches ^(a+)+$") +
      check("spread", "$.v matches a.*b.*c") +
      check("ahead", "$.v matches ^(?=.*!)(?:a|aa)+!$") +
      check("search", '$[?search(@, "^(a+)+$")] not_exists') +
      check("back", "$.v matches ^(a+)!\\1$")
    }`,
    url: server.url,
  });
  equal(run.code, 1, run.stderr);
  deepStrictEqual(outcomes(run), [
    ["nested", "failed"],
    ["spread", "failed"],
    ["ahead", "passed"],
    ["search", "passed"],
    ["back", "failed"],
  ]);
  const back = run.meta.failures.find(({ step }) => step === "back");
  equal(back?.code, "limit");
  match(back!.message, /the text has 1048577 characters/);
});

Deno.test("hostile responses: a GraphQL response is judged whatever is in it", async () => {
  const bodies = [
    `{"errors":[{"message":${lists(DEEP)},"path":[${lists(DEEP)},1]}]}`,
    `{"errors":[${lists(DEEP)}]}`,
    `{"errors":[1e400]}`,
    `{"data":{"a":${objects(DEEP)}},"errors":${lists(DEEP)}}`,
    lists(DEEP),
  ];
  let next = 0;
  await using server = recordingServer(() => json(bodies[next++]!));
  const steps = bodies.map((_, index) =>
    `  - { id: s${index}, graphql: { url: /, query: "{ a }" }, on_failure: record }\n`
  );
  const run = await runOnce({
    flow: `flow: graph\nsteps:\n${steps.join("")}`,
    url: server.url,
  });
  equal(run.code, 1, run.stderr);
  deepStrictEqual(
    outcomes(run).map(([, outcome]) => outcome),
    bodies.map(() => "failed"),
  );
  deepStrictEqual(
    run.meta.failures.map(({ code }) => code).filter((each) =>
      each === "fault"
    ),
    [],
  );
});

Deno.test("hostile responses: frames are matched and skipped however deep they are", async () => {
  const frames = [
    lists(DEEP),
    objects(DEEP),
    objects(60),
    objects(20_000),
    longList(300_000),
    '{"b":2}',
  ];
  await using server = await wsServer({
    session: ({ socket }) => {
      for (const frame of frames) socket.send(frame);
    },
  });
  const run = await runOnce({
    url: server.url,
    flow: `flow: frames
steps:
  - id: skips
    ws: { url: /, session: a, receive: { match: '$..b == 2', timeout: 20s } }
    assert: [$.b == 2]
  - id: says
    ws: { url: /, session: b, receive: { match: '$.a[*] == 7', timeout: 1s } }
    on_failure: record
  - id: compares
    ws: { url: /, session: c, receive: { match: '$[?@.a && @.a == @.b] exists', timeout: 1s } }
    on_failure: record
  - id: endless
    ws: { url: /, session: d, receive: { match: '$..a..a..a == 7', timeout: 20s } }
    on_failure: record
`,
  });
  equal(run.code, 1, run.stdout + run.stderr);
  deepStrictEqual(outcomes(run), [
    ["skips", "passed"],
    ["says", "failed"],
    ["compares", "failed"],
    ["endless", "failed"],
  ]);
  const codes = run.meta.failures.map(({ step, code }) => [step, code]);
  deepStrictEqual(codes.sort(), [
    ["compares", "timeout"],
    ["endless", "limit"],
    ["says", "timeout"],
  ]);
});

Deno.test("hostile responses: a poll judges them, and ends", async () => {
  const rounds = [lists(DEEP), objects(DEEP), longList(300_000), '{"b":2}'];
  let next = 0;
  await using server = recordingServer(() => json(rounds[next++]!));
  const run = await runOnce({
    url: server.url,
    flow: `flow: rounds
steps:
  - id: waits
    poll: { call: GET /, until: [$..b == 2], interval: 10ms, max_attempts: 9 }
`,
  });
  equal(run.code, 0, run.stdout + run.stderr);
});

Deno.test("hostile responses: a message that holds itself too often fails its step", async () => {
  // child = 1, as often as lengths allow: each level is one tag and one length.
  const message = nestedMessage(5_000, 1);
  await using server = await grpcServer((call) => respond(call, message));
  const run = await runOnce({
    url: `http://127.0.0.1:${server.port}`,
    files: {
      "tree.proto": `syntax = "proto3";
package tree;
message Node { Node child = 1; }
service Trees { rpc Grow(Node) returns (Node); }
`,
    },
    flow: `flow: trees
steps:
  - id: grows
    grpc: { proto: tree.proto, method: tree.Trees/Grow }
    assert: [$..b not_exists]
    on_failure: record
  - id: goes_on
    grpc: { proto: tree.proto, method: tree.Trees/Grow }
    on_failure: record
`,
  });
  ok(run.code === 0 || run.code === 1, run.stderr);
  equal(run.meta.status, "finished");
});

Deno.test("hostile responses: a load run of two workers goes on", async () => {
  const bodies = [
    json(lists(DEEP)),
    json(objects(20_000)),
    json(twins(5_000)),
    json("{"),
    rawResponse(200, String.fromCharCode(...gzipSync(lists(DEEP))), {
      "Content-Encoding": "gzip",
    }),
    "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nbroken",
    "HTTP/9.9 !\r\n\r\n",
  ];
  await using server = recordingServer(({ index }) =>
    bodies[index % bodies.length]
  );
  const run = await runOnce({
    url: server.url,
    target: "request_timeout: 500ms\n",
    flow: `flow: load
profile: { mode: load, vus: 4, iterations: 40 }
steps:
  - id: ask
    call: GET /
    extract: { v: $..a }
    assert: ['$..b == 2', '$[?@.a == @.b] exists', $ matches (a+)+$]
`,
  }, ["--workers", "2"]);
  equal(run.meta.status, "finished", run.stderr);
  equal(run.meta.iterations.completed, 40);
  ok(run.meta.failures.every(({ code }) => code !== "fault"), run.stdout);
});
