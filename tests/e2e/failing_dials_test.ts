import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import type { Series } from "../../lib/model/result/series.ts";
import { countText } from "../../lib/results/report/figures.ts";
import { recordingServer } from "../support/recording_server.ts";
import { freePort } from "../support/free_port.ts";
import { runFixture, runOnce } from "../support/run_fixture.ts";

/** A load flow whose only request fails before it is sent. */
function flow(profile: string): string {
  return `flow: dead\nprofile: { mode: load, ${profile} }\n` +
    "steps:\n  - id: one\n    call: GET http://{{ env.PLACE }}/one\n";
}

const ELSEWHERE = { env: { PLACE: "127.0.0.1:9" } };

for (const workers of ["1", "2"]) {
  Deno.test(`a load run that no request leaves ends with its hold, on ${workers} worker(s)`, async () => {
    const run = await runOnce(
      { flow: flow("vus: 4, hold: 1s"), url: "http://127.0.0.1:10" },
      ["--workers", workers],
      ELSEWHERE,
    );
    equal(run.code, 1, run.stdout + run.stderr);
    const { duration_ms, failures, iterations, notes } = run.meta;
    equal(failures[0]?.code, "forbidden-host");
    // It never ended; a busy machine may take longer than the hold says.
    ok(duration_ms < 25_000, `${duration_ms} ms`);
    // 1, 2, 4 ... 100 ms apart: 16 in the first second, then 10 in each.
    const most = 4 * (16 + Math.ceil(duration_ms / 100) - 10);
    ok(
      iterations.failed >= 4 && iterations.failed <= most,
      String(iterations.failed),
    );
    match(
      notes.join("\n"),
      /^\d+ iterations got no byte from the network: their VUs paused before the next one, [\d.]+s in all$/m,
    );
  });
}

Deno.test("a dead target holds no threshold on latency, and no load run without an iteration that passed", async () => {
  const flow = (thresholds: string) =>
    `flow: dead
profile: { mode: load, iterations: 3, thresholds: [${thresholds}] }
steps:
  - { id: one, call: GET / }
`;
  const table: [thresholds: string, code: number, reported: RegExp][] = [
    [
      '"p95(latency) < 100ms"',
      1,
      /there were no samples; most often 3 × one: Cannot connect to/,
    ],
    [
      "",
      1,
      /failed: 3 × one: Cannot connect to [^>]*; no iteration passed, [^>]*>3 × one:/,
    ],
    ['"error_rate <= 100%"', 0, /failures="0"/],
  ];
  for (const [thresholds, code, reported] of table) {
    using fixture = runFixture({
      flow: flow(thresholds),
      url: `http://127.0.0.1:${freePort()}`,
    });
    const run = await fixture.run(["--junit", "junit.xml"]);
    equal(run.code, code, run.stdout + run.stderr);
    equal(run.meta.latency.max, null);
    equal(run.meta.steps[0]!.attempts.failed, 3);
    match(Deno.readTextFileSync(`${fixture.path}/junit.xml`), reported);
  }
});

Deno.test("an open run that no request leaves offers its rate and ends with its hold", async () => {
  const run = await runOnce(
    {
      flow: flow("vus: 2, hold: 1s, arrival_cap: 100/s"),
      url: "http://127.0.0.1:10",
    },
    [],
    ELSEWHERE,
  );
  equal(run.code, 1, run.stdout + run.stderr);
  const { iterations, generator, notes } = run.meta;
  equal(iterations.failed + generator!.unserved_slots, 100);
  // Paced as in a closed run, two VUs would fail 32 times in a second.
  ok(iterations.failed > 40, String(iterations.failed));
  deepStrictEqual(notes.filter((each) => /paused/.test(each)), []);
});

for (const offered of ["", ", arrival_cap: 100/s"]) {
  Deno.test(`a refused connection has no latency in the seconds of a run either${offered}`, async () => {
    using fixture = runFixture({
      flow: `flow: dead
profile: { mode: load, vus: 2, iterations: 5${offered} }
steps:
  - { id: one, call: GET / }
`,
      url: `http://127.0.0.1:${freePort()}`,
    });
    const { dir, meta } = await fixture.run();
    equal(meta.steps[0]!.attempts.failed, 5);
    const { points } = JSON.parse(
      Deno.readTextFileSync(`${dir}/series.json`),
    ) as Series;
    deepStrictEqual(points.flatMap((each) => each.buckets), []);
    deepStrictEqual(points.filter((each) => each.max !== null), []);
  });
}

for (const workers of ["1", "2"]) {
  Deno.test(`a load run out of descriptors goes on with those it has, and ends with its hold, on ${workers} worker(s)`, async () => {
    await using server = recordingServer();
    const run = await runOnce(
      { flow: flow("vus: 200, hold: 3s"), url: server.url },
      ["--workers", workers],
      { env: { PLACE: server.host }, before: "ulimit -n 150" },
    );
    equal(run.code, 0, run.stdout + run.stderr);
    const { failures, iterations, generator } = run.meta;
    match(failures[0]!.message, /too many open files/);
    equal(failures[0]!.code, "exhausted");
    equal(generator!.limited, true);
    ok(
      generator!.detail.startsWith(
        `the generator was the limit: it had no file descriptor, port or address left for ${
          countText(failures[0]!.count)
        } connections`,
      ),
      generator!.detail,
    );
    ok(iterations.passed > 0);
  });
}
