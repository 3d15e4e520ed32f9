import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import type { Span, Trace } from "../../lib/model/result/trace.ts";
import { rawResponse } from "../support/raw_response.ts";
import { rawServer } from "../support/raw_server.ts";
import { recordingServer } from "../support/recording_server.ts";
import { runFixture, runOnce, spansOf } from "../support/run_fixture.ts";

function poll(bounds: string, more = ""): string {
  return `flow: polls
steps:
  - id: start
    call: POST /jobs
    extract: { id: $.id }
  - id: done
    poll:
      call: "GET /jobs/{{ id }}"
      until: [$.state == done]
      interval: 1ms
      ${bounds}
    extract: { result: $.result }
  - { id: use, call: "GET /use/{{ result }}" }
${more}`;
}

/** A job that is created, refused once, and done at the fourth look. */
function job(late: (look: number) => string) {
  let looks = 0;
  return recordingServer(({ line }) => {
    if (line === "POST /jobs") return rawResponse(201, { id: "j1" });
    if (line !== "GET /jobs/j1") return rawResponse(200);
    return late(++looks);
  });
}

Deno.test("poll: repeats until its condition holds, whatever the status on the way", async () => {
  await using server = job((look) =>
    look === 1
      ? rawResponse(404)
      : look === 2
      ? rawResponse(429)
      : rawResponse(200, { state: look < 4 ? "busy" : "done", result: "r4" })
  );
  const run = await runOnce({
    flow: poll("max_attempts: 10"),
    url: server.url,
  });
  equal(run.code, 0, run.stdout + run.stderr);
  equal(server.arrivals.length, 6);
  equal(server.arrivals[5]?.line, "GET /use/r4");
  const step = run.meta.steps[1]!;
  deepStrictEqual([step.executions, step.requests, step.passed], [1, 4, 1]);
  equal(step.attempts.throttled, 1);
});

Deno.test("poll: the bound of attempts gives failed and names the condition", async () => {
  await using server = job(() =>
    rawResponse(200, { state: "busy", result: 1 })
  );
  const run = await runOnce({ flow: poll("max_attempts: 3"), url: server.url });
  equal(run.code, 1);
  equal(server.arrivals.length, 4, "and no step after it");
  const [failure] = run.meta.failures;
  equal(failure?.code, "poll");
  match(failure!.message, /^gave up after 3 rounds: /);
  equal(failure!.line, 9);
  equal(failure!.actual?.text, "busy");
});

Deno.test("poll: rounds that failed are shown as repeated, although another poll gave up on rounds that passed", async () => {
  const responses = [
    rawResponse(500),
    rawResponse(200, { state: "done", result: 1 }),
    rawResponse(200, { state: "busy" }),
    rawResponse(200, { state: "busy" }),
  ];
  await using server = job((look) => responses[look - 1]!);
  const run = await runOnce({
    flow: poll(
      "max_attempts: 2",
      "profile: { mode: load, vus: 1, iterations: 2 }\n",
    ),
    url: server.url,
  });
  const step = run.meta.steps[1]!;
  deepStrictEqual([step.passed, step.failed], [1, 1]);
  deepStrictEqual(step.repeated, { passed: 1, throttled: 0, failed: 1 });
  // Every request of the step is in one of its columns.
  match(run.stdout, / retried .*\n.*\n +done +4 +1 +0 +1 +1 failed, 1 passed /);
});

Deno.test("poll: the bound of time gives failed", async () => {
  await using server = job(() => rawResponse(200, { state: "busy" }));
  const run = await runOnce({ flow: poll("timeout: 30ms"), url: server.url });
  equal(run.code, 1);
  equal(run.meta.failures[0]?.code, "poll");
  ok(server.arrivals.length >= 2);
});

Deno.test("poll: throttled up to its bound gives throttled", async () => {
  await using server = job(() => rawResponse(429));
  const run = await runOnce({ flow: poll("max_attempts: 3"), url: server.url });
  equal(run.code, 1);
  match(run.stdout, /by the target: status 429, after 3 rounds$/m);
  const step = run.meta.steps[1]!;
  deepStrictEqual([step.throttled, step.failed, step.requests], [1, 0, 3]);
  equal(run.meta.throttle_rate, 1);
});

