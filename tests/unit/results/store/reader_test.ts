import assert from "node:assert/strict";
import {
  listRuns,
  readAgent,
  readMeta,
  readSeries,
} from "../../../../lib/results/store/reader.ts";
import { NO_LATENCY } from "../../../../lib/model/result/run.ts";
import { failureKey } from "../../../../lib/model/result/failure.ts";
import { createRun } from "../../../../lib/results/store/run_writer.ts";
import {
  clean,
  finished,
  ID,
  running,
  STARTED,
  withRun,
  withStore,
} from "./fixtures.ts";

async function spoil(
  dir: string,
  change: (meta: Record<string, unknown>) => unknown,
): Promise<void> {
  const meta = structuredClone(finished()) as unknown as Record<
    string,
    unknown
  >;
  await Deno.writeTextFile(`${dir}/meta.json`, JSON.stringify(change(meta)));
}

Deno.test("readMeta reads back what was written", async () => {
  await withRun(async (run) => {
    await run.writeMeta(clean(finished()));
    assert.deepEqual(await readMeta(run.dir, STARTED), finished());
  });
});

Deno.test("readMeta: zeros of an earlier version without a sample are null", async () => {
  const zeros = { min: 0, avg: 0, p50: 0, p90: 0, p95: 0, p99: 0, max: 0 };
  const [step] = finished().steps;
  await withRun(async (run) => {
    await spoil(run.dir, (meta) => ({
      ...meta,
      latency: zeros,
      steps: [{ ...step, throttled_latency: zeros }],
    }));
    const read = await readMeta(run.dir, STARTED);
    assert.deepEqual(read.latency, NO_LATENCY);
    assert.deepEqual(read.steps[0]!.throttled_latency, NO_LATENCY);
    assert.deepEqual(read.steps[0]!.latency, step!.latency);
  });
});

Deno.test("readMeta: the one failure of a row of an earlier version is a list", async () => {
  const failure = {
    step: "login",
    code: "status",
    message: "no",
    count: 1,
    outcome: "failed",
  };
  const row = { iteration: 0, outcome: "failed", duration_ms: 1 };
  await withRun(async (run) => {
    await spoil(run.dir, (meta) => ({
      ...meta,
      rows: [{ ...row, failure }, { ...row, outcome: "passed" }],
    }));
    const { rows } = await readMeta(run.dir, STARTED);
    assert.deepEqual(rows, [
      { ...row, failures: [{ key: "login|status|no", ...failure }] },
      { ...row, outcome: "passed", failures: [] },
    ]);
  });
});

Deno.test("readMeta: thresholds and failure groups of an earlier version get their parts", async () => {
  const judged = { actual: 180, pass: false, samples: 9 };
  const failure = {
    step: "login",
    code: "assertion",
    message: "latency < 41ms does not hold: latency is the duration <n>ms",
    count: 2,
    outcome: "failed",
  };
  await withRun(async (run) => {
    await spoil(run.dir, (meta) => ({
      ...meta,
      thresholds: [
        { expression: "p95(latency) < 1.5s", ...judged },
        { expression: "error_rate <= 1%", ...judged },
      ],
      failures: [failure],
    }));
    const { thresholds, failures } = await readMeta(run.dir, STARTED);
    assert.deepEqual(
      thresholds.map(({ metric, stat, operator, limit, actual }) => [
        metric,
        stat,
        operator,
        limit,
        actual,
      ]),
      [
        ["latency", "p95", "<", 1_500, 180],
        ["error_rate", undefined, "<=", 0.01, 180],
      ],
    );
    // What a trace of that version makes of its failure.
    const seen = failure.message.replace("<n>ms", "60ms");
    assert.equal(
      failures[0]!.key,
      failureKey("login", { code: "assertion", message: seen }),
    );
  });
});

const SPOILT: readonly (readonly [
  string,
  (meta: Record<string, unknown>) => unknown,
  RegExp,
])[] = [
  [
    "a newer schema by its number",
    (meta) => ({ ...meta, schema: 2 }),
    /it has schema 2, this bench reads schema 1/,
  ],
  [
    "a missing figure by its location",
    (meta) => ({ ...meta, latency: { min: 1 } }),
    /`latency.avg` is missing/,
  ],
  [
    "a wrong type by its location",
    (meta) => ({ ...meta, vus: "20" }),
    /`vus`: expected number, but it is "20"/,
  ],
  [
    "an unknown status",
    (meta) => ({ ...meta, status: "lost" }),
    /`status`: expected .*"running"/,
  ],
  [
    "a threshold that is none",
    (meta) => ({
      ...meta,
      thresholds: [{
        expression: "p95 < 1",
        actual: 1,
        pass: true,
        samples: 1,
      }],
    }),
    /`thresholds.0`: expected a threshold/,
  ],
  ["a file that is a list", () => [], /`schema` is missing/],
];

