import { equal, ok } from "node:assert/strict";

const PROGRAM = new URL("seconds_program.ts", import.meta.url).pathname;

Deno.test("runFlow: what two threads recorded in a second is let go after it", async () => {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", "--no-check", "-A", "--v8-flags=--expose-gc"],
      PROGRAM,
    ],
    signal: AbortSignal.timeout(60_000),
  }).output();
  equal(code, 0, new TextDecoder().decode(stderr));
  const living = Number(new TextDecoder().decode(stdout));
  // Of sixty: those of the last seconds, for the summary so far.
  ok(living > 0 && living <= 8, String(living));
});
