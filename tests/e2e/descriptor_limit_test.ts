import { equal, match } from "node:assert/strict";
import { spawnBench, workspace } from "../support/bench.ts";
import { rawResponse } from "../support/raw_response.ts";
import { recordingServer } from "../support/recording_server.ts";
import { runFixture } from "../support/run_fixture.ts";
import { startLiveAgent } from "../support/live_agent.ts";
import { follow } from "../support/live_command.ts";

const ignore = Deno.build.os !== "linux";
/** Few enough to be used up, and enough for what the program holds itself. */
const FILES = 48;

/** What a process may open from now on. */
async function limit(pid: number): Promise<void> {
  const { success } = await new Deno.Command("prlimit", {
    args: ["--pid", `${pid}`, `--nofile=${FILES}:${FILES}`],
  }).output();
  equal(success, true);
}

/** Uses up every descriptor with clients that say nothing, and asks then. */
async function survives(
  url: string,
  path: string,
  resumed: Promise<unknown> = Promise.resolve(),
): Promise<void> {
  const { hostname, port } = new URL(url);
  const idle: Deno.Conn[] = [];
  try {
    for (let n = 0; n < FILES; n++) {
      // A server that begins again refuses clients for a moment.
      const conn = await Deno.connect({ hostname, port: Number(port) })
        .catch(() => undefined);
      if (conn) idle.push(conn);
    }
    await resumed;
    for (let n = 0; n < 3; n++) {
      const headers = { connection: "close" };
      const response = await fetch(url + path, { headers });
      equal(response.status, 200, await response.text());
    }
  } finally {
    for (const conn of idle) conn.close();
  }
}

Deno.test(
  "bench-agent goes on at the descriptor limit",
  { ignore },
  async () => {
    await using agent = await startLiveAgent();
    await limit(agent.pid);
    await survives(`http://${agent.addr}`, "/metrics");
    const { code, stderr } = await agent.stop();
    equal(code, 0, stderr);
  },
);

Deno.test(
  "bench serve goes on at the descriptor limit",
  { ignore },
  async () => {
    using folder = workspace({});
    const live = follow(
      spawnBench(["serve", "--store", ".", "--addr", "127.0.0.1:0"], {
        cwd: folder.path,
      }),
    );
    const [, url] = await live.printed(/^(http:\S+)\/ /m);
    await limit(live.process.pid);
    await survives(url!, "/help", live.said("it serves again"));
    live.process.kill("SIGTERM");
    const { code, stderr } = await live.ended();
    equal(code, 0, stderr);
    match(stderr, /^bench: warning: no open file was left.*\n$/);
  },
);

Deno.test(
  "bench run says that no thread can have its descriptors",
  { ignore },
  async () => {
    await using server = recordingServer(() => rawResponse(200, {}));
    using fixture = runFixture({
      flow: `flow: threads
profile: { mode: load, vus: 4, iterations: 4 }
steps: [{ id: one, call: GET / }]
`,
      url: server.url,
    });
    const { code, stderr } = await fixture.run(["--workers", "4"], {
      before: "ulimit -n 40",
    });
    equal(code, 3, stderr);
    match(stderr, /^bench: error: too many files are open\n {2}= `ulimit -n`/m);
  },
);
