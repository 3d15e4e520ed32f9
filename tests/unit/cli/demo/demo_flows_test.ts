import { deepStrictEqual } from "node:assert/strict";
import { DEMO_FLOWS } from "../../../../cli/demo/demo_flows.ts";
import { compileFlow } from "../../../../lib/compile.ts";
import { protocols } from "../../../../lib/steps/registry.ts";

const EXAMPLES = new URL("../../../../examples/", import.meta.url);

Deno.test("DEMO_FLOWS: together they have a step of every kind", async () => {
  const kinds = new Set<string>();
  for (const { file } of DEMO_FLOWS) {
    const url = new URL(file, EXAMPLES);
    const { flow } = await compileFlow({
      file,
      bytes: Deno.readFileSync(url),
      directory: EXAMPLES.pathname,
      form: "yaml",
    });
    for (const { kind } of flow.steps) kinds.add(kind);
  }
  deepStrictEqual([...kinds].sort(), [...protocols.keys()].sort());
});
