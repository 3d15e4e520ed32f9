import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { decodeFromCompressedBase64 } from "hdr-histogram-js";
import type { Span } from "../../lib/model/result/trace.ts";
import { rawResponse } from "../support/raw_response.ts";
import { bench } from "../support/bench.ts";
import { recordingServer } from "../support/recording_server.ts";
import {
  type FixtureRun,
  type RunFixture,
  runFixture,
} from "../support/run_fixture.ts";

const FLOW = `flow: directory
data: rows.csv
profile: { mode: integration, thresholds: ["p95(latency) < 10s"] }
steps:
  - id: first
    call: POST /first
    body: { n: "{{ user.n }}" }
    extract: { id: $.id }
    assert: [status == 200, $.id == 7]
  - id: again
    call: GET /again
    retry: { on_status: [503], backoff: fixed, max_attempts: 3, base_delay: 2ms }
  - { id: pause, wait: 1ms }
`;
const FILES = { "rows.csv": "n\none\ntwo\n" };

const META_KEYS = "schema id flow flow_file ir_sha256 target mode seed vus " +
  "bench_version status verdict exit_code abort_reason started_at ended_at " +
  "duration_ms iterations requests error_rate throttle_rate latency " +
  "thresholds steps generator agent_attached knee failures notes";

/** A run of the flow above, whose second step gets a 503 twice. */
async function stored(
  use: (fixture: RunFixture, run: FixtureRun) => Promise<void> | void,
  args: string[] = [],
): Promise<void> {
  let asked = 0;
  await using server = recordingServer(({ line }) => {
    if (line === "POST /first") return rawResponse(200, { id: 7 });
    return rawResponse(++asked < 3 ? 503 : 200);
  });
  using fixture = runFixture({ flow: FLOW, url: server.url, files: FILES });
  const run = await fixture.run(args);
  equal(run.code, 0, run.stdout + run.stderr);
  await use(fixture, run);
}

Deno.test("run directory: meta.json has every key and its figures agree", () =>
  stored((_, { meta, dir }) => {
    for (const key of META_KEYS.split(" ")) ok(key in meta, key);
    match(meta.id, /^\d{8}T\d{6}Z-directory-[0-9a-f]{6}$/);
    ok(dir.endsWith(meta.id));
    deepStrictEqual(meta.iterations, {
      started: 2,
      completed: 2,
      passed: 2,
      failed: 0,
      throttled: 0,
    });
    equal(meta.requests, 6, "two rows, and two retries");
    deepStrictEqual(
      meta.steps.map(({ id, kind, executions, requests, attempts }) => [
        id,
        kind,
        executions,
        requests,
        attempts.passed,
        attempts.failed,
      ]),
      [
        ["first", "call", 2, 2, 2, 0],
        ["again", "call", 2, 4, 2, 2],
        ["pause", "wait", 2, 0, 2, 0],
      ],
    );
    deepStrictEqual(
      meta.thresholds.map(({ expression, pass, samples }) => [
        expression,
        pass,
        samples,
      ]),
      [["p95(latency) < 10s", true, 6], ["error_rate <= 0", true, 2]],
    );
  }));

Deno.test("run directory: flow.json is what compile prints, ir_sha256 its hash", () =>
  stored(async ({ path }, { dir, meta }) => {
    const flow = Deno.readTextFileSync(join(dir, "flow.json"));
    const compiled = await bench(["compile", "flow.yaml"], { cwd: path });
    equal(flow, compiled.stdout);
    equal(createHash("sha256").update(flow).digest("hex"), meta.ir_sha256);
  }));

Deno.test("run directory: traces.idx points at the traces of traces.json", () =>
  stored((_, { dir, traces }) => {
    const bytes = Deno.readFileSync(join(dir, "traces.json"));
    const index = JSON.parse(Deno.readTextFileSync(join(dir, "traces.idx")));
    const cell = (row: unknown[], name: string) =>
      row[index.columns.indexOf(name)] as number;
    equal(index.rows.length, 2);
    for (const [at, row] of index.rows.entries()) {
      const from = cell(row, "offset");
      const slice = bytes.subarray(from, from + cell(row, "length"));
      deepStrictEqual(JSON.parse(new TextDecoder().decode(slice)), traces[at]);
      equal(bytes[from - 1], 10, "a trace begins its line");
      equal(cell(row, "iteration"), traces[at]!.iteration);
    }
  }));

