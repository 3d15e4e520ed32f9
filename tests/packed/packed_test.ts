import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { analyzedModules } from "../support/analyzed_modules.ts";
import {
  BUILT,
  programCommand,
  type ProgramName,
  resultOf,
} from "../support/program.ts";

/*
 * What only a packed file does: it unpacks itself. Part of
 * `deno task test:built`, which sets BENCH_BUILT.
 */

/** Starts a packed program, the agent, with these variables beside PATH, and nothing else. */
async function start(
  env: Readonly<Record<string, string>>,
  name: ProgramName = "bench-agent",
) {
  ok(BUILT !== undefined, "run it by `deno task test:built`");
  const [program] = programCommand(name);
  return await resultOf(new Deno.Command(program, {
    args: ["--version"],
    clearEnv: true,
    env: { PATH: join(BUILT, "bin"), NO_COLOR: "1", ...env },
  }).output());
}

const names = (folder: string) =>
  [...Deno.readDirSync(folder)].map((each) => each.name).sort();

Deno.test("packed: the first start unpacks, a second one does not", async () => {
  const HOME = await Deno.makeTempDir({ prefix: "bench-home-" });
  const cache = join(HOME, ".cache/bench");
  try {
    match((await start({ HOME })).stdout, /^bench-agent .* packed with Deno/);
    const before = names(cache);
    equal(before.length, 1);
    const { mtime } = Deno.statSync(join(cache, before[0]!, "deno"));
    match((await start({ HOME })).stdout, /^bench-agent /);
    deepStrictEqual(names(cache), before);
    deepStrictEqual(
      Deno.statSync(join(cache, before[0]!, "deno")).mtime,
      mtime,
    );
  } finally {
    await Deno.remove(HOME, { recursive: true });
  }
});

Deno.test("packed: --version reads none of the commands", async () => {
  const HOME = await Deno.makeTempDir({ prefix: "bench-home-" });
  try {
    equal((await start({ HOME }, "bench")).code, 0);
    const cache = join(HOME, ".cache/bench");
    const [only] = names(cache);
    ok(analyzedModules(join(cache, only!, "cache")) < 10);
  } finally {
    await Deno.remove(HOME, { recursive: true });
  }
});

Deno.test("packed: starts at the same moment leave one unpacked folder", async () => {
  const HOME = await Deno.makeTempDir({ prefix: "bench-home-" });
  try {
    const starts = await Promise.all([1, 2, 3].map(() => start({ HOME })));
    deepStrictEqual(starts.map(({ code }) => code), [0, 0, 0]);
    equal(names(join(HOME, ".cache/bench")).length, 1);
  } finally {
    await Deno.remove(HOME, { recursive: true });
  }
});

Deno.test("packed: without a home it unpacks into TMPDIR; without that it says what to set", async () => {
  const TMPDIR = await Deno.makeTempDir({ prefix: "bench-tmp-" });
  try {
    equal((await start({ HOME: "", TMPDIR })).code, 0);
    deepStrictEqual(names(TMPDIR), [`bench-${Deno.uid()}`]);
    deepStrictEqual(await start({ HOME: "", TMPDIR: "/dev/null" }), {
      code: 2,
      stdout: "",
      stderr:
        "bench-agent: error: there is no folder to unpack into\n  = set BENCH_CACHE to a folder that is yours alone\n",
    });
  } finally {
    await Deno.remove(TMPDIR, { recursive: true });
  }
});