for (const [rule, change, message] of SPOILT) {
  Deno.test(`readMeta refuses ${rule}`, async () => {
    await withRun(async (run) => {
      await spoil(run.dir, change);
      await assert.rejects(readMeta(run.dir, STARTED), message);
    });
  });
}

Deno.test("readMeta follows no link, and quotes nothing of what it leads to", async () => {
  await withRun(async (run) => {
    const other = `${run.dir}.private`;
    await Deno.writeTextFile(other, "private words");
    await Deno.symlink(other, `${run.dir}/meta.json`);
    try {
      await assert.rejects(readMeta(run.dir, STARTED), {
        message:
          `Cannot read \`${run.dir}/meta.json\`: it is a symbolic link, which is not followed`,
      });
    } finally {
      await Deno.remove(other);
    }
  });
});

Deno.test("readMeta lets keys through that it does not know", async () => {
  await withRun(async (run) => {
    await spoil(run.dir, (meta) => ({ ...meta, later_addition: 1 }));
    assert.equal((await readMeta(run.dir, STARTED)).flow, "checkout");
  });
});

Deno.test("readMeta gives a running run without a heartbeat for 15 s as interrupted", async () => {
  await withRun(async (run) => {
    await run.writeMeta(running());
    await run.heartbeat(STARTED + 5_000);
    assert.equal((await readMeta(run.dir, STARTED + 19_999)).status, "running");
    const stale = await readMeta(run.dir, STARTED + 20_000);
    assert.deepEqual([stale.status, stale.duration_ms, stale.verdict], [
      "interrupted",
      5_000,
      null,
    ]);
  });
});

Deno.test("readMeta leaves a finished run alone, however old it is", async () => {
  await withRun(async (run) => {
    await run.writeMeta(clean(finished()));
    assert.equal((await readMeta(run.dir, STARTED + 1e12)).status, "finished");
  });
});

Deno.test("listRuns gives the newest first, and broken runs with their problem", async () => {
  await withStore(async (store) => {
    const ids = [
      "20261120T180211Z-a-000001",
      "20261120T180212Z-b-000002",
      "20261121T000000Z-c-000003",
      "20261122T000000Z-d-000004",
    ];
    for (const id of ids) (await createRun(store, id)).release();
    for (const id of ids.slice(0, 2)) {
      await Deno.writeTextFile(
        `${store}/${id}/meta.json`,
        JSON.stringify({ ...finished(), id }),
      );
    }
    await Deno.writeTextFile(`${store}/${ids[2]}/meta.json`, "{");
    await Deno.mkdir(`${store}/notes`);
    await Deno.writeTextFile(`${store}/readme.txt`, "");
    const listed = await listRuns(store, STARTED);
    assert.deepEqual(listed.map(({ id }) => id), ids.toReversed());
    const problems = listed.map((each) =>
      "problem" in each ? each.problem : ""
    );
    assert.match(problems[0]!, /has no meta.json$/);
    assert.match(problems[1]!, /meta.json`: it is not JSON: /);
    assert.deepEqual(problems.slice(2), ["", ""]);
  });
});

Deno.test("listRuns of a store that is not there yet is empty", async () => {
  await withStore(async (store) => {
    assert.deepEqual(await listRuns(`${store}/none`, STARTED), []);
  });
});

Deno.test("listRuns of a file says what is wrong", async () => {
  await withStore(async (store) => {
    await Deno.writeTextFile(`${store}/file`, "");
    await assert.rejects(
      listRuns(`${store}/file`, STARTED),
      /Cannot read the run store/,
    );
  });
});

Deno.test("readSeries and readAgent give nothing where there is no file", async () => {
  await withRun(async (run) => {
    assert.equal(await readSeries(run.dir), undefined);
    const agent = {
      schema: 1,
      addr: "127.0.0.1:9090",
      interval_ms: 1_000 as const,
      samples: [],
      missed: 3,
    };
    await run.writeAgent(clean(agent));
    assert.deepEqual(await readAgent(run.dir), agent);
  });
});

Deno.test("every reader understands the directory of a run that was just begun", async () => {
  await withStore(async (store) => {
    const run = await createRun(store, ID);
    run.release();
    await run.writeMeta(running());
    const [listed] = await listRuns(store, Date.parse("2100-01-01T00:00:00Z"));
    assert.ok(listed && "meta" in listed);
    assert.equal(listed.meta.status, "interrupted");
  });
});
