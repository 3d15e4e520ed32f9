import { deepStrictEqual, equal, match, rejects } from "node:assert/strict";
import {
  MergeRefused,
  mergeRuns,
} from "../../../../lib/engine/merge/merge_runs.ts";
import type { WorkerReport } from "../../../../lib/engine/workers/worker_pool.ts";
import { systemClock } from "../../../../lib/base/time/clock.ts";
import type { RunMeta } from "../../../../lib/model/result/run.ts";
import type { Console } from "../../../../cli/terminal/console.ts";
import { mergeCommand } from "../../../../cli/shards/merge_command.ts";
import { apart, shareWritten, temporaryStore } from "./shares_apart.ts";
import { prepared, ShardedFixture } from "../shards/sharded_fixture.ts";

/** A share as JSON has it. */
// deno-lint-ignore no-explicit-any
type Loose = any;

const OPTIONS = { tolerateLost: 0, chance: () => 0.5 };

const read = (dir: string, file: string) =>
  Deno.readTextFileSync(`${dir}/${file}`);
const json = (dir: string, file: string) => JSON.parse(read(dir, file));

Deno.test("merge: the shares of a run, joined, are what its lead stored, bit for bit", async () => {
  using store = temporaryStore();
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    ({ url }) =>
      Response.json({ n: 1 }, { status: url.endsWith("5") ? 503 : 200 }),
  );
  const run = await prepared({
    flow: `flow: exact
data: rows.csv
profile: { mode: load, vus: 6, iterations: 60 }
steps:
  - { id: one, call: "GET /{{ user.n }}", assert: [status == 200] }
  - { id: two, call: GET /two, extract: { n: $.n } }
`,
    baseUrl: `http://127.0.0.1:${server.addr.port}`,
    files: {
      "rows.csv": `n\n${
        Array.from({ length: 60 }).keys().toArray().join("\n")
      }\n`,
    },
  });
  const fixture = new ShardedFixture(run, 3);
  const recorded: (readonly WorkerReport[])[] = [];
  const lead = await fixture.all({
    clock: systemClock,
    storeDir: store.storeDir,
    opened(pool) {
      const { others } = pool;
      if (!others) return;
      const carryOut = pool.run.bind(pool);
      pool.run = async (at) => {
        recorded[0] = await carryOut(at);
        others.call(pool).forEach(({ index, workers }) =>
          recorded[index] = workers
        );
        return recorded[0];
      };
    },
  });
  const dirs = await Promise.all(recorded.map(async (reports, index) => {
    const { storeDir } = store;
    const { duration_ms } = lead.meta;
    const stored = await fixture.share(index, reports, duration_ms, {
      storeDir,
    });
    return stored.directory!;
  }));
  const merged = await mergeRuns(dirs.toReversed(), { ...store, ...OPTIONS });
  const [expected, actual] = [lead.directory!, merged.directory];
  for (
    const file of ["histograms.json", "traces.json", "traces.idx", "flow.json"]
  ) {
    equal(read(actual, file), read(expected, file), file);
  }
  // How busy the machine was is each process's own reading.
  const points = (dir: string) =>
    json(dir, "series.json").points.map((
      { cpu_share: _, core_wait_share: __, ...counted }: Record<
        string,
        unknown
      >,
    ) => counted);
  deepStrictEqual(points(actual), points(expected));
  // What is of the process and not of the run.
  const counted = (
    {
      id: _,
      started_at: __,
      ended_at: ___,
      notes: ____,
      generator: _____,
      findings,
      ...rest
    }: RunMeta,
  ) => ({
    ...rest,
    shards: rest.shards!.map(({ generator: _, ...share }) => share),
    findings: findings?.filter(({ name }) => name !== "generator_limited"),
  });
  deepStrictEqual(
    counted(json(actual, "meta.json")),
    counted(json(expected, "meta.json")),
  );
  equal(merged.meta.iterations.completed, 60);
  equal(merged.meta.failures[0]!.count, 6);
  match(merged.meta.failures[0]!.file!, /flow\.yaml/);
});

