import { delimiter, join } from "node:path";

/** The checkout. */
export const ROOT = new URL("../../", import.meta.url).pathname;

/** The two programs there are. */
export type ProgramName = "bench" | "bench-agent";

const SOURCE: Readonly<Record<ProgramName, string>> = {
  "bench": "main.ts",
  "bench-agent": "agent/main.ts",
};

/**
 * The folder with built programs to test in place of the sources:
 * `tests/built_suite.ts` sets it. Beside them lie `bin/`, the only folder of
 * PATH, and `work/`, where a command without a folder of its own runs.
 */
export const BUILT: string | undefined = Deno.env.get("BENCH_BUILT");

/** What starts a program: its words, and the arguments that follow them. */
export function programCommand(
  name: ProgramName,
): readonly [string, ...string[]] {
  return BUILT === undefined
    ? [Deno.execPath(), "run", "-A", "--quiet", join(ROOT, SOURCE[name])]
    : [join(BUILT, name)];
}

/** Where a command runs unless a test says otherwise: a folder with the examples. */
export const HOME_FOLDER = BUILT === undefined ? ROOT : join(BUILT, "work");

/** What a program under test gets of this process's environment. */
export function programEnvironment(): Record<string, string> {
  const keep = ["PATH", "HOME", "DENO_DIR", "TMPDIR", "NPM_CONFIG_REGISTRY"];
  const inherited = Object.fromEntries(
    keep.flatMap((name) => {
      const value = Deno.env.get(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  if (BUILT === undefined) return inherited;
  return { PATH: join(BUILT, "bin"), HOME: join(BUILT, "home") };
}

/** `PATH` of a program under test with a folder before everything else. */
export function pathWith(folder: string): string {
  return [folder, programEnvironment()["PATH"]].join(delimiter);
}
