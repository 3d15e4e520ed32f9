import { deepStrictEqual, equal, ok } from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import { rawResponse } from "../support/raw_response.ts";
import {
  lists,
  longList,
  nestedMessage,
  objects,
  twins,
} from "../support/hostile_bodies.ts";
import { grpcServer, respond } from "../support/grpc_server.ts";
import { randomResponse, randomText } from "../support/random_response.ts";
import { recordingServer } from "../support/recording_server.ts";
import { runFlowText, type StepRun } from "../contract/contract_run.ts";
import { wsServer } from "../support/ws_server.ts";

/*
 * Whatever a target sends, a run ends like any other: with all its iterations, a
 * verdict, and no failure that is a fault of the program.
 */

const SEED = 20260101;

/** Looks at a response in every way there is. */
const CHECKS = `
    extract: { all: $, some: '$..a' }
    assert:
      - '$..b == 2'
      - '$[?@.a == @.b] exists'
      - '$.a[*] contains 1'
      - '$..[?length(@) > 3 && match(@, "(a+)+")] not_exists'
      - '$..a matches ^(a+)+$'
      - '$ != {"a": [1]}'
      - '$ == {{ all }}'
      - latency < 1h
    on_failure: record
`;

function endsInOrder({ meta }: StepRun, iterations: number): void {
  const { status, iterations: counts, failures } = meta;
  equal(status, "finished");
  equal(counts.completed, iterations);
  const faults = failures.filter(({ code }) => code === "fault");
  deepStrictEqual(faults, []);
}

