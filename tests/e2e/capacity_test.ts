import assert from "node:assert/strict";
import type { JsonObject } from "../../lib/base/values/json.ts";
import type { CapacityTrial } from "../../lib/model/result/findings.ts";
import type { GeneratorHealth } from "../../lib/model/result/run.ts";
import { readMeta } from "../../lib/results/store/reader.ts";
import { runFlow } from "../../lib/run.ts";
import { measureCapacity } from "../../cli/judge/capacity.ts";
import { systemEnvironment } from "../../cli/inputs/environment.ts";
import { rawResponse } from "../support/raw_response.ts";
import { bench, spawnBench, workspace } from "../support/bench.ts";
import { recordingServer } from "../support/recording_server.ts";
import { unwatched } from "../support/run_in_process.ts";

type CapacityRequest = Parameters<typeof measureCapacity>[0];

const TRIAL_S = 0.25;
/** Requests of one trial that are served; more are throttled. */
const QUOTA = 15;

/** Read from the environment, and so nothing that may be stored. */
const SECRET = "throttle_rate <= 0%";

/** A search in a folder, by VUs unless said. */
function searchOf(
  directory: string,
  yaml: string,
  target: JsonObject,
): Omit<CapacityRequest, "carryOut"> {
  const bytes = new TextEncoder().encode(yaml);
  const document = { value: { name: "inline", ...target } };
  return {
    flow: { file: "flow.bench.yaml", directory, form: "yaml", bytes },
    target: { file: "inline", directory, form: "document", document },
    environment: {
      ...systemEnvironment,
      env: (name) => name === "KEY" ? SECRET : undefined,
    },
    storeDir: `${directory}/runs`,
    vus: true,
    from: 2,
    precision: 0.5,
    trial: 50_000,
    coolDown: 0,
    seed: 1,
  };
}

/** The same trial with other thresholds: in its milliseconds a busy machine may do nothing. */
function judged(
  { meta, ...rest }: Awaited<ReturnType<typeof carryOut>>,
  pass: boolean,
) {
  const verdict = pass ? "pass" as const : "fail" as const;
  const thresholds = meta.thresholds.map((each) => ({ ...each, pass }));
  return { ...rest, meta: { ...meta, verdict, thresholds } };
}

/** Carries a trial out. How busy this machine is does not matter: what limited it is given. */
async function carryOut(
  [prepared, storeDir, seed]: Parameters<CapacityRequest["carryOut"]>,
  limit: Partial<GeneratorHealth>,
) {
  const options = { ...unwatched(), storeDir, seed };
  const { meta, ...rest } = await runFlow(prepared, options);
  const generator = { ...meta.generator!, held_requests: 0, ...limit };
  return { ...rest, meta: { ...meta, generator } };
}

Deno.test({
  name:
    "capacity brackets what a server serves at all, sends no id in two trials, and stores no secret",
  async fn() {
    let served = 0;
    await using server = recordingServer(() =>
      rawResponse(served++ < QUOTA ? 200 : 429)
    );
    using folder = workspace({});
    const yaml = `version: 1
flow: quota
values: { order: uuid }
profile: { mode: load, vus: 1, hold: 1s, thresholds: ["${SECRET}"] }
steps:
  - id: one
    call: GET /{{ order }}
    headers: { X-Key: "{{ env.KEY }}" }
`;
    const trials: CapacityTrial[] = [];
    const { capacity, directory } = await measureCapacity({
      ...searchOf(folder.path, yaml, { base_urls: [server.url] }),
      vus: false,
      from: 40,
      trial: TRIAL_S * 1e6,
      async carryOut(...trial) {
        served = 0;
        return await carryOut(trial, { limited: false });
      },
      onTrial: (trial) => trials.push(trial),
    });
    const { lower, upper, cause } = capacity;
    const ids = server.arrivals.map(({ line }) => line);
    assert.equal(new Set(ids).size, ids.length);
    const truth = QUOTA / TRIAL_S;
    assert.ok(lower! <= truth && truth < upper!, `${lower} to ${upper}`);
    assert.ok(upper! <= lower! * 1.5, `${lower} to ${upper}`);
    assert.match(cause, /; throttle_rate 0% -> .*no agent was attached/);
    const meta = await readMeta(directory, Date.now());
    assert.equal(meta.capacity?.trials.length, trials.length);
    const stored = await Deno.readTextFile(`${directory}/meta.json`);
    assert.doesNotMatch(stored, /throttle_rate <= 0%/);
    const kept = [...Deno.readDirSync(`${folder.path}/runs`)];
    assert.deepEqual(kept.map(({ name }) => name), [meta.id]);
  },
});

