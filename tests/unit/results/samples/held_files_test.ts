import { equal, throws } from "node:assert/strict";
import { join } from "node:path";
import { holdFiles } from "../../../../lib/results/samples/held_files.ts";
import { workspace } from "../../../support/bench.ts";

Deno.test("holdFiles: a held file is read from its start each time, as it is by then", () => {
  const long = "é".repeat(20_001);
  using folder = workspace({ "stat": "one" });
  const path = join(folder.path, "stat");
  const read = holdFiles([path]);
  equal(read(path), "one");
  Deno.writeTextFileSync(path, long);
  equal(read(path), long);
  Deno.writeTextFileSync(path, "");
  equal(read(path), "");
});

Deno.test("holdFiles: a file that was not there, or is not held, is missing", () => {
  using folder = workspace({ "other": "" });
  const path = join(folder.path, "stat");
  const read = holdFiles([path]);
  Deno.writeTextFileSync(path, "late");
  throws(() => read(path), Deno.errors.NotFound);
  throws(() => read(join(folder.path, "other")), Deno.errors.NotFound);
});
