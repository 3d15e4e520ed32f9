/**
 * `deno task test`: every suite, and one last line with the real counts:
 * `N passed, N failed` or `N passed, N failed, N skipped`.
 *
 * The parts are tested from the sources, the programs as they are built. A test
 * that needs a tool this machine lacks is skipped and says so; with
 * BENCH_REQUIRE_TOOLS set it fails instead. `--quick` leaves out what needs
 * built programs, a browser or Python. Paths as arguments run only those tests,
 * from the sources.
 */
import { builtSuite } from "./built_suite.ts";
import { type Counts, denoSuite, inOneLine } from "./deno_suite.ts";

/** What is tested from the sources: the rooms, and what only a checkout has. */
const PARTS = [
  ...["tests/unit", "tests/golden", "tests/contract", "tests/architecture"],
  ...["tests/sdk/package_test.ts", "tests/e2e/python_flow_test.ts"],
];

/** The tests of the tools that build: most of them start one. */
const TOOLS = ["tests/packed/compile_test.ts", "tests/packed/payload_test.ts"];

async function suites(args: readonly string[]): Promise<Counts[]> {
  if (args.includes("--quick")) return [await denoSuite(PARTS)];
  if (args.length > 0) return [await denoSuite(args)];
  return [await denoSuite([...TOOLS, ...PARTS]), ...await builtSuite()];
}

const counts = await suites(Deno.args);
// deno-lint-ignore no-console -- the counts are what this command is for
console.log(`\n${inOneLine(counts)}`);
const ok = counts.every(({ failed }) => failed === 0);
Deno.exit(ok ? 0 : 1);
