import { deepStrictEqual, equal, match, ok, rejects } from "node:assert/strict";
import { systemClock } from "../../../../lib/base/time/clock.ts";
import { LocalWorkerPool } from "../../../../lib/engine/workers/local_worker_pool.ts";
import {
  ahead,
  type Parts,
  prepared,
  ShardedFixture,
} from "./sharded_fixture.ts";

/** Iterations of 100 ms that need no network: all of it happens on a clock that jumps. */
const FLOW = `flow: waits
profile: { mode: load, vus: 6, hold: 20s }
steps:
  - { id: rest, wait: 100ms }
`;

async function fixtureOf(count: number, parts: Partial<Parts> = {}) {
  return new ShardedFixture(await prepared({ flow: FLOW, ...parts }), count);
}

Deno.test("shards: all begin at one instant, though their clocks differ", async () => {
  const fixture = await fixtureOf(3, {
    flow: FLOW.replace("hold: 20s", "iterations: 60"),
  });
  const { clock } = fixture;
  const lead = fixture.lead();
  const one = await fixture.join(1, { clock: ahead(clock, 5_000) });
  const two = await fixture.join(2, { clock: ahead(clock, -700) });
  const ended = Promise.all([lead, one, two].map((each) => each.outcome));
  const [outcome] = await clock.drive(ended);
  const { meta } = outcome!;
  equal(meta.iterations.completed, 60);
  ok(meta.shards!.every((each) => Math.abs(each.iterations - 20) < 3));
  // Six VUs, 60 iterations of 100 ms.
  ok(meta.duration_ms >= 1_000 && meta.duration_ms < 1_300);
});

Deno.test("shards: one that is cut off is named, with what it had reported; the others go on", async () => {
  const fixture = await fixtureOf(3);
  const lead = fixture.lead({ tolerateLost: 1 });
  const one = await fixture.join(1);
  const two = await fixture.join(2);
  await fixture.pass(9_000);
  fixture.network.wires[0]!.cut();
  await fixture.clock.drive(Promise.all([one.outcome, two.outcome]));
  const { meta } = await fixture.clock.drive(lead.outcome);
  equal(meta.status, "finished");
  equal(meta.exit_code, 0);
  match(
    meta.notes.join("\n"),
    /^shard 1 of 3 was lost: the connection was closed; its share is missing from \d+s on/m,
  );
  match(fixture.said.join("\n"), /^shard 1\/3 was lost: the connection/m);
  const [own, lost, whole] = meta.shards!;
  equal(own!.iterations, whole!.iterations);
  ok(Math.abs(whole!.iterations - 400) <= 2);
  equal(whole!.lost_at_ms, null);
  // Two VUs, iterations of 100 ms; the last ones were still under way.
  const reported = lost!.lost_at_ms! / 50;
  ok(reported > 100 && Math.abs(lost!.iterations - reported) <= 4);
  const completed = 2 * whole!.iterations + lost!.iterations;
  equal(meta.iterations.completed, completed);
});

Deno.test("shards: a lost one makes the run errored unless that is tolerated", async () => {
  const fixture = await fixtureOf(2);
  const lead = fixture.lead();
  const one = await fixture.join(1);
  await fixture.pass(5_000);
  fixture.network.wires[0]!.cut();
  await fixture.clock.drive(one.outcome);
  const { meta } = await fixture.clock.drive(lead.outcome);
  deepStrictEqual([meta.status, meta.exit_code], ["errored", 3]);
  match(meta.abort_reason!, /^shard 1 of 2 was lost/);
});

Deno.test("shards: silence of 10 s counts as lost, at both ends", async () => {
  const fixture = await fixtureOf(2);
  const lead = fixture.lead();
  const one = await fixture.join(1);
  await fixture.pass(3_000);
  fixture.network.wires[0]!.stall();
  const share = await fixture.clock.drive(one.outcome);
  ok(one.orphaned());
  match(share.meta.abort_reason!, /lead was lost: nothing was heard for 10 s/);
  const { meta } = await fixture.clock.drive(lead.outcome);
  match(meta.abort_reason!, /nothing was heard for 10 s/);
  const [own] = meta.shards!;
  ok(Math.abs(own!.iterations - 600) <= 3, "the lead's own share is whole");
});

