import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { bombServer } from "../support/bombs.ts";
import {
  type FixtureRun,
  runFixture,
  spansOf,
} from "../support/run_fixture.ts";

/** What a run of ten VUs may take, whatever the target sends. */
const MOST_MB = 600;

/** Becomes a program that runs the rest of its line, and says how much memory that took at most. */
const MEASURE = `exec /usr/bin/python3 -c '
import resource, subprocess, sys
code = subprocess.call(sys.argv[1:])
most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
sys.stderr.write(f"peak {most} kB")
sys.exit(code)
' "$0" "$@"`;

/** Ten VUs ask for each path; what they found, and the most memory they took. */
async function measured(
  url: string,
  paths: readonly string[],
  { iterations = 10, timeout = "30s" } = {},
): Promise<{ run: FixtureRun; peak: number }> {
  using fixture = runFixture({
    flow:
      `flow: bombs\nprofile: { mode: load, vus: 10, iterations: ${iterations} }\nsteps:\n${
        paths.map((path) =>
          `  - { id: ${path}, call: GET /${path}, assert: [$.a == 1], on_failure: record }\n`
        ).join("")
      }`,
    url,
    target: `request_timeout: ${timeout}\n`,
  });
  const { meta, traces, ...run } = await fixture.run([], { before: MEASURE });
  const [, kilobytes] = /peak (\d+) kB$/.exec(run.stderr)!;
  return { run: { ...run, meta, traces }, peak: Number(kilobytes) / 1_000 };
}

const ignore = Deno.build.os !== "linux";

Deno.test("ten VUs take less than 600 MB, whatever a body decodes to", {
  ignore,
}, async () => {
  await using server = await bombServer();
  const { run, peak } = await measured(server.url, server.coded);
  equal(run.code, 1, run.stdout + run.stderr);
  ok(peak > 0 && peak < MOST_MB, `${peak} MB`);
  const { failures, iterations } = run.meta;
  ok(iterations.completed > 0);
  deepStrictEqual(
    new Set(failures.map(({ step }) => step)),
    new Set(server.coded),
  );
  for (const { message } of failures) {
    match(message, /decodes to more than 16777216 bytes/);
  }
});

Deno.test("ten VUs take less than 600 MB, however long a body is", {
  ignore,
}, async () => {
  await using server = await bombServer();
  const { run, peak } = await measured(server.url, server.endless, {
    timeout: "1s",
  });
  equal(run.code, 1, run.stdout + run.stderr);
  ok(peak > 0 && peak < MOST_MB, `${peak} MB`);
  for (const { code, message } of run.meta.failures) {
    equal(code, "timeout", message);
  }
});

Deno.test(
  "ten VUs take less than 600 MB, however long a head is, and keep little of it",
  {
    ignore,
  },
  async () => {
    await using server = await bombServer();
    const { run, peak } = await measured(server.url, server.heads, {
      iterations: 20,
    });
    equal(run.code, 1, run.stdout + run.stderr);
    ok(peak > 0 && peak < MOST_MB, `${peak} MB`);
    ok(run.traces.length > 0);
    const stored = JSON.stringify(run.traces).length;
    ok(stored / run.traces.length < 200_000, `${stored} bytes of traces`);
    const [trace] = run.traces;
    const shown = spansOf({ traces: [trace!] }, "http_call").map((
      { response },
    ) => [
      response!.line.length,
      response!.headers.length,
      response!.headers_truncated,
    ]);
    deepStrictEqual(shown, [
      ["HTTP/1.1 500 Fail".length, 1, true],
      ["HTTP/1.1 500 Fail".length, 642, true],
      ["HTTP/1.1 500".length, 1, true],
    ]);
    ok(JSON.stringify(run.meta).length < 20_000, "nor in any message");
  },
);
