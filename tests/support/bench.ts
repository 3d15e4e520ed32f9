import { join } from "node:path";
import {
  type CommandResult,
  HOME_FOLDER,
  programCommand,
  programEnvironment,
  resultOf,
} from "./program.ts";

export { type CommandResult, ROOT } from "./program.ts";

/** Where and how the command runs. */
export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
  /** Shell commands run first, in the process that becomes `bench`: limits, traps. */
  readonly before?: string;
}

/** Starts the real `bench` command; the caller must await its output or end it. */
export function spawnBench(
  args: readonly string[],
  { cwd = HOME_FOLDER, env = {}, stdin, before }: CommandOptions = {},
): Deno.ChildProcess {
  const [program, ...words] = programCommand("bench");
  const own = [...words, ...args];
  const shell = ["-c", `${before}; exec "$0" "$@"`, program, ...own];
  return new Deno.Command(before === undefined ? program : "bash", {
    args: before === undefined ? own : shell,
    cwd,
    env: { ...programEnvironment(), ...env },
    clearEnv: true,
    stdin: stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/** Runs the real `bench` command to its end. */
export async function bench(
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const child = spawnBench(args, options);
  if (options.stdin !== undefined) {
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(options.stdin));
    await writer.close();
  }
  return await resultOf(child.output());
}

/** A directory with these files that is gone when the scope ends. */
export function workspace(
  files: Readonly<Record<string, string>>,
): { readonly path: string } & Disposable {
  const path = Deno.makeTempDirSync({ prefix: "bench-test-" });
  for (const [name, text] of Object.entries(files)) {
    const at = join(path, name);
    Deno.mkdirSync(join(at, ".."), { recursive: true });
    Deno.writeTextFileSync(at, text);
  }
  return {
    path,
    [Symbol.dispose]: () => Deno.removeSync(path, { recursive: true }),
  };
}
