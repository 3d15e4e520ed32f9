/**
 * `deno task test:built [folder]`: the end-to-end tests and those of the SDK
 * against built programs, on a PATH without Deno, Node and packages. Without a
 * folder that holds `bench` and `bench-agent`, both are packed first.
 */
import { join } from "node:path";
import { print, readArguments, say } from "../tools/command.ts";
import { type Counts, denoSuite, inOneLine } from "./deno_suite.ts";
import { pythonSuite } from "./python_suite.ts";
import { layOut } from "./support/built.ts";

/** They take longest, so they begin first and the others fill the gaps. */
const LONGEST = [
  "tests/e2e/viewer_test.ts",
  "tests/e2e/docs_test.ts",
];

/** They judge what a load does to a machine, so nothing else may load it. */
const ALONE = ["tests/e2e/generator_test.ts", "tests/e2e/stress_test.ts"];

const SUITE = [
  ...LONGEST,
  "tests/packed/release_test.ts",
  ...[...Deno.readDirSync("tests/e2e")].map(({ name }) => `tests/e2e/${name}`)
    .filter((path) => path.endsWith("_test.ts"))
    .filter((path) => ![...LONGEST, ...ALONE].includes(path))
    .sort(),
  "tests/sdk/command_test.ts",
];

/** Tests of a packed program, not of one that `deno compile` made. */
const PACKED = ["tests/packed/packed_test.ts", "tests/packed/wheel_test.ts"];

/** What is tested, and with which programs. */
interface BuiltSuiteOptions {
  /** The folder with the programs; without one they are packed first. */
  readonly programs?: string | undefined;
  /** Paths of other tests, which run after those that take longest. */
  readonly beside?: readonly string[];
}

/** Runs the suites; programs that cannot be built are one failure. */
export async function builtSuite(
  { programs, beside = [] }: BuiltSuiteOptions,
): Promise<Counts[]> {
  try {
    await using built = await layOut(programs);
    const suite = programs === undefined ? [...SUITE, ...PACKED] : SUITE;
    const env = { BENCH_BUILT: built.folder };
    return [
      ...await Promise.all([
        denoSuite([...suite, ...beside], env),
        pythonSuite(join(built.folder, "bench")),
      ]),
      await denoSuite(ALONE, { ...env, DENO_JOBS: "1" }),
    ];
  } catch (error) {
    say(`the programs could not be built: ${error}\n`);
    return [{ passed: 0, failed: 1, skipped: 0 }];
  }
}

if (import.meta.main) {
  const { positionals: [programs] } = readArguments({
    task: "test:built",
    takes: "[FOLDER]",
    about:
      "Runs the end-to-end tests and those of the SDK against the programs of a folder, or packs them first.",
  }, {});
  const counts = await builtSuite({ programs });
  print(`\n${inOneLine(counts)}`);
  const ok = counts.every(({ failed }) => failed === 0);
  Deno.exit(ok ? 0 : 1);
}
