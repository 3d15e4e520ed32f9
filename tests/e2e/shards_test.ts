import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { rawResponse } from "../support/raw_response.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { follow, type LiveCommand } from "../support/live_command.ts";
import {
  type RecordingServer,
  recordingServer,
} from "../support/recording_server.ts";
import { RpcClient } from "../support/rpc_client.ts";
import { type RunFixture, runFixture, runIds } from "../support/run_fixture.ts";
import { freePort } from "../support/free_port.ts";

const ENV = { BENCH_SHARD_TOKEN: "a-token-of-thirty-two-characters" };

const FLOW = `flow: shared
profile: { mode: load, vus: 4, hold: 60s }
steps:
  - { id: one, call: GET /one }
`;

/** Starts one of `count` shards. */
function shard(
  fixture: RunFixture,
  index: number,
  count: number,
  port: number,
  args: readonly string[] = [],
): LiveCommand {
  const place = ["--shard", `${index}/${count}`];
  const lead = ["--lead", `127.0.0.1:${port}`, "--quiet", "--workers", "1"];
  return follow(fixture.start([...place, ...lead, ...args], { env: ENV }));
}

Deno.test("bench run --shard: a lead waits for the others as long as --join-timeout says", async () => {
  using fixture = runFixture({ flow: FLOW, url: "http://127.0.0.1:1" });
  const lead = shard(fixture, 0, 3, freePort(), ["--join-timeout", "50ms"]);
  const { code, stderr } = await lead.ended();
  equal(code, 2);
  match(
    stderr,
    /^bench: error: 1 of 3 shards came within 0\.05 s: shard 1, shard 2 missing\n {2}= start every shard/m,
  );
  ok(!/warning/.test(stderr), "nothing is open on a loopback address");
  deepStrictEqual(runIds(join(fixture.path, "runs")), []);
});

Deno.test("bench run --shard: a lead that other machines reach wants TLS, or the flag that does without", async () => {
  using fixture = runFixture({ flow: FLOW, url: "http://127.0.0.1:1" });
  const lead = (...args: string[]) => {
    const place = ["--shard", "0/2", "--lead", `0.0.0.0:${freePort()}`];
    const wait = ["--join-timeout", "50ms", "--quiet"];
    return follow(fixture.start([...place, ...wait, ...args], { env: ENV }));
  };
  const refused = await lead().ended();
  equal(refused.code, 2);
  match(
    refused.stderr,
    /^bench: error: the lead would listen at 0\.0\.0\.0:\d+ without TLS, .*\n {2}= give it --lead-cert .*--lead-without-tls/,
  );
  const open = await lead("--lead-without-tls").ended();
  match(open.stderr, /^warning: the link between shards is not TLS/m);
  match(open.stderr, /1 of 2 shards came within 0\.05 s: shard 1 missing/);
});