Deno.test("run directory: a trace is a tree of spans named as documented", () =>
  stored((_, { traces: [first, second] }) => {
    const call = ["http_call", "connect", "ttfb", "transfer"];
    const kept = ["http_call", "ttfb", "transfer"];
    deepStrictEqual(first!.spans.map(({ name }) => name), [
      "first",
      // No `dns`: the host is an address.
      ...call,
      "first.extract@id",
      "first.assert@0",
      "first.assert@1",
      "again",
      "attempt 1",
      ...kept,
      "backoff",
      "attempt 2",
      ...kept,
      "backoff",
      "attempt 3",
      ...kept,
      "pause",
    ]);
    // The second row reuses the connection.
    equal(second!.spans.some(({ name }) => name === "connect"), false);
    match(first!.trace_id, /^[0-9a-f]{32}$/);
    checkTree(first!.spans);
    const [http] = first!.spans.filter(({ name }) => name === "http_call");
    equal(http!.request?.line, "POST /first HTTP/1.1");
    equal(http!.request?.body, '{"n":"one"}');
    equal(http!.response?.body, '{"id":7}');
    const outcomes = first!.spans.filter(({ name }) => /^attempt/.test(name));
    deepStrictEqual(outcomes.map(({ outcome }) => outcome), [
      "failed",
      "failed",
      "passed",
    ]);
  }));

/** Ids are unique, parents exist, and a child lies within its parent. */
function checkTree(spans: readonly Span[]): void {
  const byId = new Map(spans.map((span) => [span.span_id, span]));
  equal(byId.size, spans.length);
  for (const span of spans) {
    match(span.span_id, /^[0-9a-f]{16}$/);
    if (span.parent_id === undefined) continue;
    const parent = byId.get(span.parent_id)!;
    ok(span.start_us >= parent.start_us, `${span.name} begins too early`);
    const end = span.start_us + span.duration_us;
    const last = parent.start_us + parent.duration_us;
    ok(end <= last + 1, `${span.name} ends after ${parent.name}`);
  }
}

Deno.test("run directory: histograms and series hold every request", () =>
  stored((_, { dir, meta }) => {
    const read = (file: string) =>
      JSON.parse(Deno.readTextFileSync(join(dir, file)));
    const histograms = read("histograms.json");
    equal(histograms.unit, "us");
    const overall = decodeFromCompressedBase64(histograms.overall.service);
    equal(overall.totalCount, 6);
    const again = decodeFromCompressedBase64(histograms.steps.again.service);
    equal(again.totalCount, 4);
    const max = meta.latency.max!;
    ok(Math.abs(overall.maxValue / 1_000 - max) <= max / 500 + 0.001);
    const { points, interval_ms } = read("series.json");
    equal(interval_ms, 1000);
    const sum = (key: string) =>
      points.reduce(
        (all: number, each: Record<string, number>) => all + each[key]!,
        0,
      );
    equal(sum("passed") + sum("failed") + sum("throttled"), 6);
    equal(sum("completed"), 2);
    deepStrictEqual(
      [...Deno.readDirSync(dir)].map(({ name }) => name).sort(),
      [
        "flow.json",
        "histograms.json",
        "meta.json",
        "series.json",
        "traces.idx",
        "traces.json",
      ],
    );
  }));

Deno.test("run directory: --json prints exactly the bytes of meta.json", () =>
  stored((_, { dir, stdout, stderr }) => {
    equal(stdout, Deno.readTextFileSync(join(dir, "meta.json")));
    equal(stderr, "");
  }, ["--json"]));

Deno.test("run directory: ids of traces and spans differ from run to run, whatever the seed", async () => {
  const ids: string[] = [];
  for (const seed of ["7", "7", "8"]) {
    await stored(
      (_, { traces }) =>
        void ids.push(...traces.flatMap(({ trace_id, spans }) => [
          trace_id,
          ...spans.map(({ span_id }) => span_id),
        ])),
      ["--seed", seed],
    );
  }
  ok(ids.length > 10);
  equal(new Set(ids).size, ids.length);
});

Deno.test("bench runs: a run directory goes by its own name, without what a terminal obeys", async () => {
  await using server = recordingServer();
  const flow = "flow: f\nsteps: [{ id: a, call: GET /x }]\n";
  using fixture = runFixture({ flow, url: server.url });
  const { code, dir } = await fixture.run();
  equal(code, 0);
  const store = dir.slice(0, dir.lastIndexOf("/"));
  const copy = join(store, "base\u001b[31m");
  Deno.renameSync(dir, copy);
  const runs = (...more: string[]) =>
    bench(["runs", "--store", store, ...more], { cwd: fixture.path });
  const { stdout } = await runs();
  equal(stdout.includes("\u001b"), false);
  match(stdout, /^ +base.*31m +✓ PASS/m);
  const listed = JSON.parse((await runs("--json")).stdout);
  equal(listed.runs[0].id, "base\u001b[31m");
  const report = await bench(
    ["report", "latest", "--store", store, "-o", "latest.json"],
    { cwd: fixture.path },
  );
  equal(report.code, 0, report.stderr);
});
