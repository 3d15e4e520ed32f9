import { join } from "node:path";

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
  return BUILT === undefined ? sourceCommand(name) : [join(BUILT, name)];
}

/** What starts a program from the sources, where built ones are tested too. */
export function sourceCommand(
  name: ProgramName,
): readonly [string, ...string[]] {
  return [Deno.execPath(), "run", "-A", "--quiet", join(ROOT, SOURCE[name])];
}

/** What one run of a command did. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The output of a command that has ended, as text. */
export async function resultOf(
  output: Promise<Deno.CommandOutput>,
): Promise<CommandResult> {
  const { code, stdout, stderr } = await output;
  const decoder = new TextDecoder();
  return {
    code,
    stdout: decoder.decode(stdout),
    stderr: decoder.decode(stderr),
  };
}

/** Runs the text of a module in a process of its own. */
export function resultOfScript(
  text: string,
  permissions: readonly string[],
): Promise<CommandResult> {
  const url = `data:text/javascript,${encodeURIComponent(text)}`;
  const args = ["run", "--quiet", "--no-prompt", ...permissions, url];
  return resultOf(new Deno.Command(Deno.execPath(), { args }).output());
}

/** Where a command runs unless a test says otherwise: a folder with the examples. */
export const HOME_FOLDER = BUILT === undefined ? ROOT : join(BUILT, "work");

/** The environment of a program under test: no colours, and of this one's what is needed. */
export function programEnvironment(): Record<string, string> {
  return { ...inherited(), NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" };
}

function inherited(): Record<string, string> {
  if (BUILT !== undefined) {
    return { PATH: join(BUILT, "bin"), HOME: join(BUILT, "home") };
  }
  const keep = ["PATH", "HOME", "DENO_DIR", "TMPDIR", "NPM_CONFIG_REGISTRY"];
  return Object.fromEntries(keep.flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value]];
  }));
}
