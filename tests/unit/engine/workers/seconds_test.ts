import { ok } from "node:assert/strict";
import { outputOf } from "../../../support/program_output.ts";

const PROGRAM = new URL("seconds_program.ts", import.meta.url);

Deno.test("runFlow: what two threads recorded in a second is let go after it", async () => {
  const living = Number(await outputOf(PROGRAM));
  // Of sixty: those of the last seconds, for the summary so far.
  ok(living > 0 && living <= 8, String(living));
});
