import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { TARGETS } from "../../tools/programs.ts";
import { notesOf } from "../../tools/release_papers.ts";
import { ROOT, workspace } from "../support/bench.ts";
import { which } from "../support/built.ts";
import { BUILT, resultOf } from "../support/program.ts";
import { isMissing, needs } from "../support/tools.ts";

/* What the release workflow calls, tried here: archives, papers, the smoke test. */

const HERE = Deno.build.target;

/** What the smoke test and a packed program call; on its PATH there is nothing else. */
const TOOLS = [
  ...["sh", "tar", "gzip", "tail", "mkdir", "mv", "rm", "id"],
  ...["curl", "grep", "head", "cat", "sleep", "mktemp", "cmp"],
];

async function run(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>> = {},
) {
  return await resultOf(new Deno.Command(command, {
    args: [...args],
    cwd,
    env: { NO_COLOR: "1", SOURCE_DATE_EPOCH: "1795000000", ...env },
    stdin: "null",
  }).output());
}

/** A task of `deno.json`, as the workflow calls it. */
const task = (name: string, ...args: string[]) =>
  run(Deno.execPath(), ["task", "--quiet", name, ...args], ROOT);

async function pack(folder: string): Promise<string> {
  const { code, stderr } = await task("compile", "--pack", "--out", folder);
  equal(code, 0, stderr);
  return folder;
}

async function archive(target: string, from: string, out: string) {
  const done = await task(
    "release",
    ...["archive", "--target", target, "--from", from, "--out", out],
  );
  equal(done.code, 0, done.stderr);
  return done.stderr.trim();
}

/** Programs that are only there to be put into an archive. */
const FAKE = { "bench": "#!", "bench-agent": "#!", "bench.exe": "MZ" };

const BESIDE = [
  "CHANGELOG.md",
  "LICENSE",
  "README.md",
  "THIRD_PARTY_LICENSES.txt",
  "completions/_bench",
  "completions/bench.bash",
  "completions/bench.fish",
];

/** The smoke test asks servers by curl. */
function smokeTest(name: string, fn: () => Promise<void>): void {
  Deno.test({ name: name + needs("curl"), ignore: isMissing("curl"), fn });
}

