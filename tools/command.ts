/** An error of the caller, or something that the machine lacks. */
export class BuildError extends Error {
  override readonly name = "BuildError";
}

/** Carries out a tool. What fails is said in a line; wrong usage is exit code 2. */
export async function runTool(
  name: string,
  work: (args: string[]) => Promise<void>,
): Promise<never> {
  try {
    // `deno task compile -- --pack` hands its own `--` on.
    await work(Deno.args.filter((each) => each !== "--"));
    Deno.exit(0);
  } catch (error) {
    const { code } = error as { code?: unknown };
    const usage = typeof code === "string" && code.startsWith("ERR_PARSE_ARGS");
    say(`${name}: error: ${(error as Error).message}\n`);
    Deno.exit(usage ? 2 : 1);
  }
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
