import { deepStrictEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
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
  const rounds = 50;
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
