import { deepStrictEqual, ok } from "node:assert/strict";
import { exportedNames, importedNames, sources } from "./program.ts";

/** Files others than the program begin with, by what loads them. */
const ENTRIES = [
  "main.ts",
  "mod.ts",
  "agent/main.ts",
  // The compiler of JSX.
  "viewer/markup/jsx_runtime.ts",
];

Deno.test("an export has an importer: the program, a tool that writes the docs, or a test", () => {
  const imported = importedNames();
  const exported = sources().filter((path) => !ENTRIES.includes(path))
    .flatMap((path) => exportedNames(path).map((name) => `${path}#${name}`));
  ok(exported.length > 500, `the scan found ${exported.length} exports`);
  deepStrictEqual(
    exported.filter((each) => !imported.has(each)).sort(),
    [],
  );
});
