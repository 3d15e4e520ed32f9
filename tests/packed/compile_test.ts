import { deepStrictEqual, equal, match, ok, rejects } from "node:assert/strict";
import { join } from "node:path";
import { denoFor } from "../../tools/target_deno.ts";
import { ROOT, workspace } from "../support/bench.ts";

/** Runs `deno task compile`, into a folder of its own unless one is given. */
async function compile(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  out?: string,
): Promise<{ code: number; stderr: string; files: string[] }> {
  using directory = workspace({});
  const folder = out ?? directory.path;
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "tools/compile.ts", "--out", folder, ...args],
    cwd: ROOT,
    env: { NO_COLOR: "1", ...env },
    stdin: "null",
    stderr: "piped",
  }).output();
  const files = [...Deno.readDirSync(folder)].filter((each) => each.isFile)
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
    "to pack for Windows",
    ["--pack", "--target", "x86_64-pc-windows-msvc"],
    1,
    /a packed file is a shell script, which Windows does not run/,
  ],
  [
    "a Deno to pack without packing",
    ["--deno", "deno"],
    1,
    /--deno names the Deno to pack\n {2}= add --pack, or name a denort/,
  ],
  [
    "to pack what is no executable",
    ["--pack", "--deno", "deno.json"],
    1,
    /deno\.json is no executable, not for \S+\n$/,
  ],
  [
    "to pack a file that is not there",
    ["--pack", "--deno", "nowhere/deno"],
    1,
    /Cannot read nowhere\/deno: /,
  ],
  ["an unknown flag", ["--pak"], 2, /--pak/],
] as const;

for (const [what, args, expected, said] of REFUSED) {
  Deno.test(`deno task compile refuses ${what}`, async () => {
    const { code, stderr } = await compile(args);
    equal(code, expected);
    match(stderr, said);
  });
}

/** The start of an executable for a machine, as its header says, and a version. */
function fakeDeno(head: readonly number[], version: string): Uint8Array {
  const bytes = new Uint8Array(64);
  bytes.set(head);
  bytes.set(new TextEncoder().encode(`Deno/${version}`), 32);
  return bytes;
}

const ELF = [0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0];
const MACHINES = {
  "x86_64-unknown-linux-gnu": [...ELF, 0x3e, 0],
  "aarch64-unknown-linux-gnu": [...ELF, 0xb7, 0],
  "x86_64-apple-darwin": [0xcf, 0xfa, 0xed, 0xfe, 0x07, 0, 0, 0x01],
  "aarch64-apple-darwin": [0xcf, 0xfa, 0xed, 0xfe, 0x0c, 0, 0, 0x01],
} as const;

for (const [target, head] of Object.entries(MACHINES)) {
  Deno.test(`denoFor takes the Deno of ${target}, and for that alone`, async () => {
    const deno = fakeDeno(head, Deno.version.deno);
    using folder = workspace({});
    const file = join(folder.path, "deno");
    Deno.writeFileSync(file, deno);
    for (const each of Object.keys(MACHINES)) {
      if (each === target) deepStrictEqual(await denoFor(each, file), deno);
      else {
        const message = `${file} is for ${target}, not for ${each}`;
        await rejects(denoFor(each, file), { message });
      }
    }
  });
}

Deno.test("deno task compile --pack --deno packs the Deno of another machine", async () => {
  const target = "aarch64-apple-darwin";
  using folder = workspace({});
  const deno = fakeDeno(MACHINES[target], Deno.version.deno);
  Deno.writeFileSync(join(folder.path, "deno"), deno);
  const { code, stderr } = await compile(
    ["--pack", "--deno", join(folder.path, "deno"), "--target", target],
    {},
    folder.path,
  );
  equal(code, 0, stderr);
  match(
    stderr,
    new RegExp(`bench-agent .* packed with Deno .* for ${target}\n`),
  );
  deepStrictEqual(await packedDeno(folder.path, "bench"), deno);
});

/** What a packed program unpacks as `deno`; the program itself is not started. */
async function packedDeno(folder: string, name: string): Promise<Uint8Array> {
  const head = Deno.readTextFileSync(join(folder, name)).slice(0, 64_000);
  const [, line] = /tail -n \+(\d+)/.exec(head)!;
  const { success } = await new Deno.Command("sh", {
    args: ["-c", `tail -n +${line} ${name} | tar -xzf - deno`],
    cwd: folder,
  }).output();
  ok(success);
  return Deno.readFileSync(join(folder, "deno"));
}

Deno.test("deno task compile --pack refuses a Deno of another version", async () => {
  using folder = workspace({});
  const file = join(folder.path, "deno");
  Deno.writeFileSync(
    file,
    fakeDeno(MACHINES["aarch64-apple-darwin"], "2.0.0"),
  );
  const { code, stderr } = await compile(
    ["--pack", "--target", "aarch64-apple-darwin", "--deno", file],
  );
  equal(code, 1);
  ok(stderr.endsWith(`${file} is not Deno ${Deno.version.deno}\n`), stderr);
});

Deno.test("deno task compile --pack takes the Deno of another machine from npm, and says how to do without", async () => {
  using folder = workspace({
    "npm": '#!/bin/sh\necho "npm error 404 $*" >&2\nexit 1\n',
  });
  Deno.chmodSync(join(folder.path, "npm"), 0o755);
  const { code, stderr } = await compile(
    ["--pack", "--target", "aarch64-apple-darwin"],
    { PATH: `${folder.path}:${Deno.env.get("PATH")}` },
  );
  equal(code, 1);
  const name = `@deno/darwin-arm64@${Deno.version.deno}`;
  ok(
    stderr.includes(
      `\`npm pack ${name}\` failed:\n    npm error 404 pack --silent ${name}\n`,
    ),
    stderr,
  );
  match(stderr, /= name the Deno of that system with --deno <file>\n$/);
});
