import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { rawResponse } from "../support/raw_response.ts";
import { recordingServer } from "../support/recording_server.ts";
import { runFixture, runOnce, spansOf } from "../support/run_fixture.ts";

const WORKERS = ["--workers", "2"];

/** A load flow of one step. */
function flow(profile: string, step = "call: GET /one", more = ""): string {
  return `flow: load\n${more}profile: { mode: load, ${profile} }\n` +
    `steps:\n  - id: one\n    ${step}\n`;
}

Deno.test("load: iterations is met exactly, by any number of workers", async () => {
  await using server = recordingServer();
  const run = await runOnce({
    flow: flow("vus: 7, iterations: 2000"),
    url: server.url,
  }, WORKERS);
  equal(run.code, 0, run.stdout + run.stderr);
  equal(server.arrivals.length, 2000);
  equal(server.accepted, 7, "a connection for each VU, kept alive");
  const { iterations, requests } = run.meta;
  deepStrictEqual([iterations.completed, requests], [2000, 2000]);
  ok(run.traces.length <= 450);
  match(run.stdout, /2,000 iterations/);
});

Deno.test("load: a row of unique-per-vu is handed out once, then its steps fail", async () => {
  await using server = recordingServer();
  const rows = Array.from({ length: 100 }, (_, n) => n);
  const run = await runOnce({
    flow: flow(
      "vus: 5, iterations: 130",
      'call: "GET /{{ user.n }}"',
      "data: rows.csv\n",
    ),
    url: server.url,
    files: { "rows.csv": `n\n${rows.join("\n")}\n` },
  }, WORKERS);
  equal(run.code, 0, run.stdout + run.stderr);
  const seen = server.arrivals.map(({ line }) => Number(line.slice(5)));
  deepStrictEqual(seen.sort((a, b) => a - b), rows);
  equal(run.meta.iterations.failed, 30);
  const [failure] = run.meta.failures;
  equal(failure?.code, "resolution");
  equal(failure?.count, 30);
  match(failure!.message, /\{\{ user\.n \}\} has no row/);
  equal(failure?.line, 5);
});

for (const workers of ["1", "3", "16"]) {
  Deno.test(`load: ${workers} workers hand out every iteration and every row once, with its own letters`, async () => {
    // Else the threads that are ready first could have all iterations.
    const allCame = Promise.withResolvers<void>();
    await using server = recordingServer(async () => {
      if (server.accepted === 20) allCame.resolve();
      await allCame.promise;
      return rawResponse(200);
    });
    const rows = Array.from(
      { length: 300 },
      (_, n) => `${n},Zo\u00eb \u20ac${n}`,
    );
    const run = await runOnce({
      flow: flow(
        "vus: 20, iterations: 300",
        'call: "GET /{{ user.n }}/{{ user.name }}"',
        "data: rows.csv\n",
      ),
      url: server.url,
      files: { "rows.csv": `n,name\n${rows.join("\n")}\n` },
    }, ["--workers", workers]);
    equal(run.code, 0, run.stdout + run.stderr);
    const seen = server.arrivals.map(({ line }) =>
      decodeURIComponent(line).slice("GET /".length).replace("/", ",")
    );
    deepStrictEqual(seen.sort(), rows.toSorted());
    equal(run.meta.iterations.passed, 300);
    equal(server.accepted, 20, "a connection for each VU");
  });
}

Deno.test("load: throttled attempts are no latency samples", async () => {
  await using server = recordingServer(() => rawResponse(429));
  const { meta } = await runOnce(
    { flow: flow("vus: 2, iterations: 20"), url: server.url },
    WORKERS,
  );
  const { iterations, error_rate, throttle_rate, latency } = meta;
  deepStrictEqual([error_rate, throttle_rate], [0, 1]);
  deepStrictEqual([iterations.completed, iterations.throttled], [20, 20]);
  equal(latency.max, null);
  ok(meta.steps[0]!.throttled_latency.max! > 0);
});

Deno.test("load: a throttle ends its iteration unless on_failure is record", async () => {
  await using server = recordingServer(({ line }) =>
    rawResponse(line === "GET /limited" ? 429 : 200)
  );
  const steps = `call: GET /limited
  - { id: two, call: GET /next }`;
  const run = await runOnce({
    flow: flow("vus: 1, iterations: 3", steps),
    url: server.url,
  });
  equal(run.code, 0);
  equal(server.arrivals.length, 3);
});

Deno.test("load: arrival_cap offers exactly rate times duration", async () => {
  await using server = recordingServer();
  const run = await runOnce({
    flow: flow("vus: 4, hold: 1s, arrival_cap: 100/s"),
    url: server.url,
  }, WORKERS);
  equal(run.code, 0, run.stdout + run.stderr);
  equal(server.arrivals.length, 100);
  equal(run.meta.requests, 100);
});

