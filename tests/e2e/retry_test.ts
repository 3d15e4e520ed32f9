import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { rawResponse } from "../support/raw_response.ts";
import { recordingServer } from "../support/recording_server.ts";
import { runFixture, runOnce, spansOf } from "../support/run_fixture.ts";

/** Serves these statuses one after another, the last one for ever. */
function statuses(
  list: readonly number[],
  headers: Readonly<Record<string, string>> = {},
) {
  return recordingServer(({ index }) =>
    rawResponse(list[Math.min(index, list.length - 1)]!, { ok: true }, headers)
  );
}

function flow(retry: string, more = ""): string {
  return `flow: retries
profile: { mode: integration }
steps:
  - id: one
    call: GET /one
    retry: { ${retry} }
${more}`;
}

/** The waits between attempts: as long as expected at the least, and between them. */
function checkWaits(
  run: Parameters<typeof spansOf>[0],
  expected: readonly number[],
): void {
  const found = spansOf(run, "backoff");
  equal(found.length, expected.length);
  for (const [index, { start_us, duration_us }] of found.entries()) {
    // A timer counts whole milliseconds.
    ok(duration_us > (expected[index]! - 1) * 1_000, `wait ${index}`);
    const [before] = spansOf(run, `attempt ${index + 1}`);
    const [after] = spansOf(run, `attempt ${index + 2}`);
    ok(start_us >= before!.start_us + before!.duration_us);
    ok(after!.start_us >= start_us + duration_us);
  }
}

Deno.test("retry: each backoff waits as it says between attempts", async (t) => {
  const bounds = "on_status: [503], max_attempts: 4, base_delay: 20ms";
  const rows: [string, Record<string, string>, number[]][] = [
    ["fixed", {}, [20, 20, 20]],
    ["exponential", {}, [20, 40, 80]],
    ["honor_retry_after", { "Retry-After": "0" }, [0, 0, 0]],
    ["honor_retry_after", {}, [20, 20, 20]],
  ];
  await Promise.all(rows.map(([backoff, headers, expected]) =>
    t.step({
      name: `${backoff} ${JSON.stringify(headers)}`,
      fn: async () => {
        await using server = statuses([503, 503, 503, 200], headers);
        const run = await runOnce({
          flow: flow(`backoff: ${backoff}, ${bounds}`),
          url: server.url,
        });
        equal(run.code, 0, run.stdout + run.stderr);
        equal(server.arrivals.length, 4);
        checkWaits(run, expected);
        const [step] = run.meta.steps;
        deepStrictEqual(
          [step!.executions, step!.requests, step!.passed],
          [1, 4, 1],
        );
        deepStrictEqual(
          [step!.attempts.passed, step!.attempts.failed],
          [1, 3],
        );
        const [span] = spansOf(run, "one");
        const slept = expected.reduce((sum, each) => sum + each, 0) * 1_000;
        ok(span!.duration_us >= slept, "the step's time includes its waits");
      },
      sanitizeExit: false,
    })
  ));
});

Deno.test("retry: attempts used up give failed, or throttled when it was a throttle", async () => {
  const retry =
    "on_status: [503, 429], backoff: fixed, max_attempts: 2, base_delay: 1ms";
  await using plain = statuses([503]);
  const failed = await runOnce({ flow: flow(retry), url: plain.url });
  equal(failed.code, 1);
  equal(plain.arrivals.length, 2);
  equal(failed.meta.steps[0]?.failed, 1);
  await using limited = statuses([503, 429]);
  const throttled = await runOnce({ flow: flow(retry), url: limited.url });
  equal(throttled.code, 1, "a throttle is a failure in integration mode");
  const [step] = throttled.meta.steps;
  deepStrictEqual([step!.throttled, step!.failed], [1, 0]);
  equal(throttled.meta.throttle_rate, 1);
});

Deno.test("retry: a status that is not listed is not tried again", async () => {
  await using server = statuses([500, 200]);
  const retry = "on_status: [503], backoff: fixed, max_attempts: 3";
  const run = await runOnce({ flow: flow(retry), url: server.url });
  equal(run.code, 1);
  equal(server.arrivals.length, 1);
});

Deno.test("retry: extraction and assertions see the last response alone", async () => {
  await using server = recordingServer(({ index }) =>
    index === 0
      ? rawResponse(503, { v: "early" })
      : rawResponse(200, { v: "late" })
  );
  const retry =
    "on_status: [503], backoff: fixed, max_attempts: 2, base_delay: 0s";
  const checks =
    '    extract: { v: $.v }\n    assert: ["v == late"]\n  - { id: two, call: "GET /{{ v }}" }\n';
  const run = await runOnce({ flow: flow(retry, checks), url: server.url });
  equal(run.code, 0, run.stdout + run.stderr);
  equal(server.arrivals[2]?.line, "GET /late");
});

Deno.test("retry: attempts that are retried count as what their status says, in every output", async () => {
  await using server = recordingServer(({ index }) =>
    rawResponse(index % 3 === 0 ? 503 : 200, { ok: true })
  );
  using fixture = runFixture({
    flow: `flow: retries
profile: { mode: load, iterations: 20 }
steps:
  - id: one
    call: GET /one
    retry: { on_status: [503], backoff: fixed, max_attempts: 2, base_delay: 0s }
    assert: [status == 200]
`,
    url: server.url,
  });
  const run = await fixture.run();
  equal(run.code, 0, run.stdout + run.stderr);
  const errors = Math.ceil(server.arrivals.length / 3);
  const expected = { passed: 20, throttled: 0, failed: errors };
  const [step] = run.meta.steps;
  deepStrictEqual(step!.attempts, expected);
  const { points } = JSON.parse(
    Deno.readTextFileSync(join(run.dir, "series.json")),
  );
  for (const [name, count] of Object.entries(expected)) {
    equal(
      points.reduce(
        (sum: number, point: Record<string, number>) => sum + point[name]!,
        0,
      ),
      count,
      name,
    );
  }
  const failed = spansOf(run, "attempt 1")
    .filter(({ outcome }) => outcome === "failed");
  equal(failed.length, errors);
  match(failed[0]!.failure!.message, /^response status was 503/);
});

Deno.test("retry: used up on a listed status is failed, though an assertion accepts that status", async () => {
  await using server = statuses([503]);
  const retry =
    "on_status: [503], backoff: fixed, max_attempts: 2, base_delay: 1ms";
  const run = await runOnce({
    flow: flow(retry, "    assert: [status == 503]\n"),
    url: server.url,
  });
  equal(run.code, 1, run.stdout);
  equal(server.arrivals.length, 2);
  const [failure] = run.meta.failures;
  deepStrictEqual([failure?.code, failure?.line], ["status", 6]);
  equal(
    failure?.message,
    "gave up after 2 attempts: the response still had status 503",
  );
});