/** A poll of one step; `bounds` end it. */
function flow(until: string, bounds: string, more = ""): string {
  return `flow: polls
steps:
  - id: done
    poll:
      call: GET /job
      until: ${until}
      interval: 1ms
      ${bounds}
${more}`;
}

Deno.test("poll: a connection that is dropped is a round that does not hold", async () => {
  const texts: (string | undefined)[] = [
    undefined,
    "HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n{",
    rawResponse(200, { state: "done" }, { Connection: "close" }),
  ];
  let rounds = 0;
  const server = rawServer(async (connection) => {
    if (await connection.request() === undefined) return;
    const text = texts[rounds++];
    if (text !== undefined) await connection.send(text);
  });
  try {
    const run = await runOnce({
      flow: flow("[$.state == done]", "max_attempts: 5"),
      url: server.url,
    });
    equal(run.code, 0, run.stdout + run.stderr);
    equal(rounds, 3);
    deepStrictEqual(
      [1, 2, 3].map((round) => spansOf(run, `attempt ${round}`)[0]?.outcome),
      ["failed", "failed", "passed"],
    );
  } finally {
    await server.close();
  }
});

Deno.test("poll: a refused connection is a round that does not hold, up to the bound", async () => {
  const closed = rawServer(() => Promise.resolve());
  await closed.close();
  const run = await runOnce({
    flow: flow("[status == 200]", "max_attempts: 3"),
    url: closed.url,
  });
  equal(run.code, 1);
  equal(run.meta.steps[0]?.attempts.failed, 3);
  const [failure] = run.meta.failures;
  equal(failure?.code, "refused");
  match(failure!.message, /^gave up after 3 rounds: Cannot connect to /);
});

Deno.test("poll: its timeout ends a round under way", async () => {
  await using server = recordingServer(async ({ connection }) => {
    // No response: the client hangs up first.
    await connection.request();
    return undefined;
  });
  const run = await runOnce({
    flow: flow("[status == 200]", "timeout: 300ms"),
    url: server.url,
  });
  equal(run.code, 1);
  equal(server.arrivals.length, 1);
  const [failure] = run.meta.failures;
  equal(failure?.code, "timeout");
  equal(
    failure?.message,
    "gave up after 1 round: No complete response within 300ms: timed out waiting for the first byte",
  );
});

Deno.test("poll: a timeout below a millisecond is named as it is", async () => {
  await using server = recordingServer(async ({ connection }) => {
    await connection.request();
    return undefined;
  });
  const run = await runOnce({
    flow: flow("[status == 200]", "timeout: 20us"),
    url: server.url,
  });
  match(
    run.meta.failures[0]!.message,
    /^gave up after 1 round: No complete response within 20us: /,
  );
});

Deno.test("poll: conditions that hold end it whatever the status, and a 429 is a throttle", async () => {
  const until = async (status: number, more = "") => {
    await using server = recordingServer(({ index }) =>
      rawResponse(index < 2 ? 200 : status)
    );
    const text = flow(`[status == ${status}]`, "max_attempts: 9", more);
    const run = await runOnce({ flow: text, url: server.url });
    return { run, rounds: server.arrivals.length };
  };
  const strict = await until(429);
  deepStrictEqual([strict.rounds, strict.run.code], [3, 1]);
  equal(strict.run.meta.throttle_rate, 1);
  const data = await until(429, "    throttle: { as_error: false }\n");
  deepStrictEqual([data.rounds, data.run.code], [3, 0]);
  equal(data.run.meta.throttle_rate, 1);
  const plain = await until(503);
  deepStrictEqual([plain.rounds, plain.run.code], [3, 0]);
});

Deno.test("poll: a request off the allow-list ends it at once", async () => {
  await using server = recordingServer(() =>
    rawResponse(200, { url: "http://127.0.0.2:1/job" })
  );
  const run = await runOnce({
    flow: `flow: polls
steps:
  - { id: find, call: GET /, extract: { url: $.url } }
  - id: done
    poll:
      call: "GET {{ url }}"
      until: [status == 200]
      interval: 1ms
      max_attempts: 9
`,
    url: server.url,
  });
  equal(run.code, 1);
  equal(run.meta.failures[0]?.code, "forbidden-host");
  equal(run.meta.steps[1]?.attempts.failed, 1);
});