Deno.test("load: slots no VU was free for are reported, not hidden", async () => {
  const latch = Promise.withResolvers<void>();
  await using server = recordingServer(async ({ index }) => {
    // One VU, and the target holds it for the whole run.
    if (index === 0) await latch.promise;
    return rawResponse(200);
  });
  const running = runOnce({
    flow: flow("vus: 1, hold: 500ms, arrival_cap: 100/s"),
    url: server.url,
    target: "request_timeout: 900ms\n",
  });
  const run = await running;
  latch.resolve();
  const { generator, requests } = run.meta;
  equal(requests, 1);
  equal(generator!.unserved_slots + requests, 50);
  match(run.stdout, /never sent: 49 due requests, because no VU was free/);
});

Deno.test("load: an iteration that reaches out of the warm-up takes its slots along", async () => {
  await using server = recordingServer();
  const steps = "call: GET /one\n  - { id: pause, wait: 100ms }\n" +
    "  - { id: two, call: GET /two }";
  const { meta } = await runOnce({
    flow: "version: 1\n" + flow(
      "vus: 20, arrival_cap: 100/s, warm_up: 300ms, hold: 700ms",
      steps,
    ),
    url: server.url,
  }, WORKERS);
  ok(meta.warm_up!.requests > 0);
  equal(
    meta.offered_requests,
    meta.requests + meta.generator!.unserved_slots,
  );
});

Deno.test("load: max_rps of the target holds the rate back and says so", async () => {
  await using server = recordingServer();
  const run = await runOnce({
    flow: flow("vus: 4, iterations: 60"),
    url: server.url,
    target: "max_rps: 40\n",
  }, WORKERS);
  equal(run.code, 0, run.stdout + run.stderr);
  equal(server.arrivals.length, 60);
  // A full bucket may go at once; the rest comes at 40 a second.
  ok(run.meta.duration_ms >= 450, `took ${run.meta.duration_ms} ms`);
  ok(run.meta.generator!.held_requests > 0);
  match(run.stdout, /held back by the target's max_rps/);
});

Deno.test("load: a ramp brings its VUs one after another, then holds", async () => {
  await using server = recordingServer();
  const profile =
    'vus: { ramp: "1 -> 4 over 300ms", hold: 100ms }, thresholds: ["error_rate < 1%"]';
  const run = await runOnce({ flow: flow(profile), url: server.url }, WORKERS);
  equal(run.code, 0, run.stdout + run.stderr);
  equal(run.meta.vus, 4);
  equal(server.accepted, 4);
  ok(run.meta.duration_ms >= 400);
});

Deno.test("load: what the target's ceilings forbid is refused with both numbers", async (t) => {
  const rows: [profile: string, target: string, says: RegExp][] = [
    ["vus: 9, iterations: 1", "max_vus: 8", /plans 9 VUs, .* allows 8/],
    [
      'vus: { ramp: "1 -> 9 over 1s" }',
      "max_vus: 8",
      /plans 9 VUs, .* allows 8/,
    ],
    [
      "vus: 1, hold: 1s, arrival_cap: 50/s",
      "max_rps: 49",
      /offers 50 requests a second, .* allows 49/,
    ],
    [
      "vus: 1, iterations: 1",
      "disallowed_modes: [soak, load]",
      /does not allow load runs/,
    ],
  ];
  await using server = recordingServer();
  await Promise.all(rows.map(([profile, target, says]) =>
    t.step({
      name: `${profile} against ${target}`,
      fn: async () => {
        const files = { flow: flow(profile), url: server.url };
        using fixture = runFixture({ ...files, target: `${target}\n` });
        const run = await fixture.run();
        equal(run.code, 2, run.stdout + run.stderr);
        match(run.stderr, /^flow\.yaml:2:\d+: error: /);
        match(run.stderr, says);
      },
      sanitizeExit: false,
    })
  ));
  equal(server.arrivals.length, 0);
});

Deno.test("load: a response that was gone when its trace turned out to be worth keeping is marked so", async () => {
  // By then 200 iterations were drawn: most that follow are not copied.
  await using server = recordingServer(({ line, index }) =>
    rawResponse(line === "GET /two" && index >= 500 ? 500 : 200)
  );
  const run = await runOnce({
    flow: flow("vus: 1, iterations: 300") +
      "  - { id: two, call: GET /two }\n",
    url: server.url,
  });
  equal(run.code, 0, run.stdout + run.stderr);
  const spans = spansOf(run, "http_call");
  const gone = spans.filter(({ response }) => !response);
  ok(gone.length > 0, "a response that was not copied in time");
  for (const { attributes, request } of gone) {
    equal(attributes!["response_overwritten"], true);
    equal(attributes!["status"], 200);
    match(request!.line, /^GET \/one /);
  }
  const marked = spans.filter((span) => span.attributes?.response_overwritten);
  equal(marked.length, gone.length);
});