const OPEN: readonly {
  readonly name: string;
  readonly target?: JsonObject;
  readonly most?: number;
  /** By level, trial by trial. */
  readonly limits: Readonly<
    Record<number, readonly Partial<GeneratorHealth>[]>
  >;
  readonly lower: number;
  readonly cause: string;
}[] = [
  {
    name: "--most, where a level that was limited held once more",
    target: { max_vus: 100 },
    most: 4,
    limits: { 2: [{ limited: true }] },
    lower: 4,
    cause: "`--most` lets no level above 4 be tried",
  },
  {
    name: "--most, where the generator was the limit at full length",
    most: 4,
    limits: { 4: [{}, { limited: true }, { limited: true }] },
    lower: 4,
    cause:
      "`--most` lets no level above 4 be tried; the generator was the limit at 4, where only a short trial counts",
  },
  {
    name: "a ceiling of the target",
    target: { max_vus: 4 },
    most: 8,
    limits: {},
    lower: 4,
    cause: "`max_vus` of the target lets no level above 4 be tried",
  },
  {
    name: "a ceiling of the target below the first level",
    target: { max_vus: 1 },
    limits: {},
    lower: 1,
    cause: "`max_vus` of the target lets no level above 1 be tried",
  },
  {
    name: "the level at which the generator was the limit again",
    limits: {
      2: [{ limited: true }],
      4: [{ limited: true }, { limited: true }],
    },
    lower: 2,
    cause:
      "the generator was the limit at 4: what the target can do beyond is not known",
  },
  {
    name: "what held requests back",
    limits: { 4: [{ held_requests: 1e6 }, { held_requests: 1e6 }] },
    lower: 2,
    cause:
      "`max_rps` of the target held requests back at 4: what the target can do beyond is not known",
  },
];

for (const { name, target, most, limits, lower, cause } of OPEN) {
  Deno.test({
    name: `capacity says why there is no upper bound: ${name}`,
    async fn() {
      await using server = recordingServer();
      using folder = workspace({});
      const yaml = `flow: open
profile: { mode: load, vus: 1, hold: 1s, thresholds: ["error_rate < 1%"] }
steps: [{ id: one, call: GET / }]
`;
      const left = new Map(
        Object.entries(limits).map((
          [level, each],
        ) => [Number(level), [...each]]),
      );
      const { capacity, meta, directory } = await measureCapacity({
        ...searchOf(folder.path, yaml, { base_urls: [server.url], ...target }),
        ...(most !== undefined && { most }),
        async carryOut(...trial) {
          const [{ flow: { profile: { vus } } }] = trial;
          const limit = left.get(vus as number)?.shift() ?? { limited: false };
          const done = await carryOut(trial, { limited: false, ...limit });
          return judged(done, true);
        },
      });
      assert.equal(capacity.upper, null);
      assert.equal(capacity.lower, lower);
      assert.equal(capacity.cause, cause);
      assert.equal(meta.vus, lower);
      // What is kept shows the bound: no trial that says nothing of the target.
      assert.equal(meta.generator?.limited, false);
      const stored = await readMeta(directory, Date.now());
      assert.equal(stored.capacity?.cause, cause);
    },
  });
}