Deno.test("shards: without a lead a shard ends, errored, and keeps what it recorded", async () => {
  const store = Deno.makeTempDirSync();
  const cut = Promise.withResolvers<void>();
  let asked = 0;
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {} },
    () => {
      if (++asked === 10) cut.resolve();
      return new Response("{}");
    },
  );
  try {
    const fixture = await fixtureOf(2, {
      flow: FLOW.replace("rest, wait: 100ms", "one, call: GET /"),
      baseUrl: `http://127.0.0.1:${(server.addr as Deno.NetAddr).port}`,
    });
    const options = { clock: systemClock };
    const lead = fixture.lead(options);
    const one = await fixture.join(1, { ...options, storeDir: store });
    await cut.promise;
    deepStrictEqual([...Deno.readDirSync(store)], [], "nothing before that");
    fixture.network.wires[0]!.cut();
    lead.stop.hard("interrupted", "SIGINT");
    const { meta, directory } = await one.outcome;
    await lead.outcome;
    deepStrictEqual([meta.status, meta.exit_code], ["errored", 3]);
    ok(meta.notes.some((note) => /share of shard 1 of 2/.test(note)));
    const stored = JSON.parse(Deno.readTextFileSync(`${directory}/meta.json`));
    deepStrictEqual(stored, meta);
    ok(Deno.statSync(`${directory}/histograms.json`).isFile);
  } finally {
    await server.shutdown();
    Deno.removeSync(store, { recursive: true });
  }
});

Deno.test("shards: what a step asks for on one shard ends all of them", async () => {
  const fixture = await fixtureOf(3, {
    flow: `flow: aborts
profile: { mode: load, vus: 3, hold: 20s }
data: rows.csv
steps:
  - { id: rest, wait: 100ms }
  - { id: call, call: "GET {{ user.url }}/x", on_failure: abort_run }
`,
    files: { "rows.csv": "url\nhttp://forbidden.invalid\n" },
  });
  const lead = fixture.lead();
  const one = await fixture.join(1);
  const two = await fixture.join(2);
  // A host that is not allowed: it fails, and sends nothing.
  const outcomes = await fixture.clock.drive(
    Promise.all([lead, one, two].map((each) => each.outcome)),
  );
  for (const { meta } of outcomes) {
    equal(meta.status, "aborted");
    match(meta.abort_reason!, /step `call` did not pass/);
    ok(meta.duration_ms < 1_000);
  }
});

Deno.test("shards: a signal to the lead stops all, one to a shard only that shard", async () => {
  const fixture = await fixtureOf(3);
  const lead = fixture.lead({ signal: () => "SIGINT" });
  const one = await fixture.join(1);
  const two = await fixture.join(2);
  await fixture.pass(4_000);
  two.stop.soft("interrupted", "SIGTERM");
  await fixture.pass(2_000);
  await fixture.clock.drive(two.outcome);
  ok(!two.orphaned());
  lead.stop.soft("interrupted", "SIGINT");
  const { meta } = await fixture.clock.drive(lead.outcome);
  await fixture.clock.drive(one.outcome);
  equal(meta.status, "interrupted");
  const [, , left] = meta.shards!;
  const after = meta.duration_ms - left!.lost_at_ms!;
  ok(Math.abs(after - 2_000) < 300, `${after}`);
  ok(Math.abs(left!.iterations - left!.lost_at_ms! / 50) <= 4);
});

const REFUSALS: readonly [
  what: string,
  shard: Parameters<ShardedFixture["join"]>[1],
  message: RegExp,
][] = [
  [
    "another token",
    { token: "another token of many characters" },
    /BENCH_SHARD_TOKEN is not the lead's/,
  ],
  [
    "another version",
    { version: "9.9.9" },
    /the versions differ: the lead is bench 0\.1\.0, the shard is bench 9\.9\.9/,
  ],
  ["another seed", { seed: 2 }, /`--seed` differs \(lead 1, shard 2\)/],
  ["another number of shards", { count: 4 }, /the run has 2 shards, it says 4/],
];

for (const [what, options, message] of REFUSALS) {
  Deno.test(`shards: one with ${what} is not let in, and both say why`, async () => {
    const fixture = await fixtureOf(2);
    const lead = fixture.lead({ joinTimeoutMs: 5_000 });
    await rejects(fixture.clock.drive(fixture.join(1, options)), message);
    await rejects(
      fixture.clock.drive(lead.outcome),
      /1 of 2 shards came within 5 s: shard 1 missing/,
    );
    match(fixture.said.join("\n"), message);
  });
}

Deno.test("shards: one with another flow, target or fixture is not let in", async () => {
  const fixture = await fixtureOf(2);
  const lead = fixture.lead({ joinTimeoutMs: 1_000 });
  const run = await prepared({
    flow: FLOW.replace("100ms", "101ms"),
    target: "max_vus: 9\n",
  });
  await rejects(
    fixture.clock.drive(fixture.join(1, { run })),
    /the flow differs \(lead [0-9a-f]{12}, shard [0-9a-f]{12}\), the target file differs/,
  );
  await rejects(fixture.clock.drive(lead.outcome), /shard 1 missing/);
});

