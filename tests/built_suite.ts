/**
 * `deno task test:built [folder]`: the end-to-end suite against built programs,
 * on a PATH without Deno, Node and packages. Without a folder that holds `bench`
 * and `bench-agent`, both are packed first.
 */
import { type Counts, denoSuite, inOneLine } from "./deno_suite.ts";
import { layOut } from "./support/built.ts";

/** Tests of the programs as a user has them. */
const SUITE = ["tests/e2e", "tests/sdk/command_test.ts"];
export const PACKED_SUITE: readonly string[] = [
  "tests/packed/packed_test.ts",
  "tests/packed/wheel_test.ts",
];

/** Runs the suite; programs that cannot be built are one failure. */
export async function builtSuite(programs?: string): Promise<Counts> {
  try {
    await using built = await layOut(programs);
    const suite = programs === undefined ? [...SUITE, ...PACKED_SUITE] : SUITE;
    return await denoSuite(suite, { BENCH_BUILT: built.folder });
  } catch (error) {
    // deno-lint-ignore no-console -- it takes the place of a suite's output
    console.error(`the programs could not be built: ${error}`);
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

if (import.meta.main) {
  const counts = await builtSuite(Deno.args.find((each) => each !== "--"));
  // deno-lint-ignore no-console -- the counts are what this command is for
  console.log(`\n${inOneLine([counts])}`);
  Deno.exit(counts.failed > 0 || counts.passed === 0 ? 1 : 0);
}
