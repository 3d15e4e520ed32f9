import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import type { AgentSeries } from "../../lib/model/result/agent.ts";
import { READING } from "../support/agent_reading.ts";
import { rawResponse } from "../support/raw_response.ts";
import { spawnAgent, startLiveAgent } from "../support/live_agent.ts";
import {
  recordingServer,
  type Responder,
} from "../support/recording_server.ts";
import { type FixtureRun, runFixture } from "../support/run_fixture.ts";

/** Two users for a while, requesting fifty times a second each at most. */
const flow = (hold: string, mode = "load") => `
flow: watched
profile: { mode: ${mode}, vus: 2, hold: ${hold} }
steps:
  - id: pause
    wait: 20ms
  - id: ask
    call: GET /
`;

interface Watched extends FixtureRun {
  /** Undefined when there is no `agent.json`. */
  readonly agent: AgentSeries | undefined;
  /** Every file of the run directory in one text. */
  readonly everything: string;
}

/** Runs the flow with an agent at this address. */
async function watched(
  addr: string,
  { hold = "2200ms", mode = "load", env = {} }: {
    hold?: string;
    mode?: string;
    env?: Record<string, string>;
  } = {},
): Promise<Watched> {
  await using server = recordingServer();
  using fixture = runFixture({
    flow: flow(hold, mode),
    url: server.url,
    target: `agent_addr: "${addr}"\n`,
  });
  const run = await fixture.run([], { env });
  const files = [...Deno.readDirSync(run.dir)].map(({ name }) => name);
  const texts = new Map(files.map((name) => [
    name,
    Deno.readTextFileSync(join(run.dir, name)),
  ]));
  const agent = texts.get("agent.json");
  return {
    ...run,
    meta: run.meta,
    traces: run.traces,
    agent: agent === undefined ? undefined : JSON.parse(agent),
    everything: [...texts.values()].join("\n"),
  };
}

Deno.test("bench-agent: says where it listens, serves, and stops cleanly on a signal", async () => {
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    await using agent = await startLiveAgent();
    const response = await fetch(`http://${agent.addr}/metrics`);
    equal(response.status, 200);
    ok((await response.json()).cpu_seconds_total > 0);
    const { code, stdout, stderr } = await agent.stop(signal);
    deepStrictEqual([code, stderr], [0, ""]);
    match(
      stdout,
      /^bench-agent \S+: listening on (\[::\]|0\.0\.0\.0):\d+, .*no token\n$/,
    );
  }
});

Deno.test("bench-agent: what it refuses", async () => {
  await using agent = await startLiveAgent();
  const port = agent.addr.split(":")[1];
  const rows: [args: string[], code: number, out: RegExp, err: RegExp][] = [
    [["--addr", "9090"], 2, /^$/, /must be host:port or :port/],
    [["--adr", ":1"], 2, /^$/, /--adr/],
    [["extra"], 2, /^$/, /extra/],
    [
      ["--addr", "127.0.0.1:0", "--proc", "/no/proc"],
      2,
      /^$/,
      /`--proc`: .*no file under `\/no\/proc`/,
    ],
    [
      ["--addr", `:${port}`],
      2,
      /^$/,
      /Cannot listen on `:\d+`: the address is in use/,
    ],
  ];
  const decoder = new TextDecoder();
  for (const [args, code, out, err] of rows) {
    const result = await spawnAgent(args).output();
    equal(result.code, code, args.join(" "));
    match(decoder.decode(result.stdout), out);
    match(decoder.decode(result.stderr), err);
  }
});

Deno.test("a load run keeps what a live agent reported, once a second, and not its token", async () => {
  const token = "agent-token-5f1e";
  const env = { BENCH_AGENT_TOKEN: token };
  await using agent = await startLiveAgent([], env);
  const run = await watched(agent.addr, { env });
  equal(run.code, 0, run.stderr);
  equal(run.meta.agent_attached, true);
  equal(run.meta.knee, null);
  const { samples, ...rest } = run.agent!;
  deepStrictEqual({ ...rest, missed: 0 }, {
    schema: 1,
    addr: agent.addr,
    interval_ms: 1000,
    missed: 0,
  });
  // Ticks at 0, 1 and 2 s; a busy machine may miss one.
  ok(samples.length + rest.missed >= 2 && samples.length >= 1);
  ok(samples.every(({ t_ms }, n) => n === 0 || t_ms > samples[n - 1]!.t_ms));
  ok(samples.every(({ cpu_seconds_total }) => cpu_seconds_total! > 0));
  ok(!(run.everything + run.stdout + run.stderr).includes(token));
});

Deno.test("a wrong token leaves a run without samples, with the reason and the way out", async () => {
  await using agent = await startLiveAgent([], {
    BENCH_AGENT_TOKEN: "right-one",
  });
  const run = await watched(agent.addr, { hold: "300ms" });
  equal(run.code, 0);
  deepStrictEqual([run.agent, run.meta.agent_attached], [undefined, false]);
  match(run.meta.notes.join(), /gave no reading.*401.*BENCH_AGENT_TOKEN/);
});

Deno.test("nothing an agent does or fails to do reaches the run", async (t) => {
  // Says nothing until the other side gives up.
  const never: Responder = async ({ connection }) => {
    await connection.request();
    return undefined;
  };
  const rows: [rule: string, respond: Responder, note: RegExp][] = [
    ["hangs for the whole run", never, /timed out waiting|gave no reading/],
    ["sends garbage", () => rawResponse(200, "<html>"), /not the reading/],
    ["hangs up", () => undefined, /gave no reading/],
    ["runs elsewhere than on Linux", () => rawResponse(501), /501/],
  ];
  await Promise.all(rows.map(([rule, respond, note]) =>
    t.step({
      name: rule,
      sanitizeExit: false,
      fn: async () => {
        await using agent = recordingServer(respond);
        const run = await watched(agent.host, { hold: "1200ms" });
        equal(run.code, 0, run.stderr);
        deepStrictEqual([run.agent, run.meta.agent_attached], [
          undefined,
          false,
        ]);
        match(run.meta.notes.join(), note);
        equal(run.meta.status, "finished");
        equal(run.meta.error_rate, 0);
        ok(agent.arrivals.length >= 1, "it was asked");
      },
    })
  ));
});

Deno.test("an agent that is not there leaves a note, one that fails at times leaves gaps", async () => {
  const gone = recordingServer();
  const { host } = gone;
  await gone[Symbol.asyncDispose]();
  const absent = await watched(host, { hold: "1s" });
  equal(absent.code, 0);
  match(absent.meta.notes.join(), /gave no reading.*refused/i);

  await using flaky = recordingServer(({ index }) =>
    index === 1
      ? rawResponse(503)
      : rawResponse(200, { ...READING, ts_ms: index })
  );
  const run = await watched(flaky.host);
  equal(run.meta.agent_attached, true);
  ok(run.agent!.missed >= 1);
  match(
    run.meta.notes.join(),
    /gave no reading in \d of \d seconds: it responded with 503/,
  );
});

Deno.test("functional runs ask no agent", async () => {
  await using agent = recordingServer();
  await using server = recordingServer();
  using fixture = runFixture({
    flow: "flow: once\nsteps:\n  - id: ask\n    call: GET /\n",
    url: server.url,
    target: `agent_addr: "${agent.host}"\n`,
  });
  equal((await fixture.run()).code, 0);
  equal(agent.accepted, 0);
});
