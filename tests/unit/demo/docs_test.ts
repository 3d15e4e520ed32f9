import { ok } from "node:assert/strict";
import { compileFlow, type InputFile } from "../../../lib/compile.ts";
import { parseTarget } from "../../../lib/parse/target.ts";
import { Reader } from "../../../lib/source/reader.ts";

const DOCS = new URL("../../../docs/", import.meta.url);

/** The YAML examples of a page. */
function examples(page: string): string[] {
  const text = Deno.readTextFileSync(new URL(page, DOCS));
  const found = [...text.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, yaml]) =>
    yaml!
  );
  ok(found.length > 0, `${page} has no examples`);
  return found;
}

/** A whole flow around an example that is only a part of one. */
function asFlow(yaml: string): string {
  if (/^flow:/m.test(yaml)) return yaml;
  if (!yaml.startsWith("- id:")) {
    return `flow: example\n${yaml}steps:\n  - id: step\n    call: GET /\n`;
  }
  return `flow: example\ndata: users.csv\nsteps:\n${yaml.replace(/^/gm, "  ")}`;
}

for (const page of ["flow-file.md", "secrets.md"]) {
  examples(page).forEach((yaml, index) => {
    const [first = ""] = yaml.split("\n");
    Deno.test(`docs: example ${index + 1} of ${page} is valid (${first})`, async () => {
      const input: InputFile = {
        file: page,
        bytes: new TextEncoder().encode(asFlow(yaml)),
        directory: ".",
        form: "yaml",
      };
      ok(await compileFlow(input));
    });
  });
}

Deno.test("docs: the example of target-file.md is valid", () => {
  for (const yaml of examples("target-file.md")) {
    const reader = new Reader("target-file.md");
    ok(parseTarget(yaml, reader), JSON.stringify(reader.diagnostics));
  }
});
