/**
 * `deno task test`: every suite, and one last line with the real counts:
 * `N passed, N failed` or `N passed, N failed, N skipped`.
 *
 * A test that needs a tool this machine lacks is skipped and says so; with
 * BENCH_REQUIRE_TOOLS set it fails instead. `--quick` leaves out what needs
 * built programs, a browser or Python. Paths as arguments run only those tests,
 * from the sources.
 */
import { builtSuite } from "./built_suite.ts";
import { print, readArguments } from "../tools/command.ts";
import { type Counts, denoSuite, inOneLine } from "./deno_suite.ts";
import { roomModules } from "./room_modules.ts";

using rooms = roomModules();

/** The rooms, and what only a checkout has; those that take longest first. */
const PARTS = [
  "tests/contract",
  ...rooms.paths,
  ...["tests/golden", "tests/architecture", "tests/sdk/package_test.ts"],
];

/** The tests of the tools that build: most of them start one. */
const TOOLS = ["tests/packed/compile_test.ts", "tests/packed/payload_test.ts"];

async function suites(
  quick: boolean,
  paths: readonly string[],
): Promise<Counts[]> {
  if (quick) return [await denoSuite(PARTS)];
  if (paths.length > 0) return [await denoSuite(paths)];
  return await builtSuite({ beside: [...TOOLS, ...PARTS] });
}

const { values: { quick }, positionals } = readArguments({
  task: "test",
  takes: "[--quick] [PATH]...",
  about:
    "Runs every test, or those of the paths; --quick leaves out what needs built programs, a browser or Python.",
}, { quick: { type: "boolean", default: false } });
const counts = await suites(quick, positionals);
print(`\n${inOneLine(counts)}`);
Deno.exitCode = counts.every(({ failed }) => failed === 0) ? 0 : 1;
