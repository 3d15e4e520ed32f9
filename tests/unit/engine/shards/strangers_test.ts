import { deepStrictEqual, equal, match, ok, rejects } from "node:assert/strict";
import { Frames } from "../../../../lib/engine/shards/link.ts";
import { join } from "../../../../lib/engine/shards/join.ts";
import type { ByteStream } from "../../../../lib/wire/net/byte_stream.ts";
import { agreementOf } from "../../../../lib/engine/shards/handshake.ts";
import { prepared, ShardedFixture, TOKEN } from "./sharded_fixture.ts";

/*
 * Anything that reaches the port of the lead may connect to it, without the token.
 */

const FLOW = `flow: waits
profile: { mode: load, vus: 2, iterations: 4 }
steps:
  - { id: rest, wait: 100ms }
`;

async function fixtureOf(): Promise<ShardedFixture> {
  return new ShardedFixture(await prepared({ flow: FLOW }), 2);
}

const encode = (value: unknown) =>
  new TextEncoder().encode(
    typeof value === "string" ? value : JSON.stringify(value),
  );

/** Lets the other end act on what was done. */
async function turn(): Promise<void> {
  for (let turns = 0; turns < 20; turns++) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

async function whole(fixture: ShardedFixture): Promise<void> {
  const one = await fixture.clock.drive(fixture.join(1));
  await fixture.clock.drive(one.outcome);
}

Deno.test("shards: connections without a proof keep no shard out, and the oldest of them go", async () => {
  const fixture = await fixtureOf();
  const lead = fixture.lead();
  const strangers: ByteStream[] = [];
  for (let n = 0; n < 1_300; n++) {
    strangers.push(await fixture.network.connect());
    if (n % 100 === 0) await turn();
  }
  await turn();
  const into = new Uint8Array(4_096);
  const first = strangers[0]!;
  while (await first.read(into) !== null);
  await whole(fixture);
  const { meta } = await fixture.clock.drive(lead.outcome);
  equal(meta.iterations.completed, 4);
});

Deno.test("shards: an accept that fails is tried again, and does not end the run", async () => {
  const fixture = await fixtureOf();
  fixture.network.failures = 7;
  const lead = fixture.lead();
  await whole(fixture);
  const { meta } = await fixture.clock.drive(lead.outcome);
  equal(meta.iterations.completed, 4);
});

Deno.test("shards: strangers are counted, and spoken of once a minute", async () => {
  const fixture = await fixtureOf();
  const lead = fixture.lead({ joinTimeoutMs: 90_000 });
  for (let n = 0; n < 90; n++) {
    const stranger = await fixture.network.connect();
    stranger.close();
    await fixture.clock.drive(fixture.clock.sleep(900));
  }
  await rejects(fixture.clock.drive(lead.outcome), /shard 1 missing/);
  deepStrictEqual(fixture.said.slice(0, 1), [
    "10.0.0.9 was not let in: the connection is closed",
  ]);
  equal(fixture.said.length, 3, fixture.said.join("\n"));
  const counted = fixture.said.slice(1)
    .map((line) =>
      Number(
        /^(\d+) connections were not let in, the last from 10\.0\.0\.9: /.exec(
          line,
        )![1],
      )
    );
  equal(counted[0]! + counted[1]!, 89);
});

// deno-lint-ignore no-control-regex -- that is the question
const CONTROLS = /[\x00-\x1f]/;
/** What a terminal obeys. */
const CLEAR = "\x1b[2J\x1b]0;owned\x07\n::error::no";

const OPENINGS: readonly [what: string, opening: unknown][] = [
  ["a version", { version: CLEAR, nonce: "n", shard: {}, proof: "p" }],
  ["no JSON", CLEAR],
  ["no shard", { version: "0.1.0", nonce: CLEAR, shard: null, proof: CLEAR }],
];

for (const [what, opening] of OPENINGS) {
  Deno.test(`shards: ${what} of a stranger gives the lead's terminal no orders`, async () => {
    const fixture = await fixtureOf();
    const lead = fixture.lead({ joinTimeoutMs: 1_000 });
    const stream = await fixture.network.connect();
    await new Frames(stream, () => 0).write(encode(opening));
    await rejects(fixture.clock.drive(lead.outcome), /shard 1 missing/);
    equal(fixture.said.length, 1);
    match(fixture.said[0]!, /was not let in: (?!Cannot)/);
    ok(!CONTROLS.test(fixture.said[0]!));
  });
}

Deno.test("shards: what listens in the lead's place gives the shard's terminal no orders", async () => {
  const fixture = await fixtureOf();
  const { network, clock, run } = fixture;
  const options = { seed: 1, http: "auto", arrivals: "constant" } as const;
  const joining = join({
    ...{ token: TOKEN, version: "1", shard: { index: 1, count: 2 } },
    agreement: agreementOf(run, options),
    connect: () => network.connect(),
    lead: "lead:7979",
    joinTimeoutMs: 1_000,
    clock,
    signal: new AbortController().signal,
  });
  const frames = new Frames(await network.accept(), () => 0);
  await frames.write(encode({ protocol: "bench shards 1", nonce: "n" }));
  await frames.write(encode({ refused: CLEAR }));
  await rejects(clock.drive(joining), (error: Error) => {
    return /\\u\{1b\}/.test(error.message) && !CONTROLS.test(error.message);
  });
});
