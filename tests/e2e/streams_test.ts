import { deepEqual, equal, match } from "node:assert/strict";
import { join } from "node:path";
import { bench, workspace } from "../support/bench.ts";
import { python } from "../support/python.ts";
import { programCommand } from "../support/program.ts";
import { recordingServer } from "../support/recording_server.ts";
import { runFixture, runOnce } from "../support/run_fixture.ts";

const FLOW = "flow: cli\nsteps:\n  - { id: one, call: GET /one }\n";

Deno.test("streams: a reader that goes away does not break the run", async () => {
  await using server = recordingServer();
  using fixture = runFixture({ flow: FLOW, url: server.url });
  // `head` shows one line on stderr; `true` reads nothing at all.
  for (const reader of ["head -1 >&2", "true"]) {
    const run = await fixture.run([], { before: `exec 1> >(${reader})` });
    equal(run.code, 0, run.stderr);
    match(run.stderr, reader === "true" ? /^$/ : /^cli .*PASS.*\n$/);
    equal(run.meta.status, "finished");
  }
});

Deno.test("streams: progress goes to stderr alone, and --quiet takes none of the summary", async () => {
  await using server = recordingServer();
  const [loud, quiet] = await Promise.all([
    runOnce({ flow: FLOW, url: server.url }),
    runOnce({ flow: FLOW, url: server.url }, ["--quiet"]),
  ]);
  const shape = (text: string) =>
    text.replaceAll(/[\d.]+(ms|us|s)\b|Z-cli-.*/g, "_").split(/\s+/).length;
  equal(shape(loud.stdout), shape(quiet.stdout));
  equal(loud.stderr + quiet.stderr, "");
});

/** Runs a command in a terminal, and prints what the terminal was sent. */
const IN_A_TERMINAL = `
import json, os, pty, sys
line, folder = json.load(sys.stdin)
child, terminal = pty.fork()
if child == 0:
    os.chdir(folder)
    os.execvp(line[0], line)
seen = b""
try:
    while part := os.read(terminal, 4096):
        seen += part
except OSError:
    pass
os.waitpid(child, 0)
sys.stdout.write(ascii(seen.decode()))
`;

Deno.test({
  name: "streams: a line is drawn anew on a terminal, but not in a job's log",
  ignore: Deno.build.os === "windows",
  async fn() {
    await using server = recordingServer();
    const load = "profile: { mode: load, vus: 1, hold: 1500ms }\n" +
      "steps:\n  - { id: one, call: GET /one }\n  - { id: think, wait: 20ms }\n";
    using fixture = runFixture({ flow: `flow: cli\n${load}`, url: server.url });
    const run = ["run", "flow.yaml", "--target", "target.yaml"];
    const seen = (CI: string) =>
      python(
        IN_A_TERMINAL,
        JSON.stringify([[...programCommand("bench"), ...run], fixture.path]),
        { TERM: "xterm", CI },
      );
    const [live, logged] = await Promise.all([seen(""), seen("true")]);
    match(live.stdout, /\\r\\x1b\[2K.*req\/s.*PASS/);
    match(logged.stdout, /PASS/);
    equal(/\\r\\x1b\[2K/.test(logged.stdout), false, logged.stdout);
  },
});

Deno.test({
  name:
    "streams: an output that takes no more is reported in a line, and the run is stored",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using server = recordingServer();
    using fixture = runFixture({ flow: FLOW, url: server.url });
    const run = await fixture.run([], { before: "exec >/dev/full" });
    equal(run.code, 3);
    equal(
      run.stderr,
      "bench: error: Cannot write to standard output: no space is left on the device\n",
    );
    equal(run.meta.status, "finished");
    const help = await bench(["run", "--help"], { before: "exec >/dev/full" });
    deepEqual([help.code, help.stderr], [3, run.stderr]);
    const version = await bench(["--version"], { before: "exec >/dev/full" });
    deepEqual([version.code, version.stderr], [3, run.stderr]);
    const line = ["-c", 'exec "$@" --version >/dev/full', "sh"];
    const agent = await new Deno.Command("sh", {
      args: [...line, ...programCommand("bench-agent")],
    }).output();
    deepEqual(
      [agent.code, new TextDecoder().decode(agent.stderr)],
      [3, run.stderr.replace("bench", "bench-agent")],
    );
    const deaf = await fixture.run([], { before: "exec 2>/dev/full" });
    equal(deaf.code, 0, "what goes to stderr can be missed");
  },
});

Deno.test("streams: a pipe that does not wait for its reader loses nothing", async () => {
  const body = "x".repeat(900_000);
  const step = `  - { id: one, call: POST /one, body: ${body} }\n`;
  using folder = workspace({ "long.yaml": `flow: long\nsteps:\n${step}` });
  const line = [
    ...programCommand("bench"),
    "compile",
    join(folder.path, "long.yaml"),
  ];
  const result = await python(READS_SLOWLY, JSON.stringify(line));
  equal(result.code, 0, result.stderr);
  equal(JSON.parse(result.stdout).steps[0].block.body, body);
});

/** Runs a command with a pipe whose end for writing never blocks. */
const READS_SLOWLY = `
import json, os, subprocess, sys
read, write = os.pipe()
os.set_blocking(write, False)
child = subprocess.Popen(json.load(sys.stdin), stdout=write)
os.close(write)
while part := os.read(read, 4096):
    sys.stdout.write(part.decode())
sys.exit(child.wait())
`;
