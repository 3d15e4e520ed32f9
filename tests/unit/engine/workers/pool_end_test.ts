import { deepStrictEqual } from "node:assert/strict";

const PROGRAM = new URL("load_program.ts", import.meta.url).pathname;

Deno.test("runFlow: a program that uses it ends by itself, whatever threads its runs had", async () => {
  const ends = await Promise.all(["1", "2"].map(async (workers) => {
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--no-check", "-A", PROGRAM, workers],
      signal: AbortSignal.timeout(60_000),
    });
    const { code, stdout } = await child.output();
    return [code, new TextDecoder().decode(stdout)];
  }));
  deepStrictEqual(ends, [[0, "8"], [0, "8"]]);
});
