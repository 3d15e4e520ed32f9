import { deepStrictEqual } from "node:assert/strict";
import { outputOf } from "../../../support/program_output.ts";

const PROGRAM = new URL("load_program.ts", import.meta.url);

Deno.test("runFlow: a program that uses it ends by itself, whatever threads its runs had", async () => {
  const passed = await Promise.all(
    ["1", "2"].map((workers) => outputOf(PROGRAM, workers)),
  );
  deepStrictEqual(passed, ["8", "8"]);
});
