import { equal, match, ok } from "node:assert/strict";
import { ROOT, workspace } from "../support/bench.ts";

/** Runs `deno task compile` into a folder of its own. */
async function compile(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ code: number; stderr: string; files: string[] }> {
  using place = workspace({});
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "tools/compile.ts", "--out", place.path, ...args],
    cwd: ROOT,
    env: { NO_COLOR: "1", ...env },
    stdin: "null",
    stderr: "piped",
  }).output();
  const files = [...Deno.readDirSync(place.path)].filter((each) => each.isFile)
    .map((each) => each.name);
  return { code, stderr: new TextDecoder().decode(stderr), files };
}

Deno.test("deno task compile says that it lacks its runtime base, and the way out", async () => {
  const { code, stderr } = await compile([], { DENORT_BIN: "/nowhere/denort" });
  equal(code, 1);
  match(stderr, /`deno compile` could not build \S+bench:/);
  match(stderr, /it needs its runtime base \(denort\)/);
  match(
    stderr,
    /set DENORT_BIN to an unzipped denort, or build from the local Deno with --pack/,
  );
});

Deno.test("deno task compile finds out that DENORT_BIN is no denort, and leaves no such file", async () => {
  const { code, stderr, files } = await compile([], {
    DENORT_BIN: Deno.execPath(),
  });
  equal(code, 1);
  match(
    stderr,
    /bench does not run bench: asked for its version it says `deno /,
  );
  ok(!files.includes("bench"), "a file that looks like bench and is not");
});

const REFUSED = [
  [
    "an unknown target",
    ["--target", "sparc"],
    1,
    /there is no target `sparc`\n {2}= one of: x86_64/,
  ],
  [
    "to pack for another machine",
    ["--pack", "--target", "x86_64-pc-windows-msvc"],
    1,
    /--pack packs the Deno of this machine/,
  ],
  ["an unknown flag", ["--pak"], 2, /--pak/],
] as const;

for (const [what, args, wanted, said] of REFUSED) {
  Deno.test(`deno task compile refuses ${what}`, async () => {
    const { code, stderr } = await compile(args);
    equal(code, wanted);
    match(stderr, said);
  });
}