Deno.test({
  name:
    "capacity says that the bounds are further apart where the generator was the limit between them",
  async fn() {
    await using server = recordingServer();
    using folder = workspace({});
    const yaml = `flow: apart
profile: { mode: load, vus: 1, hold: 1s, thresholds: ["error_rate < 1%"] }
steps: [{ id: one, call: GET / }]
`;
    const { capacity } = await measureCapacity({
      ...searchOf(folder.path, yaml, { base_urls: [server.url] }),
      async carryOut(...trial) {
        const [{ flow: { profile: { vus } } }] = trial;
        const done = await carryOut(trial, { limited: vus === 6 });
        return judged(done, vus as number < 8);
      },
    });
    assert.deepEqual([capacity.lower, capacity.upper], [4, 8]);
    assert.match(
      capacity.cause,
      /\(inconclusive\); the generator was the limit at 6, so that no nearer bound is known$/,
    );
  },
});

Deno.test({
  name:
    "capacity does not say that no level holds where the generator was the limit of the only ones below",
  async fn() {
    await using server = recordingServer();
    using folder = workspace({});
    const yaml = `flow: below
profile: { mode: load, vus: 1, hold: 1s, thresholds: ["error_rate < 1%"] }
steps: [{ id: one, call: GET / }]
`;
    const found = async (from: number, broken: number) => {
      const { capacity } = await measureCapacity({
        ...searchOf(folder.path, yaml, { base_urls: [server.url] }),
        from,
        async carryOut(...trial) {
          const [{ flow: { profile: { vus } } }] = trial;
          const limited = vus as number < broken;
          const done = await carryOut(trial, { limited });
          return judged(done, !limited && vus as number < broken);
        },
      });
      return [capacity.lower, capacity.upper, capacity.cause];
    };
    const [lower, upper, cause] = await found(2, 2);
    assert.deepEqual([lower, upper], [null, 2]);
    assert.match(
      cause as string,
      /; the generator was the limit at 1, and no lower level held$/,
    );
    assert.deepEqual(await found(2, 100), [
      null,
      null,
      "the generator was the limit at 1: what the target can do is not known",
    ]);
  },
});

Deno.test({
  name:
    "capacity: a trial that the store ended is no breach, and ends the search",
  async fn() {
    await using server = recordingServer(() => rawResponse(200));
    using folder = workspace({});
    const yaml = `flow: full
profile: { mode: load, vus: 1, hold: 1s, thresholds: ["error_rate < 1%"] }
steps:
  - id: one
    call: GET /
`;
    const trials: CapacityTrial[] = [];
    const search = measureCapacity({
      ...searchOf(folder.path, yaml, { base_urls: [server.url] }),
      async carryOut(...trial) {
        const { meta, ...rest } = await carryOut(trial, { limited: false });
        const abort_reason = "Cannot write `traces.json`: the disk is full";
        const ended = { status: "errored", verdict: "fail" } as const;
        return { ...rest, meta: { ...meta, ...ended, abort_reason } };
      },
      onTrial: (trial) => trials.push(trial),
    });
    await assert.rejects(search, {
      name: "BenchError",
      message:
        "a trial did not finish: Cannot write `traces.json`: the disk is full",
      exitCode: 3,
    });
    assert.deepEqual(trials, []);
  },
});

for (const policy of ["fail", "stop"]) {
  Deno.test(`capacity: a trial that uses up the rows of a fixture is no breach, and ends the search: ${policy}`, async () => {
    await using server = recordingServer();
    using folder = workspace({ "rows.csv": "name\nada\nbob\n" });
    const yaml = `version: 1
flow: rows
pools: { user: { path: rows.csv, on_exhausted: ${policy} } }
profile: { mode: load, vus: 1, hold: 1s, thresholds: ["error_rate < 1%"] }
steps:
  - id: one
    call: GET /{{ user.name }}
`;
    const search = measureCapacity({
      ...searchOf(folder.path, yaml, { base_urls: [server.url] }),
      carryOut: (...trial) => carryOut(trial, { limited: false }),
    });
    await assert.rejects(search, {
      name: "BenchError",
      // On a busy machine the first trial may do with two rows.
      message:
        /^a trial at \d+ used up the 2 rows of pool `user`, which is no limit of the target$/,
      exitCode: 3,
    });
    assert.deepEqual([...Deno.readDirSync(`${folder.path}/runs`)], []);
  });
}

