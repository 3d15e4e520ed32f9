import { join } from "node:path";
import { ROOT } from "./bench.ts";

/** What a Python program printed and how it ended. */
export interface PythonResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a Python program with the SDK of this checkout, input on stdin. */
export async function python(
  program: string,
  stdin = "",
  env: Readonly<Record<string, string>> = {},
): Promise<PythonResult> {
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
  const { code, stdout, stderr } = await output;
  const decoder = new TextDecoder();
  return {
    code,
    stdout: decoder.decode(stdout),
    stderr: decoder.decode(stderr),
  };
}
