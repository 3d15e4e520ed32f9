import { equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { rawResponse } from "../support/raw_response.ts";
import { spawnBench, workspace } from "../support/bench.ts";
import { startLiveAgent } from "../support/live_agent.ts";
import { follow } from "../support/live_command.ts";
import { programCommand } from "../support/program.ts";
import { python } from "../support/python.ts";
import { recordingServer } from "../support/recording_server.ts";
import { runFixture, runIds } from "../support/run_fixture.ts";

const LOAD = `flow: load
profile: { mode: load, vus: 2, hold: 60s }
steps:
  - { id: one, call: GET /one }
  - { id: think, wait: 20ms }
`;
const ONCE = "flow: once\nsteps:\n  - { id: one, call: GET /one }\n";

/** Runs a command in a terminal that is closed once the command draws its progress. */
const CLOSES_THE_TERMINAL = `
import json, os, pty, sys
line, folder = json.load(sys.stdin)
child, terminal = pty.fork()
if child == 0:
    os.chdir(folder)
    os.execvp(line[0], line)
seen = b""
while b"req/s" not in seen:
    seen += os.read(terminal, 4096)
os.close(terminal)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
`;

Deno.test({
  name: "SIGHUP: a run whose terminal is closed saves its results",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using server = recordingServer();
    using fixture = runFixture({ flow: LOAD, url: server.url });
    const run = ["run", "flow.yaml", "--target", "target.yaml"];
    const { stdout, stderr } = await python(
      CLOSES_THE_TERMINAL,
      JSON.stringify([[...programCommand("bench"), ...run], fixture.path]),
      { TERM: "xterm", CI: "" },
    );
    equal(stdout, "129\n", stderr);
    const store = join(fixture.path, ".bench/runs");
    const [id] = runIds(store);
    const meta: RunMeta = JSON.parse(
      Deno.readTextFileSync(join(store, id!, "meta.json")),
    );
    equal(meta.status, "interrupted");
    equal(meta.exit_code, 129);
    match(meta.abort_reason!, /SIGHUP/);
    ok(meta.iterations.completed > 0);
  },
});

Deno.test({
  name: "SIGHUP: a run under nohup goes on to its end",
  ignore: Deno.build.os === "windows",
  async fn() {
    const latch = Promise.withResolvers<void>();
    await using server = recordingServer(async () => {
      await latch.promise;
      return rawResponse(200);
    });
    using fixture = runFixture({ flow: ONCE, url: server.url });
    // What nohup does, for a command that has no terminal anyway.
    const command = follow(fixture.start([], { before: "trap '' HUP" }));
    await server.arrival(0);
    command.process.kill("SIGHUP");
    latch.resolve();
    const run = fixture.found(await command.ended());
    equal(run.code, 0, run.stderr);
    equal(run.meta.status, "finished");
  },
});

Deno.test({
  name: "SIGHUP: bench-agent and bench serve go on under nohup",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using agent = await startLiveAgent();
    Deno.kill(agent.pid, "SIGHUP");
    equal((await fetch(`http://${agent.addr}/metrics`)).status, 200);
    equal((await agent.stop("SIGTERM")).code, 0);
    using folder = workspace({});
    const serving = follow(
      spawnBench(["serve", "--addr", "127.0.0.1:0"], { cwd: folder.path }),
    );
    const [url] = await serving.printed(/^http:\S+/);
    serving.process.kill("SIGHUP");
    await (await fetch(url)).body?.cancel();
    serving.process.kill("SIGTERM");
    equal((await serving.ended()).code, 0);
  },
});
