/**
 * `deno task mutate [file or folder]...`: changes the pure parts of the program one
 * expression at a time and runs the unit tests of their room against each
 * change. A change that no test notices is printed; the last table is the score.
 * Without arguments, all of `PURE`. Stryker makes the changes (decision 049).
 */
import { join } from "node:path";
import { readArguments } from "./command.ts";

/** The folders that are mutated by default: functions of their arguments alone. */
const PURE = [
  "lib/base/values",
  "lib/engine/outcome",
  "lib/language/expressions",
  "lib/results/knee",
  "lib/results/report",
  "lib/results/statistics",
];

/** Pinned here and kept out of `deno.lock`: other tasks load none of it. */
const STRYKER = "npm:@stryker-mutator/core@9.6.1";

/** The tests that have to notice a change of a file: those of its folder. */
function testsOf(path: string): string {
  const folder = path.endsWith(".ts") ? join(path, "..") : path;
  return folder.replace(/^lib/, "tests/unit");
}

/** Mutates one file or folder; whether Stryker could run. */
async function mutate(path: string): Promise<boolean> {
  const config = await Deno.makeTempFile({ suffix: ".json" });
  const run = ["deno", "test", "-A", "--no-check", "--quiet", testsOf(path)];
  try {
    await Deno.writeTextFile(
      config,
      JSON.stringify({
        testRunner: "command",
        commandRunner: { command: run.join(" ") },
        mutate: [path.endsWith(".ts") ? path : `${path}/**/*.ts`],
        // Messages are held by golden files, which are not run here.
        mutator: { excludedMutations: ["StringLiteral"] },
        reporters: ["clear-text"],
        clearTextReporter: { allowColor: false, logTests: false },
        checkers: [],
        plugins: [],
        ignorePatterns: ["docs", "dist", "examples"],
        tempDirName: ".bench/mutants",
        concurrency: navigator.hardwareConcurrency,
      }),
    );
    const { success } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-lock", "--quiet", STRYKER, "run", config],
      stdin: "null",
    }).output().then(({ success, stdout }) => {
      Deno.stdout.writeSync(stdout);
      return { success };
    });
    return success;
  } finally {
    await Deno.remove(config);
  }
}

const { positionals: paths } = readArguments({
  task: "mutate",
  takes: "[FILE|FOLDER]...",
  about:
    "Changes the pure parts of the program one expression at a time, and prints the changes that no unit test notices.",
}, {});
let ran = true;
for (const path of paths.length > 0 ? paths : PURE) {
  ran = await mutate(path) && ran;
}
Deno.exitCode = ran ? 0 : 1;