Deno.test("merge: a lead that lost its shards, and the shards, become one run again", async () => {
  using store = temporaryStore();
  const dirs = await apart(store.storeDir);
  const { meta, directory } = await mergeRuns(dirs, {
    ...store,
    ...OPTIONS,
    tolerateLost: 2,
  });
  const shares = dirs.map((dir) => json(dir, "share.json"));
  const own = shares.map(({ workers }) =>
    workers[0].snapshot.iterations.completed
  );
  deepStrictEqual(meta.shards!.map((each) => each.iterations), own);
  equal(meta.iterations.completed, own[0] + own[1] + own[2]);
  equal(meta.status, "finished");
  deepStrictEqual(
    meta.shards!.map((each) => each.lost_at_ms !== null),
    [false, true, true],
  );
  match(
    meta.notes.join("\n"),
    /^shard 1 of 3 was lost: the lead was lost: .*; its share is missing from [\d.]+m?s on/m,
  );
  deepStrictEqual(json(directory, "meta.json"), meta);
  const strict = await mergeRuns(dirs, {
    ...store,
    ...OPTIONS,
    chance: () => 0,
  });
  equal(strict.meta.status, "errored");
  equal(strict.meta.exit_code, 3);
});

Deno.test("merge: the warm-up of shares stays apart, of a lead that was killed too", async () => {
  const flow = `version: 1
flow: warm
profile: { mode: load, vus: 6, hold: 20s, warm_up: 1s }
steps:
  - { id: rest, wait: 100ms }
`;
  for (const killed of [false, true]) {
    using store = temporaryStore();
    const dirs = await apart(store.storeDir, killed, flow);
    const { meta, directory } = await mergeRuns(dirs, {
      ...store,
      ...OPTIONS,
      tolerateLost: 2,
    });
    const shares = dirs.map((dir) => json(dir, "share.json"));
    const begun = (of: (snapshot: Loose) => Loose) =>
      shares.reduce(
        (sum, { workers }) => sum + of(workers[0].snapshot).iterations.started,
        0,
      );
    equal(meta.warm_up!.duration_ms, 1_000);
    equal(meta.warm_up!.iterations.started, begun(({ warmUp }) => warmUp));
    equal(meta.warm_up!.iterations.started, 60);
    equal(meta.iterations.started, begun((snapshot) => snapshot));
    const { points, warm_up } = json(directory, "series.json");
    const sum = (all: Loose[]) =>
      all.reduce((sum, { started }) => sum + started, 0);
    equal(sum(warm_up), 60);
    equal(sum(points), meta.iterations.started);
  }
});

Deno.test("merge: without the lead's share the others are joined where that is accepted", async () => {
  using store = temporaryStore();
  const [, ...dirs] = await apart(store.storeDir);
  await rejects(mergeRuns(dirs, { ...store, ...OPTIONS }), {
    name: "MergeRefused",
    message: "shard 0 of 3 is missing",
    hint:
      "give its run directory as well, or go without with --tolerate-lost 1",
  });
  const { meta } = await mergeRuns(dirs, {
    ...store,
    ...OPTIONS,
    tolerateLost: 1,
  });
  equal(meta.status, "errored");
  match(meta.abort_reason!, /the lead was lost/);
  deepStrictEqual(meta.shards!.map((each) => each.lost_at_ms), [0, null, null]);
  match(
    meta.notes.join("\n"),
    /shard 0 of 3 was lost: its run directory was not given/,
  );
});

