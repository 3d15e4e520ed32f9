import { equal } from "node:assert/strict";
import { join } from "node:path";
import { VERSION } from "../../../../lib/base/values/build.ts";
import { ROOT, workspace } from "../../../support/bench.ts";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";
const REPOSITORIES = [
  ["a branch", "commit 0123456789ab, ", {
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/refs/heads/main": `${COMMIT}\n`,
  }],
  ["a branch that git has packed", "commit 0123456789ab, ", {
    ".git/HEAD": "ref: refs/heads/main\n",
    ".git/packed-refs": `# pack-refs with: peeled\n${
      "f".repeat(40)
    } refs/heads/other/refs/heads/main\n${COMMIT} refs/heads/main\n`,
  }],
  ["a commit, as CI does", "commit 0123456789ab, ", {
    ".git/HEAD": `${COMMIT}\n`,
  }],
  ["nothing yet", "", { ".git/HEAD": "ref: refs/heads/main\n" }],
  ["no repository", "", {}],
] as const;

for (const [what, expected, files] of REPOSITORIES) {
  Deno.test(`from a checkout of ${what} --version says ${expected || "no commit, "}from source`, async () => {
    const read = (name: string) =>
      Deno.readTextFileSync(join(ROOT, "lib/base/values", name));
    using folder = workspace({
      "lib/base/values/build.ts": read("build.ts"),
      "main.ts":
        'import { buildIdentity } from "./lib/base/values/build.ts"; console.log(buildIdentity("bench"));',
      ...files,
    });
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "-A",
        "--no-config",
        "--no-lock",
        join(folder.path, "main.ts"),
      ],
    }).output();
    equal(
      new TextDecoder().decode(stdout),
      `bench ${VERSION} (${expected}from source with Deno ${Deno.version.deno})\n`,
    );
  });
}