/** What is odd about a response: its line, its fields, its coding and its body. */
function classesOf(response: Uint8Array): string[] {
  const text = Buffer.from(response).toString("latin1");
  const [head = "", ...rest] = text.split("\r\n\r\n");
  const [line = "", ...fields] = head.split("\r\n");
  const body = rest.join("\r\n\r\n");
  const coding = fields.find((field) => field.startsWith("Content-Encoding"));
  const shape = rest.length === 0
    ? "cut"
    : body === ""
    ? "empty"
    : !/^[[{]/.test(body)
    ? "other"
    : body.length > 5_000
    ? "long"
    : "short";
  // Half a line stands for all halves of lines.
  const known = [line, ...fields].map((each) =>
    / |^$|^\0$/.test(each) ? each : "cut"
  );
  return [...known, `${coding} ${shape}`];
}

/** Of many responses one for each class. */
function oneOfEach(responses: readonly Uint8Array[]): Uint8Array[] {
  const seen = new Set<string>();
  return responses.filter((response) => {
    const { size } = seen;
    for (const each of classesOf(response)) seen.add(each);
    return seen.size > size;
  });
}

Deno.test("any response: HTTP, GraphQL and polls", async () => {
  const many = fc.sample(randomResponse, { numRuns: 400, seed: SEED });
  const responses = oneOfEach(many);
  ok(responses.length > 35, `${responses.length} classes`);
  await using server = recordingServer(async ({ index, connection }) => {
    await connection.send(responses[index % responses.length]!);
    return undefined;
  });
  const rounds = Math.ceil(responses.length / 2);
  const run = await runFlowText({
    url: server.url,
    target: "request_timeout: 2s\n",
    flow: `flow: any
profile: { mode: load, vus: 4, iterations: ${rounds} }
steps:
  - id: call
    call: GET /${CHECKS}
  - id: graphql
    graphql: { url: /, query: "{ a }" }${CHECKS}
  - id: poll
    poll: { call: GET /, until: [$..b == 2, '$[?@.a == @.b] exists'], interval: 1ms, max_attempts: 2 }${CHECKS}
`,
  });
  endsInOrder(run, rounds);
  ok(server.arrivals.length > responses.length);
});

/** Values that cannot be sent, or only as they are. */
const VALUES = [
  ...["0", "-0", "1e400", "12345678901234567890", '"\\ud800"', '"\\u0000"'],
  ...['""', "null", "{}", '{"a":"\\r\\nX: y"}', '{"__proto__":{"a":1}}'],
  ...[lists(20_000), objects(400), longList(5_000), twins(50)],
];

Deno.test("any response: what was extracted is sent", async () => {
  let given = 0;
  await using server = recordingServer(({ line }) =>
    rawResponse(200, line === "GET /gives" ? VALUES[given++] : {})
  );
  const run = await runFlowText({
    url: server.url,
    flow: `flow: sent
profile: { mode: load, vus: 1, iterations: ${VALUES.length} }
steps:
  - id: gives
    call: GET /gives
    extract: { all: $, some: '$..a' }
    on_failure: record
  - id: url
    call: GET /url/{{ all }}
    on_failure: record
  - id: body
    call: POST /body
    body: { v: "{{ all }}" }
    headers: { X-All: "{{ all }}" }
    on_failure: record
  - id: text
    call: POST /text
    body: { t: "x {{ some }}" }
    on_failure: record
`,
  });
  endsInOrder(run, VALUES.length);
  equal(given, VALUES.length);
  for (const start of ["GET /url/", "POST /body", "POST /text"]) {
    const sent = server.arrivals.filter(({ line }) => line.startsWith(start));
    ok(sent.length > 2, `${sent.length} ${start}`);
    ok(sent.length < VALUES.length, start);
  }
});

Deno.test("any response: frames of a session", async () => {
  const rounds = 30;
  const frames = fc.sample(randomText, { numRuns: rounds * 5, seed: SEED });
  let next = 0;
  await using server = await wsServer({
    session({ socket }) {
      for (let count = 0; count < 5; count++) {
        socket.send(frames[next++ % frames.length]!);
      }
      socket.close(1000);
    },
  });
  const run = await runFlowText({
    url: server.url,
    flow: `flow: frames
profile: { mode: load, vus: 4, iterations: ${rounds} }
steps:
  - id: opens
    ws: { url: /, receive: { match: ['$..b == 2', '$..a matches (a+)+$'], timeout: 1s } }
    on_failure: record
  - id: joins
    ws: { receive: }${CHECKS}
`,
  });
  endsInOrder(run, rounds);
});

const PROTO = `syntax = "proto3";
package any;
import "google/protobuf/any.proto";
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";
message Node {
  Node a = 1;
  repeated Node b = 2;
  map<string, Node> c = 3;
  google.protobuf.Any d = 4;
  google.protobuf.Struct e = 5;
  google.protobuf.Timestamp f = 6;
  double g = 7;
  repeated sint64 h = 8;
  string i = 9;
  bytes j = 10;
}
service Nodes { rpc Get(Node) returns (Node); }
`;

Deno.test("any response: messages of a gRPC call", async () => {
  const rounds = 60;
  const message = fc.oneof(
    { arbitrary: fc.uint8Array({ maxLength: 60 }), weight: 3 },
    fc.array(
      fc.tuple(
        fc.integer({ min: 1, max: 10 }),
        fc.uint8Array({ maxLength: 9 }),
      ),
    ).map((fields) =>
      Uint8Array.from(
        fields.flatMap(([field, bytes]) => [
          (field << 3) | 2,
          bytes.length,
          ...bytes,
        ]),
      )
    ),
    fc.tuple(fc.integer({ min: 1, max: 2_000 }), fc.integer({ min: 1, max: 5 }))
      .map(([depth, field]) => nestedMessage(depth, field)),
  );
  const trailer = fc.dictionary(
    fc.constantFrom("grpc-message", "grpc-retry-pushback-ms", "x-bin", "x"),
    fc.stringMatching(/^[ -~]{0,20}$/),
  );
  const responses = fc.sample(
    fc.record({
      message,
      trailer,
      status: fc.constantFrom("0", "0", "0", "8", "13", "99", "x", ""),
      cut: fc.boolean(),
    }),
    { numRuns: rounds * 2, seed: SEED },
  );
  let next = 0;
  await using server = await grpcServer((call) => {
    const response = responses[next++ % responses.length]!;
    respond(call, response.message.subarray(response.cut ? 2 : 0), {
      ...response.trailer,
      "grpc-status": response.status,
    });
  });
  const run = await runFlowText({
    url: `http://127.0.0.1:${server.port}`,
    files: { "any.proto": PROTO },
    target: "request_timeout: 2s\n",
    flow: `flow: messages
profile: { mode: load, vus: 2, iterations: ${rounds} }
steps:
  - id: judged
    grpc: { proto: any.proto, method: any.Nodes/Get }${CHECKS}
  - id: plain
    grpc: { proto: any.proto, method: any.Nodes/Get }
    on_failure: record
`,
  });
  endsInOrder(run, rounds);
});
