import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { rawResponse } from "../support/raw_response.ts";
import { recordingServer } from "../support/recording_server.ts";
import {
  type FixtureRun,
  runFixture,
  runOnce,
} from "../support/run_fixture.ts";

/** What the command, `meta.json` and the summary say of one ending. */
interface Ending {
  readonly code: number;
  readonly status: string;
  readonly verdict: string;
  readonly says: RegExp;
}

function agrees(run: FixtureRun, expected: Ending): void {
  const { meta } = run;
  equal(run.code, expected.code, run.stdout + run.stderr);
  deepStrictEqual(
    { code: meta.exit_code, status: meta.status, verdict: meta.verdict },
    { code: expected.code, status: expected.status, verdict: expected.verdict },
  );
  match(run.stdout, expected.says);
  match(run.stdout, new RegExp(`run  .*${meta.id}`));
}

/** A flow of one step, with its profile. */
function flow(profile: string, step = "call: GET /"): string {
  return `flow: ends\nprofile: ${profile}\nsteps:\n  - id: only\n    ${step}\n`;
}

const LOAD = "mode: load, vus: 2, iterations: 20";

Deno.test("exit codes: 0 and 1 by verdict, agreed on by code, meta.json and summary", async (t) => {
  await using good = recordingServer();
  await using bad = recordingServer(() => rawResponse(500));
  await using limited = recordingServer(() => rawResponse(429));
  const pass = { code: 0, status: "finished", verdict: "pass", says: /PASS/ };
  const fail = { code: 1, status: "finished", verdict: "fail", says: /FAIL/ };
  const rows: [string, { url: string; flow: string }, Ending][] = [
    ["a passing flow", { url: good.url, flow: flow("{}") }, pass],
    ["a failing row", { url: bad.url, flow: flow("{}") }, fail],
    [
      "a throttle in integration mode",
      { url: limited.url, flow: flow("{ mode: system }") },
      fail,
    ],
    [
      "a throttle that is declared to be no error",
      {
        url: limited.url,
        flow: flow("{}", "call: GET /\n    throttle: { as_error: false }"),
      },
      pass,
    ],
    [
      "throttles of a load run",
      { url: limited.url, flow: flow(`{ ${LOAD} }`) },
      pass,
    ],
    [
      "throttles of a load run that are declared to be errors",
      {
        url: limited.url,
        flow: flow(
          `{ ${LOAD} }`,
          "call: GET /\n    throttle: { as_error: true }",
        ),
      },
      { ...fail, says: /no iteration passed/ },
    ],
    [
      "a declared error_rate replaces the implied one",
      { url: bad.url, flow: flow('{ thresholds: ["error_rate <= 100%"] }') },
      pass,
    ],
    [
      "failures of a load run without a threshold",
      { url: bad.url, flow: flow(`{ ${LOAD} }`) },
      { ...fail, says: /no iteration passed/ },
    ],
    [
      "failures of a load run that its threshold allows",
      {
        url: bad.url,
        flow: flow(`{ ${LOAD}, thresholds: ["error_rate <= 100%"] }`),
      },
      pass,
    ],
    [
      "a load run whose error_rate threshold breaks",
      {
        url: bad.url,
        flow: flow(`{ ${LOAD}, thresholds: ["error_rate < 1%"] }`),
      },
      { ...fail, says: /breached +error_rate < (1%|0\.01)/ },
    ],
    [
      "a load run whose latency threshold breaks",
      {
        url: good.url,
        flow: flow(`{ ${LOAD}, thresholds: ["p95(latency) < 1us"] }`),
      },
      { ...fail, says: /breached +p95\(latency\) < 1us/ },
    ],
    [
      "a load run of throttles alone",
      { url: limited.url, flow: flow(`{ ${LOAD} }`) },
      pass,
    ],
    [
      "a load run whose throttle_rate threshold breaks",
      {
        url: limited.url,
        flow: flow(`{ ${LOAD}, thresholds: ["throttle_rate < 50%"] }`),
      },
      fail,
    ],
    [
      "a latency threshold without a sample",
      {
        url: limited.url,
        flow: flow(`{ ${LOAD}, thresholds: ["avg(latency) < 10s"] }`),
      },
      { ...fail, says: /no samples/ },
    ],
  ];
  await Promise.all(rows.map(([rule, files, expected]) =>
    t.step({
      name: rule,
      fn: async () => agrees(await runOnce(files), expected),
      sanitizeExit: false,
    })
  ));
});

