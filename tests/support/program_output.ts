import { equal } from "node:assert/strict";

/** Runs a file as a program of its own, which may collect garbage. Returns what it printed. */
export async function outputOf(
  program: URL,
  ...args: readonly string[]
): Promise<string> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--no-check", "-A", "--v8-flags=--expose-gc"],
      ...[program.pathname, ...args],
    ],
    signal: AbortSignal.timeout(60_000),
  }).output();
  equal(code, 0, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}
