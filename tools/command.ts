import { parseArgs, type ParseArgsConfig } from "node:util";

/** An error of the caller, or something that the machine lacks. */
export class BuildError extends Error {
  override readonly name = "BuildError";
}

/** The options of a tool, as `parseArgs` of Node takes them. */
type ToolOptions = NonNullable<ParseArgsConfig["options"]>;

/** The usage of a tool: its name as a task, the arguments behind it, and what it does. */
interface Usage {
  readonly task: string;
  readonly takes?: string;
  readonly about: string;
}

/**
 * The arguments of a tool. `--help` prints the usage and ends it; an option that it
 * does not have is exit code 2.
 */
export function readArguments<const Options extends ToolOptions>(
  { task, takes = "", about }: Usage,
  options: Options,
): ReturnType<typeof parseArgs<{ options: Options; allowPositionals: true }>> {
  const usage = `Usage: deno task ${task} ${takes}`.trimEnd();
  // `deno task compile -- --pack` hands its own `--` on.
  const args = Deno.args.filter((each) => each !== "--");
  if (args.some((each) => each === "--help" || each === "-h")) {
    Deno.stdout.writeSync(new TextEncoder().encode(`${usage}\n\n${about}\n`));
    Deno.exit(0);
  }
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    say(`${task}: error: ${(error as Error).message}\n  = ${usage}\n`);
    Deno.exit(2);
  }
}

/** Carries out a tool. What fails is said in a line. */
export async function runTool(
  name: string,
  work: () => Promise<void>,
): Promise<never> {
  try {
    await work();
    Deno.exit(0);
  } catch (error) {
    say(`${name}: error: ${(error as Error).message}\n`);
    Deno.exit(1);
  }
}

/** Prints lines of what a tool is for. */
export function print(text: string): void {
  // deno-lint-ignore no-console -- the text is what the tool is for
  console.log(text);
}

/** Writes to standard error. */
export function say(text: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(text));
}

/** Runs a command to its end. @throws what the system says when it cannot be started */
export async function run(
  command: string,
  args: readonly string[],
  options: Pick<Deno.CommandOptions, "cwd" | "env"> = {},
): Promise<{ success: boolean; stdout: string; stderr: string }> {
  const done = await new Deno.Command(command, { args: [...args], ...options })
    .output();
  const text = new TextDecoder();
  const [stdout, stderr] = [text.decode(done.stdout), text.decode(done.stderr)];
  return { success: done.success, stdout, stderr };
}
