import { deepStrictEqual } from "node:assert/strict";
import * as bench from "../../mod.ts";

Deno.test("mod.ts exports exactly what is promised", () => {
  deepStrictEqual(Object.keys(bench).sort(), [
    "InputError",
    "RunRefused",
    "Stop",
    "StoreError",
    "checkInputs",
    "compileFlow",
    "listRuns",
    "prepareRun",
    "readMeta",
    "readTrace",
    "runFlow",
  ]);
});
