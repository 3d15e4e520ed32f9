import { deepStrictEqual, equal, match, ok } from "node:assert/strict";
import { join } from "node:path";
import { filesBelow } from "../../../tools/archive_file.ts";
import { pack } from "../../../tools/pack.ts";
import { PROGRAMS } from "../../../tools/programs.ts";
import { workspace } from "../../support/bench.ts";
import { resultOf } from "../../support/program.ts";

/* What a packed file does with the folder it unpacks into. Deno is a script here. */

const ignore = Deno.build.os === "windows";
const FAKE_DENO = `#!/bin/sh
for each; do last=$each; done
cat "$last"
`;
const FILES = {
  "app/main.js": "the program",
  "app/sdk/py.typed": "",
  "app/sdk/deep/part.py": "a part",
};

/** A packed program, and a start of it with this cache folder. */
function packed() {
  const folder = workspace(FILES);
  const app = join(folder.path, "app");
  const program = join(folder.path, "bench");
  const deno = new TextEncoder().encode(FAKE_DENO);
  const time = new Date("2026-11-20T00:00:00Z");
  pack(PROGRAMS[0]!, "words", app, join(app, "main.js"), deno, time, program);
  const cache = join(folder.path, "cache");
  const begin = (mask: string) =>
    resultOf(new Deno.Command("/bin/sh", {
      args: ["-c", `umask ${mask}; exec "$0"`, program],
      clearEnv: true,
      env: {
        PATH: Deno.env.get("PATH")!,
        BENCH_CACHE: cache,
        TMPDIR: "/dev/null",
      },
    }).output());
  // A process that another test starts has the file open until it runs its own program.
  const start = async (mask = "022") => {
    for (;;) {
      const result = await begin(mask);
      if (!result.stderr.includes("Text file busy")) return result;
    }
  };
  /** The one folder that it unpacked. */
  const home = () => join(cache, [...Deno.readDirSync(cache)][0]!.name);
  return {
    start,
    home,
    cache,
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

const WHOLE = { code: 0, stdout: "the program", stderr: "" };
const contents = (home: string) =>
  Object.fromEntries(
    filesBelow(home, "").map(({ path, bytes }) => [
      path.slice(1),
      new TextDecoder().decode(bytes),
    ]).sort(),
  );

const LOSSES: Readonly<Record<string, (home: string) => void>> = {
  "the module to run": (home) => Deno.removeSync(join(home, "app/main.js")),
  "Deno": (home) => Deno.removeSync(join(home, "deno")),
  "a folder": (home) =>
    Deno.removeSync(join(home, "app/sdk"), { recursive: true }),
  "an empty file": (home) => Deno.removeSync(join(home, "app/sdk/py.typed")),
  "what a file held": (home) => Deno.truncateSync(join(home, "app/main.js")),
  "everything": (home) => {
    for (const name of ["app", "deno"]) {
      Deno.removeSync(join(home, name), { recursive: true });
    }
  },
};

for (const [what, lose] of Object.entries(LOSSES)) {
  Deno.test(
    `packed: ${what} gone from the unpacked folder is put back`,
    { ignore },
    async () => {
      using program = packed();
      deepStrictEqual(await program.start(), WHOLE);
      const home = program.home();
      const before = contents(home);
      equal(Object.keys(before).length, 4);
      lose(home);
      deepStrictEqual(await program.start(), WHOLE);
      deepStrictEqual(contents(home), before);
      // Nothing is left of what was unpacked for it.
      equal([...Deno.readDirSync(program.cache)].length, 1);
    },
  );
}

Deno.test(
  "packed: starts that repair at the same moment all run",
  { ignore },
  async () => {
    using program = packed();
    await program.start();
    LOSSES.everything!(program.home());
    const starts = await Promise.all([1, 2, 3, 4].map(() => program.start()));
    deepStrictEqual(starts, [WHOLE, WHOLE, WHOLE, WHOLE]);
    equal([...Deno.readDirSync(program.cache)].length, 1);
  },
);

Deno.test(
  "packed: what cannot be put back is exit code 3 with a way out",
  { ignore },
  async () => {
    using program = packed();
    await program.start();
    const home = program.home();
    Deno.removeSync(join(home, "app"), { recursive: true });
    Deno.writeTextFileSync(join(home, "app"), "a file in its place");
    const { code, stdout, stderr } = await program.start();
    deepStrictEqual([code, stdout], [3, ""]);
    match(stderr, /^bench: error: Cannot unpack into \S+$/m);
    match(stderr, /^ {2}= remove that folder, .*BENCH_CACHE/m);
    ok(stderr.includes(home));
    equal([...Deno.readDirSync(program.cache)].length, 1);
  },
);

const mode = (path: string) => (Deno.statSync(path).mode! & 0o777).toString(8);

Deno.test(
  "packed: what it makes is for the user alone, whatever the umask",
  { ignore },
  async () => {
    using program = packed();
    deepStrictEqual(await program.start("000"), WHOLE);
    deepStrictEqual([program.cache, program.home()].map(mode), ["700", "700"]);
    deepStrictEqual(await program.start("000"), WHOLE);
  },
);

const OPENED: Readonly<Record<string, (home: string) => void>> = {
  "with a mode for others": (home) => Deno.chmodSync(home, 0o777),
  "with a mode for the group": (home) => Deno.chmodSync(home, 0o770),
  "with a folder for others in it": (home) =>
    Deno.chmodSync(join(home, "app/sdk"), 0o757),
  "that is a symbolic link": (home) => {
    Deno.renameSync(home, `${home}-elsewhere`);
    Deno.symlinkSync(`${home}-elsewhere`, home);
  },
  "that is a symbolic link to nothing": (home) => {
    Deno.removeSync(home, { recursive: true });
    Deno.symlinkSync(`${home}-elsewhere`, home);
  },
  "with a link for a folder": (home) => {
    Deno.renameSync(join(home, "app"), join(home, "elsewhere"));
    Deno.symlinkSync("elsewhere", join(home, "app"));
  },
  "with a link for a file": (home) => {
    Deno.renameSync(join(home, "deno"), join(home, "elsewhere"));
    Deno.symlinkSync("elsewhere", join(home, "deno"));
  },
};

for (const [what, open] of Object.entries(OPENED)) {
  Deno.test(
    `packed: an unpacked folder ${what} is not run`,
    { ignore },
    async () => {
      using program = packed();
      await program.start();
      const home = program.home();
      open(home);
      const { code, stdout, stderr } = await program.start();
      deepStrictEqual([code, stdout], [3, ""]);
      equal(
        stderr,
        `bench: error: ${home} may have been changed by others\n  = remove it: the next start unpacks it anew, for you alone\n`,
      );
    },
  );
}

Deno.test(
  "packed: a cache folder that others may write to, or a link, is not used",
  { ignore },
  async () => {
    using program = packed();
    const refused = {
      code: 2,
      stdout: "",
      stderr:
        "bench: error: there is no folder to unpack into\n  = set BENCH_CACHE to a folder that is yours alone\n",
    };
    Deno.mkdirSync(program.cache);
    Deno.chmodSync(program.cache, 0o777);
    deepStrictEqual(await program.start(), refused);
    Deno.renameSync(program.cache, `${program.cache}-elsewhere`);
    Deno.chmodSync(`${program.cache}-elsewhere`, 0o700);
    Deno.symlinkSync(`${program.cache}-elsewhere`, program.cache);
    deepStrictEqual(await program.start(), refused);
  },
);