Deno.test("bench capacity refuses a flow without thresholds", async () => {
  using folder = workspace({
    "a.yaml": "name: a\nbase_urls: [http://127.0.0.1:9]\n",
    "a.bench.yaml": "flow: a\nsteps: [{ id: x, call: GET /x }]\n",
  });
  const { code, stderr } = await bench(
    ["capacity", "a.bench.yaml", "--target", "a.yaml"],
    { cwd: folder.path },
  );
  assert.equal(code, 2);
  assert.match(stderr, /the flow has no thresholds/);
  assert.match(stderr, /--threshold "p95\(latency\) < 300ms"/);
});

Deno.test("capacity searches by requests or by VUs, not by both", async () => {
  const words = ["capacity", "a.bench.yaml", "--target", "a"];
  const { code, stderr } = await bench([...words, "--rate", "--vus"]);
  assert.equal(code, 2);
  assert.match(stderr, /--rate and --vus are two searches/);
});

Deno.test("capacity by VUs takes whole numbers of them", async () => {
  using folder = workspace({
    "a.bench.yaml": "flow: a\nsteps:\n  - { id: a, call: GET /a }\n",
    "a.yaml": "name: a\nbase_urls: ['http://127.0.0.1:9']\n",
  });
  const words = ["a.bench.yaml", "--target", "./a.yaml", "--vus"];
  for (const flag of ["--from", "--most"]) {
    const all = ["capacity", ...words, flag, "1.5"];
    const { code, stderr } = await bench(all, { cwd: folder.path });
    assert.equal(code, 2);
    assert.match(stderr, /is a number of VUs with --vus, not 1\.5/);
  }
});

Deno.test("capacity begins no higher than a run can", async () => {
  using folder = workspace({
    "a.bench.yaml": "flow: a\nsteps:\n  - { id: a, call: GET /a }\n",
    "a.yaml": "name: a\nbase_urls: ['http://127.0.0.1:9']\n",
  });
  for (const more of [[], ["--vus"]]) {
    const all = ["capacity", "a.bench.yaml", "--target", "./a.yaml", ...more];
    const { code, stderr } = await bench([...all, "--from", "1000001"], {
      cwd: folder.path,
    });
    assert.equal(code, 2);
    assert.match(stderr, /--from: error: it is at most 1000000, not 1000001/);
  }
});

Deno.test("capacity refuses a first level above the highest it may try", async () => {
  using folder = workspace({
    "a.bench.yaml": "flow: a\nsteps:\n  - { id: a, call: GET /a }\n",
    "a.yaml": "name: a\nbase_urls: ['http://127.0.0.1:9']\n",
  });
  const { code, stderr } = await bench([
    ...["capacity", "a.bench.yaml", "--target", "./a.yaml"],
    ...["--most", "5", "--from", "10"],
  ], { cwd: folder.path });
  assert.equal(code, 2);
  assert.equal(
    stderr,
    "--from: error: it is at most what --most is, 5, not 10\n",
  );
});

Deno.test("capacity: SIGINT between two trials keeps what was measured", async () => {
  await using server = recordingServer(() => rawResponse(200));
  using folder = workspace({
    "flow.yaml": `flow: pause
profile: { mode: load, vus: 1, hold: 1s, thresholds: ["error_rate < 1%"] }
steps:
  - id: one
    call: GET /
`,
    "target.yaml": `name: t\nbase_urls: ["${server.url}"]\n`,
  });
  const child = spawnBench([
    ...["capacity", "flow.yaml", "--target", "target.yaml", "--vus"],
    ...["--trial", "2s", "--cool-down", "30s", "--store", "runs"],
    ...["--report-md", "cap.md"],
  ], { cwd: folder.path });
  const decoder = new TextDecoder();
  let said = "";
  for await (const part of child.stderr) {
    said += decoder.decode(part);
    if (said.includes("1 VU  ")) child.kill("SIGINT");
  }
  const { code } = await child.status;
  const stdout = await new Response(child.stdout).text();
  assert.equal(code, 130, said);
  const prose = stdout.replaceAll(/\s+/g, " ");
  assert.match(prose, /; the search was interrupted/);
  assert.match(Deno.readTextFileSync(`${folder.path}/cap.md`), /interrupted/);
  assert.equal([...Deno.readDirSync(`${folder.path}/runs`)].length, 1);
});
