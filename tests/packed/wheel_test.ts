import { equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { rawResponse } from "../support/raw_response.ts";
import { ROOT, workspace } from "../support/bench.ts";
import { BUILT } from "../support/program.ts";
import { recordingServer } from "../support/recording_server.ts";

/*
 * The Python package as a release has it, installed and used without a network.
 * Part of `deno task test:built`, which sets BENCH_BUILT.
 */

/** The system's own, as `bin/` of the built programs has it. */
const PYTHON = "/usr/bin/python3";
const USER = `
from bench_sdk import Flow
from bench_sdk.engine import find_engine
import sys
flow = Flow("user")
flow.call("a", "GET /a", assert_=["status == 200"])
print(find_engine()[0])
print(flow.execute(sys.argv[1]).passed)
`;
import { STRICT } from "../support/strict.ts";

async function run(
  command: string,
  args: readonly string[],
  options: Pick<Deno.CommandOptions, "cwd" | "env" | "clearEnv"> = {},
): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(command, {
    args: [...args],
    stdin: "null",
    ...options,
  }).output();
  const decoder = new TextDecoder();
  equal(code, 0, decoder.decode(stdout) + decoder.decode(stderr));
  return decoder.decode(stdout);
}

/** Builds one form of the package and installs it into a folder of its own. */
async function install(form: "wheel" | "sdist", folder: string) {
  ok(BUILT !== undefined, "run it by `deno task test:built`");
  const out = join(folder, form);
  await run(Deno.execPath(), [
    ...["run", "-A", "tools/release.ts", form, "--from", BUILT, "--out", out],
  ], { cwd: ROOT });
  const [{ name }] = [...Deno.readDirSync(out)] as [Deno.DirEntry];
  const site = join(folder, "site");
  const pip = ["-m", "pip", "install", "--quiet", "--no-index", "--no-deps"];
  await run(PYTHON, [
    ...[...pip, "--no-build-isolation", "--target", site, join(out, name)],
  ], { env: { PIP_NO_INDEX: "1", PIP_ROOT_USER_ACTION: "ignore" } });
  return { name, site };
}

/** The user's machine: no Deno, no Node, no checkout. */
const machine = (site: string, path: string, home: string) => ({
  clearEnv: true,
  env: { PATH: path, HOME: home, PYTHONPATH: site, NO_COLOR: "1" },
});

Deno.test({
  name:
    "wheel: installed offline, it carries its engine and brings pytest's plugin",
  ...STRICT,
  async fn() {
    await using server = recordingServer(() => rawResponse(200));
    using folder = workspace({
      "user.py": USER,
      "home/x": "",
      "f.bench.yaml": "flow: f\nsteps: [{ id: a, call: GET / }]\n",
    });
    const { name, site } = await install("wheel", folder.path);
    match(name, /^bench_sdk-[\d.]+-py3-none-(?!any)\w+\.whl$/);
    const options = {
      cwd: folder.path,
      ...machine(site, join(BUILT!, "bin"), join(folder.path, "home")),
    };
    const said = await run(PYTHON, ["user.py", server.url], options);
    equal(said, `${join(site, "bench_sdk/bin/bench")}\nTrue\n`);
    const args = ["-m", "pytest", "--bench-target", server.url, "-q"];
    match(await run(PYTHON, [...args, "f.bench.yaml"], options), /1 passed/);
  },
});

Deno.test({
  name: "sdist: installed offline, it finds the engine on PATH",
  ...STRICT,
  async fn() {
    await using server = recordingServer(() => rawResponse(200));
    using folder = workspace({ "user.py": USER, "home/x": "", "bin/x": "" });
    const { site } = await install("sdist", folder.path);
    const bench = join(folder.path, "bin/bench");
    await Deno.symlink(join(BUILT!, "bench"), bench);
    const path = `${join(folder.path, "bin")}:${join(BUILT!, "bin")}`;
    const options = {
      cwd: folder.path,
      ...machine(site, path, join(folder.path, "home")),
    };
    const said = await run(PYTHON, ["user.py", server.url], options);
    equal(said, `${bench}\nTrue\n`);
  },
});
