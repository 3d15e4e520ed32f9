import { deepStrictEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { grpcPeer, reply } from "../support/grpc_peer.ts";
import { randomResponse, randomText } from "../support/random_response.ts";
import { recordingServer } from "../support/recording_server.ts";
import { runOnce, type SceneRun } from "../support/scene.ts";
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

function endsInOrder(run: SceneRun, iterations: number): void {
  equal(run.code, 0, run.stderr);
  const { status, iterations: counts, failures } = run.meta;
  deepStrictEqual([status, counts.completed], ["finished", iterations]);
  const faults = failures.filter(({ code }) => code === "fault");
  deepStrictEqual(faults, []);
}

Deno.test("any response: HTTP, GraphQL and polls", async () => {
  const rounds = 30;
  const responses = fc.sample(randomResponse, {
    numRuns: rounds * 6,
    seed: SEED,
  });
  await using server = recordingServer(async ({ index, peer }) => {
    const response = responses[index % responses.length]!;
    await peer.send(response);
    return undefined;
  });
  const run = await runOnce({
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
  - id: sends
    call: POST /{{ some }}
    body: { v: "{{ all }}", t: "x {{ all }}" }
    headers: { X-All: "{{ all }}" }
    on_failure: record
`,
  }, ["--workers", "1"]);
  endsInOrder(run, rounds);
  ok(server.arrivals.length > rounds * 3, `${server.arrivals.length} requests`);
});

Deno.test("any response: frames of a session", async () => {
  const rounds = 60;
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
  const run = await runOnce({
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
  }, ["--workers", "1"]);
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

/** A message in a message, `depth` times: field and length, again and again. */
function nested(depth: number, field: number): Uint8Array {
  let bytes: number[] = [];
  for (let level = 0; level < depth; level++) {
    const length: number[] = [];
    for (let rest = bytes.length;; rest >>>= 7) {
      length.push(rest > 127 ? (rest & 127) | 128 : rest);
      if (rest < 128) break;
    }
    bytes = [(field << 3) | 2, ...length, ...bytes];
  }
  return Uint8Array.from(bytes);
}

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
      .map(([depth, field]) => nested(depth, field)),
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
  await using peer = await grpcPeer((call) => {
    const response = responses[next++ % responses.length]!;
    reply(call, response.message.subarray(response.cut ? 2 : 0), {
      ...response.trailer,
      "grpc-status": response.status,
    });
  });
  const run = await runOnce({
    url: `http://127.0.0.1:${peer.port}`,
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
  }, ["--workers", "1"]);
  endsInOrder(run, rounds);
});