Deno.test("poll: every condition has a span below its round", async () => {
  await using server = recordingServer(({ index }) =>
    rawResponse(200, { state: index === 0 ? "busy" : "done" })
  );
  const run = await runOnce({
    flow: flow("[status == 200, $.state == done]", "max_attempts: 5"),
    url: server.url,
  });
  equal(run.code, 0, run.stdout + run.stderr);
  const rounds = ["attempt 1", "attempt 2"].map((name) =>
    spansOf(run, name)[0]!.span_id
  );
  const found = [0, 1].map((index) =>
    spansOf(run, `done.until@${index}`).map((
      { parent_id, outcome },
    ) => [rounds.indexOf(parent_id!), outcome])
  );
  deepStrictEqual(found, [
    [[0, "passed"], [1, "passed"]],
    [[0, "failed"], [1, "passed"]],
  ]);
});

Deno.test("poll: `query`, `body` and `headers` beside the block are sent", async () => {
  await using server = recordingServer();
  const run = await runOnce({
    flow: flow(
      "[status == 200]",
      "max_attempts: 1",
      '    query: { wait: "1" }\n    body: { a: 1 }\n    headers: { X-A: b }\n',
    ).replace("GET /job", "POST /job"),
    url: server.url,
  });
  equal(run.code, 0, run.stdout + run.stderr);
  const [arrival] = server.arrivals;
  equal(arrival?.line, "POST /job?wait=1");
  match(arrival!.text, /\r\nX-A: b\r\n[\s\S]*\{"a":1\}$/);
});

Deno.test("poll: its rounds are attempts, however many, and hold the spans of their conditions", async () => {
  for (const rounds of [1, 3]) {
    let look = 0;
    await using server = recordingServer(() =>
      rawResponse(200, { done: ++look === rounds })
    );
    const run = await runOnce({
      flow: flow("[$.done == true, status == 200]", "max_attempts: 5"),
      url: server.url,
    });
    equal(run.code, 0, run.stdout + run.stderr);
    const [{ spans }] = run.traces as [Trace];
    const attempts = spans.filter(({ name }) => name.startsWith("attempt "));
    equal(attempts.length, rounds);
    holdWhatTheyTook(spans);
    equal(
      spans.filter(({ name }) => name.includes(".until@")).length,
      2 * rounds,
    );
  }
});

/** No span begins before the one above it, or ends after it. */
function holdWhatTheyTook(spans: readonly Span[]): void {
  const byId = new Map(spans.map((span) => [span.span_id, span]));
  for (const span of spans) {
    const parent = byId.get(span.parent_id ?? "");
    if (!parent) continue;
    const end = span.start_us + span.duration_us;
    ok(span.start_us >= parent.start_us, `${span.name} begins too early`);
    ok(
      end <= parent.start_us + parent.duration_us,
      `${span.name} ends after ${parent.name}`,
    );
  }
}

Deno.test("poll: a round that was held back until its time ran out leaves what was counted, and its wait is time of the step", async () => {
  await using server = recordingServer(() => rawResponse(200));
  const profile = "{ mode: load, vus: 1, iterations: 3, arrival_cap: 20/s }";
  using fixture = runFixture({
    flow: flow("[status == 201]", "timeout: 60ms").replace(
      "steps:",
      `profile: ${profile}\nsteps:`,
    ),
    url: server.url,
  });
  const run = await fixture.run();
  const [step] = run.meta.steps;
  const seconds = JSON.parse(
    Deno.readTextFileSync(`${run.dir}/series.json`),
  ).points as { passed: number; failed: number }[];
  deepStrictEqual(
    [step!.attempts.passed, step!.attempts.failed],
    [
      sum(seconds.map((each) => each.passed)),
      sum(seconds.map((each) => each.failed)),
    ],
  );
  for (const { spans } of run.traces) holdWhatTheyTook(spans);
});

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