Deno.test("exit codes: abort_run ends the run and says which step did it", async () => {
  await using server = recordingServer(({ index }) =>
    rawResponse(index === 2 ? 500 : 200)
  );
  const run = await runOnce({
    url: server.url,
    files: { "rows.csv": "n\n1\n2\n3\n4\n5\n" },
    flow: "flow: ends\ndata: rows.csv\nsteps:\n" +
      '  - { id: only, call: "GET /{{ user.n }}", on_failure: abort_run }\n',
  });
  agrees(run, {
    code: 1,
    status: "aborted",
    verdict: "fail",
    says: /stopped: step `only` did not pass/,
  });
  equal(server.arrivals.length, 3, "no row after the one that failed");
  equal(run.meta.iterations.completed, 3);
});

Deno.test("exit codes: abort_run in one worker stops all of them", async () => {
  await using server = recordingServer(({ index }) =>
    rawResponse(index === 30 ? 500 : 200)
  );
  const text = flow(
    "{ mode: load, vus: 4, hold: 60s }",
    "call: GET /\n    on_failure: abort_run",
  );
  const run = await runOnce({ url: server.url, flow: text }, [
    "--workers",
    "2",
  ]);
  agrees(run, {
    code: 1,
    status: "aborted",
    verdict: "fail",
    says: /stopped: step `only` did not pass/,
  });
  equal(run.meta.iterations.failed, 1);
  equal(run.meta.iterations.completed, server.arrivals.length);
  ok(run.meta.duration_ms < 30_000, "long before its hold was over");
});

Deno.test("exit codes: an unreachable target gives failed iterations and 1", async () => {
  const { url } = await closed();
  const run = await runOnce({ url, flow: flow("{}") });
  agrees(run, {
    code: 1,
    status: "finished",
    verdict: "fail",
    says: /Cannot connect to `127\.0\.0\.1:\d+`: connection refused/,
  });
  match(run.stdout, /flow\.yaml:4:5/);
  equal(run.meta.failures[0]?.code, "refused");
  const load = await runOnce({ url, flow: flow(`{ ${LOAD} }`) });
  equal(load.code, 1, "no iteration passed");
  match(load.stdout, /20 × +only +refused +flow\.yaml:4:5/);
  match(
    load.stdout,
    /Cannot connect to `127\.0\.0\.1:\d+`: connection refused/,
  );
});

Deno.test("exit codes: 2 before the first request, without a run directory", async () => {
  await using server = recordingServer();
  const rows: [flow: string, args: string[], says: RegExp][] = [
    ["flow: f\nsteps: []\n", [], /flow\.yaml:2:\d+: error: /],
    [flow("{}"), ["--seed", "x"], /whole number/],
    [flow("{}"), ["--no-such-flag"], /unknown option/],
    [flow("{}", 'call: "GET /{{ env.NOPE }}"'), [], /env\.NOPE/],
  ];
  await Promise.all(rows.map(async ([text, args, says]) => {
    using fixture = runFixture({ url: server.url, flow: text });
    const run = await fixture.run(args);
    equal(run.code, 2, run.stdout + run.stderr);
    match(run.stderr, says);
    equal(run.stdout, "");
    equal(run.dir, "");
  }));
  equal(server.arrivals.length, 0);
});

/** A server that is gone: nothing listens on its port. */
async function closed(): Promise<{ url: string }> {
  await using server = recordingServer();
  return { url: server.url };
}
