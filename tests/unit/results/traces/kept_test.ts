import { equal, ok } from "node:assert/strict";

const PROGRAM = new URL("kept_program.ts", import.meta.url).pathname;

Deno.test("SampledTraces holds what a long iteration said, and nothing of its responses and connections", async () => {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--no-check", "-A", "--v8-flags=--expose-gc"],
      PROGRAM,
    ],
    signal: AbortSignal.timeout(60_000),
  }).output();
  equal(code, 0, new TextDecoder().decode(stderr));
  const { bytes, living } = JSON.parse(new TextDecoder().decode(stdout));
  // A list of 200 responses is 1.6 KB, and each of them some 100 bytes.
  ok(bytes < 6_000, String(bytes));
  equal(living, 0);
});
