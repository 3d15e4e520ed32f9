import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { recordingServer } from "../support/recording_server.ts";
import { runFixture, runOnce } from "../support/run_fixture.ts";

function flow(profile: string): string {
  return `version: 1
flow: evening
profile:
  mode: load
${profile.replaceAll(/^(?=.)/gm, "  ")}
steps:
  - { id: one, call: GET /one }
`;
}

const USERS = flow(`stages:
  - { vus: 6, over: 0s }
  - { over: 200ms }
  - { vus: 2, over: 200ms }
  - { vus: 0, over: 0s }
  - { over: 100ms }
  - { vus: 4, over: 0s }
  - { over: 100ms }
`);

/** 10 + 505 + 10 slots. */
const SPIKE = flow(`vus: 50
stages:
  - { arrival: 10/s, over: 0s }
  - { over: 1s }
  - { arrival: 1000/s, over: 500ms }
  - { arrival: 10/s, over: 500ms }
  - { over: 1s }
`);

Deno.test("stages of users: every VU has a connection of its own, and the run ends with the last stage", async () => {
  await using server = recordingServer();
  const { code, meta, stdout, stderr } = await runOnce({
    flow: USERS,
    url: server.url,
  }, ["--workers", "2"]);
  equal(code, 0, stdout + stderr);
  equal(meta.vus, 6);
  equal(server.accepted, 6);
  equal(meta.requests, server.arrivals.length);
});

Deno.test("stages of rates: a spike loses no slot, evenly and at random", async () => {
  for (const [args, slots] of [[[], 525], [["--arrivals", "poisson"], 0]]) {
    await using server = recordingServer();
    const { meta, stdout, stderr } = await runOnce(
      { flow: SPIKE, url: server.url },
      ["--workers", "2", ...args as string[]],
    );
    equal(meta.exit_code, 0, stdout + stderr);
    const offered = server.arrivals.length + meta.generator!.unserved_slots;
    equal(meta.requests, server.arrivals.length);
    if (slots) equal(offered, slots);
    else ok(Math.abs(offered - 525) < 100, `${offered}`);
  }
});

Deno.test("stages: load of the command line replaces them, and says so", async () => {
  await using server = recordingServer();
  using fixture = runFixture({ flow: SPIKE, url: server.url });
  const profileOf = async (...args: string[]) => {
    const { stderr, meta } = await fixture.run(args);
    const path = join(fixture.path, "runs", meta.id, "flow.json");
    return {
      warning: /warning: (.*)/.exec(stderr)?.[1],
      profile: JSON.parse(Deno.readTextFileSync(path)).profile,
    };
  };
  const hold = await profileOf("--hold", "10ms");
  match(hold.warning!, /^`stages` have no effect: `--hold` replaces them, /);
  deepStrictEqual(hold.profile, {
    mode: "load",
    vus: 50,
    hold_us: 10_000,
    arrival: { count: 1, per_us: 1_000 },
  });
  const ramp = await profileOf("--ramp", "1 -> 2 over 10ms");
  equal(
    ramp.warning,
    "`stages` have no effect: `--ramp` replaces them, and keeps their highest level",
  );
  deepStrictEqual(ramp.profile.arrival, { count: 1, per_us: 1_000 });
  const rate = await profileOf("--rate", "5/s", "--iterations", "1");
  match(rate.warning!, /^`stages` have no effect: `--rate` replaces them$/);
  equal(rate.profile.stages, undefined);
  const carried = await profileOf("--vus", "3", "--iterations", "2");
  equal(carried.warning, undefined);
  equal(carried.profile.vus, 3);
  equal(carried.profile.stages.length, 5);
});

Deno.test("a warm-up: a run that ends in it measured nothing, and says so", async () => {
  await using server = recordingServer();
  const { code, meta, stdout } = await runOnce({
    flow: flow("vus: 2\nhold: 1m\nwarm_up: 50s\niterations: 5\n"),
    url: server.url,
  });
  equal(code, 1, stdout);
  equal(server.arrivals.length, 5);
  equal(meta.warm_up!.iterations.completed, 5);
  equal(meta.iterations.completed, 0);
  ok(meta.started_at <= new Date().toISOString(), meta.started_at);
  match(meta.notes.join("\n"), /^the run ended in its warm-up: nothing was/m);
  match(
    stdout.replaceAll(/\s+/g, " "),
    /it ended in its warm-up of 50s, which is in no figure: 5 iterations .*, 5 requests/,
  );
});