Deno.test("merge: what is not of one run is refused in words, and nothing is left", async () => {
  using store = temporaryStore();
  const dirs = await apart(store.storeDir);
  using other = temporaryStore();
  const again = await apart(other.storeDir);
  const before = [...Deno.readDirSync(store.storeDir)].length;
  const refuses = async (all: readonly string[], message: RegExp) => {
    await rejects(
      mergeRuns(all, { ...store, ...OPTIONS }),
      (error: Error) => {
        match(error.message, message);
        return error instanceof MergeRefused;
      },
    );
  };
  await refuses([dirs[0]!, dirs[1]!], /^shard 2 of 3 is missing$/);
  await refuses([dirs[1]!], /^shards 0, 2 of 3 are missing$/);
  await refuses(
    [...dirs, dirs[1]!],
    /^shard 1 of 3 is there twice: `.*` and `.*`$/,
  );
  await refuses(
    [dirs[0]!, dirs[1]!, again[2]!],
    /are not of one run: the flow was run twice$/,
  );
  const [first] = dirs;
  const changed = (change: (share: Loose) => void) => {
    const share = json(first!, "share.json");
    change(share);
    const dir = Deno.makeTempDirSync({ dir: other.storeDir });
    Deno.writeTextFileSync(`${dir}/share.json`, JSON.stringify(share));
    return dir;
  };
  const cases: [string, number | string, RegExp][] = [
    ["seed", 7, /the seed differs \(1 and 7\)/],
    ["irSha256", "abc", /what the flow says differs/],
    [
      "benchVersion",
      "9.9.9",
      /the version of bench differs \(.* and 9\.9\.9\)/,
    ],
    ["target", "there", /the target differs \(here and there\)/],
  ];
  for (const [key, value, message] of cases) {
    const dir = changed(({ facts }) => Object.assign(facts, { [key]: value }));
    await refuses([dirs[1]!, dirs[2]!, dir], message);
  }
  const four = changed(({ shard, plan }) =>
    [shard, plan.shard].forEach((each) => Object.assign(each, { count: 4 }))
  );
  await refuses([dirs[1]!, four], /the number of shards differs \(3 and 4\)/);
  await refuses(
    [other.storeDir],
    /is not the share of a shard: it has no share\.json/,
  );
  equal([...Deno.readDirSync(store.storeDir)].length, before);
});

Deno.test("merge: a lead that was killed leaves what it had recorded, and the whole of a run is not joined", async () => {
  using store = temporaryStore();
  const dirs = await apart(store.storeDir, true);
  const [left, one, two] = dirs;
  const files = [...Deno.readDirSync(left!)].map(({ name }) => name);
  equal(files.includes("share.json.part"), true);
  const { meta } = await mergeRuns(dirs, { ...store, ...OPTIONS });
  deepStrictEqual([meta.status, meta.exit_code], ["errored", 3]);
  const [own, ...others] = meta.shards!;
  // Two VUs, iterations of 100 ms.
  equal(Math.abs(own!.iterations - own!.lost_at_ms! / 50) <= 4, true);
  equal(own!.iterations > 10, true);
  deepStrictEqual(others.map((each) => each.lost_at_ms), [null, null]);
  match(meta.notes.join("\n"), /^shard 0 of 3 was lost: it was killed; /m);
  const ended = (dir: string) =>
    json(dir, "meta.json").iterations.completed as number;
  equal(
    meta.iterations.completed,
    own!.iterations + ended(one!) + ended(two!),
  );
  const points: { completed: number }[] =
    json(`${store.storeDir}/${meta.id}`, "series.json").points;
  equal(
    points.reduce((sum, each) => sum + each.completed, 0),
    meta.iterations.completed,
  );
  const { meta: tolerant } = await mergeRuns(dirs, {
    ...store,
    ...OPTIONS,
    tolerateLost: 3,
    chance: () => 0.1,
  });
  equal(tolerant.status, "errored", "a run without its lead did not end");
  // Killed when it had stored the run, before it said so.
  const whole = { ...meta, shards: meta.shards!.map(neverLost) };
  Deno.writeTextFileSync(`${left}/meta.json`, JSON.stringify(whole));
  await rejects(
    mergeRuns(dirs, { ...store, ...OPTIONS }),
    /^MergeRefused: `.*` is the whole run: its lead stored every share$/,
  );
});

const neverLost = (share: NonNullable<RunMeta["shards"]>[number]) => ({
  ...share,
  lost_at_ms: null,
});

Deno.test("merge: a run that comes to its end leaves nothing of what was written meanwhile", async () => {
  using store = temporaryStore();
  const fixture = new ShardedFixture(
    await prepared({
      flow: `flow: waits
profile: { mode: load, vus: 2, hold: 60s }
steps:
  - { id: rest, wait: 100ms }
`,
    }),
    2,
  );
  const { clock } = fixture;
  const lead = fixture.lead({ ...store, signal: () => "SIGINT" });
  const one = await fixture.join(1);
  const dir = await shareWritten(clock, store.storeDir);
  lead.stop.soft("interrupted", "SIGINT");
  await clock.drive(Promise.all([lead.outcome, one.outcome]));
  const files = [...Deno.readDirSync(dir)].map(({ name }) => name);
  equal(json(dir, "meta.json").status, "interrupted");
  deepStrictEqual(files.filter((name) => /share/.test(name)), []);
});