Deno.test("bench run --shard: when the lead is killed, its share and that of the other shard become a run", async () => {
  await using server: RecordingServer = recordingServer(() => rawResponse(200));
  using fixture = runFixture({ flow: FLOW, url: server.url });
  const store = join(fixture.path, "runs");
  const port = freePort();
  const lead = shard(fixture, 0, 2, port);
  const other = shard(fixture, 1, 2, port);
  let arrived = 0;
  do await server.arrival(arrived += 50); while (!hasShare(store));
  lead.process.kill("SIGKILL");
  equal((await lead.ended()).code, 137);
  const { code, stdout } = await other.ended();
  equal(code, 3);
  match(stdout, /the lead was lost: /);
  const dirs = runIds(store).map((id) => join("runs", id));
  equal(dirs.length, 2);
  await using client = new RpcClient();
  const params = { runs: dirs, store: "merged", cwd: fixture.path };
  const { result } = await client.ask(1, "merge", params);
  const { meta, directory } = result as { meta: RunMeta; directory: string };
  match(directory, /^merged\//);
  equal(meta.status, "errored");
  const [own, joined] = meta.shards!;
  equal(meta.iterations.completed, own!.iterations + joined!.iterations);
  ok(own!.iterations > 0 && own!.lost_at_ms! > 0 && joined!.iterations > 0);
  ok(meta.iterations.started <= server.arrivals.length);
});

Deno.test("bench run --shard 0/1: is the whole run, and leaves no share to be joined", async () => {
  await using server: RecordingServer = recordingServer(() => rawResponse(200));
  using fixture = runFixture({ flow: FLOW, url: server.url });
  const alone = shard(fixture, 0, 1, freePort(), ["--iterations", "3"]);
  const { code, stderr } = await alone.ended();
  equal(code, 0, stderr);
  const store = join(fixture.path, "runs");
  equal(runIds(store).length, 1);
  ok(!hasShare(store));
});

/** 28 of its first second at 40 a second are Poisson arrivals of this seed; evenly there are 40. */
const RANDOM = `flow: random
profile: { mode: load, vus: 8, arrival_cap: 40/s, hold: 1s }
steps:
  - { id: one, call: GET /one }
`;

Deno.test("bench run --shard --arrivals poisson: every shard offers its part of the arrivals that one process offers", async () => {
  await using server: RecordingServer = recordingServer(() => rawResponse(200));
  using fixture = runFixture({ flow: RANDOM, url: server.url });
  const random = ["--arrivals", "poisson", "--seed", "6"];
  const port = freePort();
  const lead = shard(fixture, 0, 2, port, random);
  const other = shard(fixture, 1, 2, port, random);
  equal((await other.ended()).code, 0);
  const { meta } = fixture.found(await lead.ended());
  const offered = meta.shards!.map(({ requests, generator }) =>
    requests + generator!.unserved_slots
  );
  deepStrictEqual(offered, [14, 14]);
  const alone = await fixture.run([...random, "--workers", "1"]);
  const { requests, generator } = alone.meta;
  equal(requests + generator!.unserved_slots, 28);
});

Deno.test("bench run --shard: each VU of each shard keeps its own cookies", async () => {
  await using server: RecordingServer = recordingServer(({ line, index }) =>
    line.startsWith("POST")
      ? rawResponse(200, {}, { "Set-Cookie": `sid=s${index}` })
      : rawResponse(200)
  );
  using fixture = runFixture({
    flow: `version: 1
flow: shared
cookies: iteration
profile: { mode: load, vus: 4, iterations: 40 }
steps:
  - { id: login, call: POST /login }
  - { id: page, call: GET /account }
`,
    url: server.url,
  });
  const port = freePort();
  const lead = shard(fixture, 0, 2, port);
  const other = shard(fixture, 1, 2, port);
  equal((await other.ended()).code, 0);
  const { code, meta } = fixture.found(await lead.ended());
  equal(code, 0);
  ok(meta.shards!.every(({ iterations }) => iterations > 0));
  const set = server.arrivals.flatMap(({ line, index }) =>
    line.startsWith("POST") ? `sid=s${index}` : []
  );
  const sent = server.arrivals.filter(({ line }) => line.startsWith("GET"))
    .map(({ text }) => /^cookie: (.*)\r$/im.exec(text)?.[1]);
  equal(sent.length, 40);
  deepStrictEqual(sent.toSorted(), set.toSorted());
});

Deno.test("bench run --shard: a shard of more than there are VUs refuses without its lead", async () => {
  using fixture = runFixture({
    flow: FLOW.replace("vus: 4", "vus: 2"),
    url: "http://127.0.0.1:1",
  });
  const { code, stderr } = await shard(fixture, 1, 3, freePort()).ended();
  equal(code, 2);
  match(
    stderr,
    /^bench: error: 3 shards need 3 VUs at least, the profile has 2/,
  );
});

/** Whether the lead has written what it recorded so far. */
function hasShare(store: string): boolean {
  return runIds(store).some((id) => isShare(join(store, id)));
}

function isShare(dir: string): boolean {
  return [...Deno.readDirSync(dir)].some(({ name }) => name === "share.json");
}
