import { join } from "node:path";
import { type CommandResult, resultOf, ROOT } from "./program.ts";

/** Runs a Python program with the SDK of this checkout, input on stdin. */
export async function python(
  program: string,
  stdin = "",
  env: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  const child = new Deno.Command("python3", {
    args: ["-c", program],
    env: { PYTHONPATH: join(ROOT, "sdk"), PYTHONIOENCODING: "utf-8", ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const output = child.output();
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(stdin));
  await writer.close();
  return await resultOf(output);
}