/** What is done to the share of shard 1, and what is said of it. */
/** Counts in a file are an object of one key, by how wide they are. */
const packedOf = (counts: Record<string, number[]>) =>
  Object.values(counts)[0]!;

const DAMAGE: readonly (readonly [
  what: string,
  change: (share: Loose) => unknown,
  message: RegExp,
])[] = [
  [
    "a schema of a later version",
    (share) => share.schema = 99,
    /it has schema 99, this bench reads schema 1 and older/,
  ],
  [
    "something else in the list of workers",
    ({ workers }) => workers.unshift(7),
    /`workers\.0`: expected Object, but it is 7/,
  ],
  [
    "no worker",
    (share) => share.workers = [],
    /`workers\.0` is missing/,
  ],
  [
    "no histogram of the loop",
    ({ workers }) => delete workers[0].generator.loopLag,
    /`workers\.0\.generator\.loopLag` is missing/,
  ],
  [
    "a text for a count",
    ({ workers }) => workers[0].snapshot.iterations.started = "many",
    /`workers\.0\.snapshot\.iterations\.started`: expected number, but it is "many"/,
  ],
  [
    "less than nothing",
    ({ workers }) => workers[0].snapshot.iterations.failed = -1,
    /`workers\.0\.snapshot\.iterations\.failed`: expected >=0, but it is -1/,
  ],
  [
    "counts below zero",
    ({ workers }) => packedOf(workers[0].generator.loopLag.counts)[1] = -1,
    /counts are not what they should be/,
  ],
  [
    "counts beyond the end",
    ({ workers }) => packedOf(workers[0].generator.loopLag.counts)[0] = 0,
    /there is a count behind the last one/,
  ],
  [
    "something else in the place of counts",
    ({ workers }) => workers[0].generator.loopLag.counts = [1, 2],
    /`workers\.0\.generator\.loopLag\.counts`: expected \(Uint8Array \| Uint16Array \| Uint32Array\), but it is Array/,
  ],
  [
    "a histogram that does not add up",
    ({ workers }) => workers[0].generator.loopLag.count++,
    /`workers\.0\.generator\.loopLag`: its counts add up to (\d+), `count` is \d+/,
  ],
  [
    "a second taken out",
    ({ workers }) => workers[0].snapshot.seconds.splice(1, 1),
    /it has \d+ iterations begun, its seconds \d+/,
  ],
  [
    "seconds in another order",
    ({ workers }) => workers[0].snapshot.seconds.reverse(),
    /its seconds are not one after the other/,
  ],
  [
    "iterations that passed and did not",
    ({ workers }) => workers[0].snapshot.iterations.failed = 3,
    /`iterations` do not add up/,
  ],
  [
    "a step too many",
    ({ workers: [{ snapshot }] }) => snapshot.steps.push(snapshot.steps[0]),
    /`workers\.0\.snapshot\.steps` has 2 steps, the flow has 1/,
  ],
  [
    "a shard that cannot be",
    ({ shard }) => shard.index = 3,
    /there is no shard 3 of 3/,
  ],
  [
    "a moment that no calendar has",
    ({ facts }) => facts.startedAt = -1e16,
    /`facts\.startedAt`: expected >=0, but it is -10000000000000000/,
  ],
  [
    "a flow whose name is a path",
    ({ facts }) => facts.flow = "../../x",
    /`facts\.flow`: expected .* but it is "\.\.\/\.\.\/x"/,
  ],
  [
    "more shards than there can be",
    ({ shard, plan }) => shard.count = plan.shard.count = 1e9,
    /`shard\.count`: expected <=10000, but it is 1000000000/,
  ],
  [
    "the place of another shard",
    ({ shard }) => shard.index = 2,
    /`plan\.shard` is not `shard`/,
  ],
];

