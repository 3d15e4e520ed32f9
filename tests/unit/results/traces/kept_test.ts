import { equal, ok } from "node:assert/strict";
import { outputOf } from "../../../support/program_output.ts";

const PROGRAM = new URL("kept_program.ts", import.meta.url);

Deno.test("SampledTraces holds what a long iteration said, and nothing of its responses and connections", async () => {
  const { bytes, living } = JSON.parse(await outputOf(PROGRAM));
  // A list of 200 responses is 1.6 KB, and each of them some 100 bytes.
  ok(bytes < 6_000, String(bytes));
  equal(living, 0);
});