Deno.test("shards: a shard number is taken once, and no shard joins a run that has begun", async () => {
  const fixture = await fixtureOf(3, {
    flow: FLOW.replace("hold: 20s", "iterations: 60"),
  });
  const lead = fixture.lead();
  const one = await fixture.join(1);
  await rejects(fixture.join(1), /shard 1 has joined before/);
  await rejects(fixture.join(0), /shard 0 is the lead/);
  const two = await fixture.join(2);
  await fixture.pass(300);
  await rejects(fixture.join(2), /the run has begun without it/);
  await fixture.clock.drive(Promise.all([one.outcome, two.outcome]));
  const { meta } = await fixture.clock.drive(lead.outcome);
  equal(meta.iterations.completed, 60);
});

Deno.test("shards: one that goes away before the run begins can come back", async () => {
  const fixture = await fixtureOf(3, {
    flow: FLOW.replace("hold: 20s", "iterations: 6"),
  });
  const lead = fixture.lead();
  const early = await fixture.join(1);
  fixture.network.wires[0]!.cut();
  await rejects(fixture.clock.drive(early.outcome), /the lead was lost/);
  const one = await fixture.join(1);
  const two = await fixture.join(2);
  await fixture.clock.drive(Promise.all([one.outcome, two.outcome]));
  const { meta } = await fixture.clock.drive(lead.outcome);
  equal(meta.iterations.completed, 6);
  match(fixture.said.join("\n"), /shard 1\/3 left before the run began/);
});

Deno.test("shards: a lead that is not there is tried until --join-timeout", async () => {
  const fixture = await fixtureOf(2);
  fixture.network.close();
  await rejects(
    fixture.clock.drive(fixture.join(1, { joinTimeoutMs: 3_000 })),
    /lead at lead:7979 could not be reached within 3 s: connection refused/,
  );
});

Deno.test("shards: what accepts in the lead's place, and says nothing, is left after --join-timeout", async () => {
  const fixture = await fixtureOf(2);
  await rejects(
    fixture.clock.drive(fixture.join(1, { joinTimeoutMs: 3_000 })),
    /lead at lead:7979 could not be reached within 3 s: what listens there says nothing/,
  );
});

Deno.test("shards: between them neither the token nor a secret is to be read", async () => {
  const secret = "s3cret-of-the-environment";
  const fixture = await fixtureOf(2, {
    flow: `flow: secrets
profile: { mode: load, vus: 2, iterations: 4 }
auth: { scheme: bearer, token: "{{ env.KEY }}" }
steps:
  - { id: call, call: "GET /{{ env.KEY }}" }
`,
    env: { KEY: secret },
    baseUrl: "http://127.0.0.1:1",
  });
  await fixture.all({ clock: systemClock });
  const seen = fixture.network.wires.flatMap(({ tap }) => tap)
    .map((bytes) => new TextDecoder("latin1").decode(bytes)).join("");
  ok(seen.length > 1_000);
  for (const word of [secret, btoa(secret), "token of sixteen", "iteration"]) {
    ok(!seen.includes(word), word);
  }
});

Deno.test("shards: one that goes away while the lead still prepares is missing in the run, and named", async () => {
  const held = Promise.withResolvers<void>();
  const { prepare } = LocalWorkerPool.prototype;
  LocalWorkerPool.prototype.prepare = async function () {
    if (this.task.plan.shard?.index === 0) await held.promise;
    await prepare.call(this);
  };
  try {
    const fixture = await fixtureOf(3, {
      flow: FLOW.replace("hold: 20s", "iterations: 60"),
    });
    const lead = fixture.lead();
    const one = await fixture.join(1);
    const two = await fixture.join(2);
    await fixture.clock.drive(fixture.clock.sleep(500));
    fixture.network.wires[0]!.cut();
    await rejects(fixture.clock.drive(one.outcome), /the lead was lost/);
    held.resolve();
    await fixture.clock.drive(two.outcome);
    const { meta } = await fixture.clock.drive(lead.outcome);
    deepStrictEqual([meta.status, meta.exit_code], ["errored", 3]);
    match(meta.notes.join("\n"), /^shard 1 of 3 was lost: /m);
    equal(meta.shards![1]!.iterations, 0);
  } finally {
    LocalWorkerPool.prototype.prepare = prepare;
  }
});
