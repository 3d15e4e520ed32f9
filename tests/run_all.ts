/**
 * `deno task test`: every suite, and one last line with the real counts:
 * `N passed, N failed` or `N passed, N failed, N skipped`.
 *
 * A test that needs a tool this machine lacks is skipped and says so; with
 * BENCH_REQUIRE_TOOLS set it fails instead. Paths as arguments run only those
 * tests, from the sources.
 */
import { builtSuite, PACKED_SUITE } from "./built_suite.ts";
import { type Counts, denoSuite, inOneLine } from "./deno_suite.ts";
import { pythonSuite } from "./python_suite.ts";

/** What is part of the built suite. */
const BUILT = PACKED_SUITE.join(",");
const SOURCES = [`--ignore=${BUILT}`, "tests/"];

async function everything(): Promise<Counts[]> {
  return [
    await denoSuite(SOURCES),
    await builtSuite(),
    await pythonSuite(),
  ];
}

const suites = Deno.args.length > 0
  ? [await denoSuite(Deno.args)]
  : await everything();
// deno-lint-ignore no-console -- the counts are what this command is for
console.log(`\n${inOneLine(suites)}`);
const ok = suites.every(({ passed, failed }) => failed === 0 && passed > 0);
Deno.exit(ok ? 0 : 1);
