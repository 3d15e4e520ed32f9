import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { EVEN_START } from "../../../lib/base/process/socket_turns.ts";
import { V8_FLAGS } from "../../../tools/programs.ts";
import config from "../../../deno.json" with { type: "json" };

Deno.test("tasks: Deno looks for no newer version of itself, which would contact a host", () => {
  const runs = Object.values(config.tasks)
    .flatMap((line) => line.split("&&"))
    .map((command) => command.trim())
    .filter((command) => /\bdeno run\b/.test(command));
  ok(runs.length > 5);
  deepStrictEqual(
    runs.filter((run) =>
      !/^DENO_NO_UPDATE_CHECK=1 (\w+=\w+ )*deno run /.test(run)
    ),
    [],
  );
});

Deno.test("tasks: a checkout starts as the packed program does", () => {
  const { bench } = config.tasks;
  ok(bench.includes(` ${EVEN_START} deno run `), bench);
  ok(bench.includes(` ${V8_FLAGS} `), bench);
});

/** Those that take arguments of their own. */
const TOOLS = Object.entries(config.tasks).flatMap(([name, line]) => {
  const file = /deno run -A ((?:tools|tests)\/\S+\.ts)$/.exec(line)?.[1];
  return file === undefined ? [] : [[name, file] as const];
});

async function usage(file: string, option: string) {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--quiet", file, option],
    cwd: new URL("../../..", import.meta.url),
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

Deno.test("tasks: --help says how each tool is used, and an option that it does not have is refused", async () => {
  ok(TOOLS.length > 8, String(TOOLS));
  for (const [name, file] of TOOLS) {
    const help = await usage(file, "--help");
    equal(help.code, 0, name + help.stderr);
    match(help.stdout, new RegExp(`^Usage: deno task ${name}( |\n)`));
    const wrong = await usage(file, "--not-there");
    equal(wrong.code, 2, name + wrong.stderr);
    match(wrong.stderr, /--not-there/);
  }
});