for (const [what, change, message] of DAMAGE) {
  Deno.test(`merge: a share with ${what} is refused, and its file is named`, async () => {
    const { dirs, whole, path } = await shares();
    const share = JSON.parse(whole);
    change(share);
    Deno.writeTextFileSync(path, JSON.stringify(share));
    using to = temporaryStore();
    await rejects(mergeRuns(dirs, { ...to, ...OPTIONS }), (error: Error) => {
      match(error.message, message);
      equal(error.message.startsWith(`Cannot read \`${path}\`: `), true);
      return true;
    });
    deepStrictEqual([...Deno.readDirSync(to.storeDir)], []);
    Deno.writeTextFileSync(path, whole);
  });
}

let made: Promise<readonly string[]> | undefined;
const kept = Deno.makeTempDirSync();
globalThis.addEventListener(
  "unload",
  () => Deno.removeSync(kept, { recursive: true }),
);

/** Shares that are made once: every test puts back what it damaged. */
async function shares() {
  const dirs = await (made ??= apart(kept));
  const path = `${dirs[1]}/share.json`;
  return { dirs, path, whole: Deno.readTextFileSync(path) };
}

Deno.test("merge: a share that is cut off, or lies beside a damaged file, leaves no run directory behind", async () => {
  const { dirs, whole, path } = await shares();
  using to = temporaryStore();
  const options = { ...to, ...OPTIONS };
  for (const bytes of [0, 1, 900, whole.length - 3]) {
    Deno.writeTextFileSync(path, whole.slice(0, bytes));
    await rejects(mergeRuns(dirs, options), /share\.json.*it is not JSON/);
  }
  Deno.writeTextFileSync(path, whole);
  // Found when the new directory has been begun.
  const agent = `${dirs[2]}/agent.json`;
  Deno.writeTextFileSync(agent, "{");
  await rejects(mergeRuns(dirs, options), /agent\.json.*it is not JSON/);
  Deno.removeSync(agent);
  deepStrictEqual([...Deno.readDirSync(to.storeDir)], []);
});

Deno.test("merge: stretches that are cut off are named", async () => {
  const { dirs, whole, path } = await shares();
  using to = temporaryStore();
  const share = JSON.parse(whole);
  share.workers[0].snapshot.stretches.blocks = "Ag==";
  Deno.writeTextFileSync(path, JSON.stringify(share));
  await rejects(
    mergeRuns(dirs, { ...to, ...OPTIONS }),
    /share\.json.*snapshot\.stretches\.blocks/,
  );
  Deno.writeTextFileSync(path, whole);
});

Deno.test("merge: a share that was copied under another number is there twice", async () => {
  const { dirs, whole } = await shares();
  using to = temporaryStore();
  const copy = JSON.parse(whole);
  copy.shard.index = copy.plan.shard.index = 2;
  Deno.writeTextFileSync(`${to.storeDir}/share.json`, JSON.stringify(copy));
  await rejects(
    mergeRuns([dirs[0]!, dirs[1]!, to.storeDir], { ...to, ...OPTIONS }),
    /^MergeRefused: shard 1 of 3 is there twice: /,
  );
  const many = JSON.parse(whole);
  many.plan.iterations = 3;
  Deno.writeTextFileSync(`${to.storeDir}/share.json`, JSON.stringify(many));
  await rejects(
    mergeRuns([to.storeDir], { ...to, ...OPTIONS, tolerateLost: 2 }),
    /the shares have \d+ iterations together, the run has 3/,
  );
});

Deno.test("bench merge prints the new run directory, which stands in the store", async () => {
  using store = temporaryStore();
  const dirs = await apart(store.storeDir);
  const said = { out: "" };
  const console = {
    out: (text: string) => void (said.out += text),
  } as Console;
  const flags = { store: store.storeDir, tolerateLost: 2 };
  equal(await mergeCommand(dirs, flags, console), 0);
  deepStrictEqual(json(said.out.trim(), "meta.json").exit_code, 0);
  await rejects(
    mergeCommand(dirs.slice(2), { ...flags, tolerateLost: 1 }, console),
    { message: "shards 0, 1 of 3 are missing", exitCode: 2, hint: /^give/ },
  );
  await rejects(
    mergeCommand(["gone"], flags, console),
    { message: /^there is no run `gone`/, exitCode: 2 },
  );
});
