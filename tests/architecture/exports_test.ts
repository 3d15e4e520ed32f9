import { deepStrictEqual, ok } from "node:assert/strict";
import { exportedNames, importedNames, sources } from "./program.ts";

/** Exported for a test, with the reason why a test needs it. */
const FOR_TESTS: Readonly<Record<string, string>> = {
  "lib/base/process/give_up.ts#PERMISSIONS": "which ones are dropped",
  "lib/engine/data/fixture.ts#MAX_FIXTURE_BYTES": "a bound",
  "lib/engine/schedule/load_run.ts#CONTROL_MS": "steps a fake clock takes",
  "lib/language/json_path/json_path.ts#compileMatches":
    "the compliance suite of RFC 9535 lists all matches",
  "lib/results/failures/failures.ts#MAX_GROUPS": "a bound",
  "lib/results/store/reader.ts#STALE_MS": "a bound",
  "lib/wire/http1/large_buffers.ts#LargeBuffers":
    "the program shares one, tests need their own",
  "viewer/export/har.ts#harEntry": "an exchange without a trace",
  "viewer/page/comparison_blocks.tsx#certainChanges":
    "the verdict apart from its page",
  "viewer/store/run_directory.ts#stretchesOf": "steps without a store",
};

/** Files others than the program begin with, by what loads them. */
const ENTRIES = [
  "main.ts",
  "mod.ts",
  "agent/main.ts",
  // The compiler of JSX.
  "viewer/markup/jsx_runtime.ts",
];

Deno.test("an export has an importer, or a reason that a test needs it", () => {
  const imported = importedNames();
  const exported = sources().filter((path) => !ENTRIES.includes(path))
    .flatMap((path) => exportedNames(path).map((name) => `${path}#${name}`));
  ok(exported.length > 500, `the scan found ${exported.length} exports`);
  deepStrictEqual(
    exported.filter((each) => !imported.has(each)).sort(),
    Object.keys(FOR_TESTS),
  );
});