smokeTest(
  "a release archive, unpacked where no Deno is, passes the smoke test",
  async () => {
    using folder = workspace({ "home/.keep": "" });
    const at = (name: string) => join(folder.path, name);
    await archive(HERE, BUILT ?? await pack(at("built")), at("out"));
    await run("tar", ["-xzf", `out/bench-${HERE}.tar.gz`], folder.path);
    Deno.mkdirSync(at("bin"));
    for (const tool of TOOLS) Deno.symlinkSync(which(tool), at(`bin/${tool}`));
    const smoked = await new Deno.Command(at("bin/sh"), {
      args: [join(ROOT, "tools/smoke.sh"), `bench-${HERE}`, HERE],
      cwd: folder.path,
      clearEnv: true,
      env: { PATH: at("bin"), HOME: at("home") },
      stdin: "null",
    }).output();
    const decoder = new TextDecoder();
    equal(smoked.code, 0, decoder.decode(smoked.stderr));
    const said = decoder.decode(smoked.stdout);
    match(said, /^bench \S+ \(commit \S+, packed with Deno/);
    match(said, new RegExp(`\\nall is well: ${HERE}\\n$`));
  },
);

smokeTest(
  "the smoke test fails on a program that is something else",
  async () => {
    using folder = workspace({ "bench": "#!/bin/sh\necho deno 2.9.6\n" });
    Deno.chmodSync(join(folder.path, "bench"), 0o755);
    // Where Deno lies beside curl the script would refuse before it has begun.
    Deno.mkdirSync(join(folder.path, "bin"));
    for (const tool of TOOLS) {
      Deno.symlinkSync(which(tool), join(folder.path, "bin", tool));
    }
    const { code, stderr } = await run(
      "sh",
      [join(ROOT, "tools/smoke.sh"), folder.path, HERE],
      folder.path,
      { PATH: join(folder.path, "bin") },
    );
    equal(code, 1);
    match(stderr, /^FAILED: bench --version\n--- version\.log\ndeno 2\.9\.6\n/);
  },
);

for (const target of TARGETS) {
  const windows = target.includes("windows");
  Deno.test(`the archive for ${target} holds its programs, completion scripts and papers`, async () => {
    using directory = workspace(FAKE);
    const path = await archive(
      target,
      directory.path,
      join(directory.path, "out"),
    );
    ok(path.endsWith(`bench-${target}.${windows ? "zip" : "tar.gz"}`), path);
    const programs = windows ? ["bench.exe"] : ["bench", "bench-agent"];
    const { code, stderr } = windows
      ? await run("python3", ["-m", "zipfile", "-e", path, "."], directory.path)
      : await run("tar", ["-xzf", path], directory.path);
    equal(code, 0, stderr);
    const folder = join(directory.path, `bench-${target}`);
    deepStrictEqual(names(folder), [...BESIDE, ...programs].sort());
    for (const name of programs) {
      equal(
        Deno.readTextFileSync(join(folder, name)),
        FAKE[name as keyof typeof FAKE],
      );
      if (!windows) ok(Deno.statSync(join(folder, name)).mode! & 0o100, name);
    }
    const licenses = Deno.readTextFileSync(
      join(folder, "THIRD_PARTY_LICENSES.txt"),
    );
    for (const name of ["Deno", "commander", "protobufjs", "yaml"]) {
      match(licenses, new RegExp(`^${name} \\d+\\.\\d+\\.\\d+, `, "m"));
    }
  });
}

Deno.test("an archive made again is the same, byte for byte", async () => {
  using folder = workspace(FAKE);
  const at = (name: string) => join(folder.path, name);
  for (const target of [TARGETS[0]!, TARGETS.at(-1)!]) {
    const paths = await Promise.all(
      ["first", "second"].map((out) => archive(target, folder.path, at(out))),
    );
    const [first, second] = paths.map((path) => Deno.readFileSync(path));
    deepStrictEqual(first, second);
  }
});

Deno.test("the manifest has the checksum of every file, and a bill of materials", async () => {
  using folder = workspace({ "b.zip": "b", "a.tar.gz": "a" });
  for (let round = 0; round < 2; round++) {
    const { code, stderr } = await task(
      "release",
      "manifest",
      "--out",
      folder.path,
    );
    equal(code, 0, stderr);
  }
  const sums = Deno.readTextFileSync(join(folder.path, "SHA256SUMS"));
  deepStrictEqual(
    sums.trimEnd().split("\n").map((line) => line.slice(66)),
    ["a.tar.gz", "b.zip", "bench.cdx.json"],
  );
  const { code, stdout } = await run(
    "sha256sum",
    ["--check", "--strict", "SHA256SUMS"],
    folder.path,
  );
  equal(code, 0, stdout);
  const bill = JSON.parse(
    Deno.readTextFileSync(join(folder.path, "bench.cdx.json")),
  );
  equal(bill.bomFormat, "CycloneDX");
});

const REFUSED = [
  [
    "nothing to do",
    [],
    1,
    /say one of: archive, wheel, sdist, manifest, notes/,
  ],
  [
    "an unknown target",
    ["archive", "--target", "sparc"],
    1,
    /there is no target `sparc`/,
  ],
  [
    "a binary that is not there",
    ["archive", "--from", "nowhere"],
    1,
    /Cannot read nowhere\/bench: .*\n {2}= build it with deno task compile --target \S+ --out nowhere/,
  ],
  [
    "a tag of another version",
    ["notes", "--tag", "v9.9.9"],
    1,
    /not `v9\.9\.9`/,
  ],
  ["an unknown flag", ["archive", "--form", "x"], 2, /--form/],
] as const;

for (const [what, args, expected, said] of REFUSED) {
  Deno.test(`deno task release refuses ${what}`, async () => {
    const { code, stderr } = await task("release", ...args);
    equal(code, expected, stderr);
    match(stderr, said);
  });
}

Deno.test("release notes are the changelog's section of the version", () => {
  const changelog =
    "# Changelog\n\n## [Unreleased]\n\n- later\n\n## [1.2.0] - 2026-11-20\n\n### Added\n\n- this\n\n## [1.1.0]\n\n- before\n";
  equal(notesOf(changelog, "1.2.0", "v1.2.0"), "### Added\n\n- this\n");
  for (const version of ["1.3.0", "1.2"]) {
    let message = "";
    try {
      notesOf(changelog, version, `v${version}`);
    } catch (error) {
      message = (error as Error).message;
    }
    match(message, new RegExp(`says nothing of ${version}\\n`));
  }
});

/** Paths of the files below a folder, sorted. */
function names(folder: string, above = ""): string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? names(join(folder, name), `${above}${name}/`) : [above + name]
  ).sort();
}
