import { deepEqual } from "node:assert/strict";
import { assertions } from "../../../../lib/language/flow/assertions.ts";
import { Slot } from "../../../../lib/language/fields/field.ts";
import { Reader } from "../../../../lib/language/source/reader.ts";
import { readYaml } from "../../../../lib/language/source/yaml.ts";

function read(...lines: string[]): { count: number; found: string[] } {
  const reader = new Reader("f");
  const node = readYaml(lines.map((line) => `- ${line}\n`).join(""), reader)!;
  const slot = new Slot(node, "/assert", "`assert`", reader);
  const count = assertions().read(slot)!.length;
  const found = reader.diagnostics.found.map(({ code, at: { range }, hint }) =>
    `${code} ${range!.line}:${range!.column}+${range!.length} ${hint ?? ""}`
      .trim()
  );
  return { count, found };
}

Deno.test("assertions() leaves out what it cannot read and keeps the rest", () => {
  deepEqual(read("status == 200", "status = 200", "$.a == 1"), {
    count: 2,
    found: ["assertion-operator 2:10+1 did you mean `==`?"],
  });
});

Deno.test("assertions() offers quotes for a colon only where they help", () => {
  deepEqual(read("$.a == b: c").found, [
    "unquoted-colon 1:3+11 quote this assertion: '$.a == b: c'",
  ]);
  deepEqual(read("status: 200").found, [
    "wrong-type 1:3+11 write it as one text: `status == 200`",
  ]);
});

Deno.test("assertions() takes a comment for a trap only when the rest is broken", () => {
  deepEqual(read("status == 200 # fine"), { count: 1, found: [] });
  deepEqual(read("$.a == #1").found, [
    "unquoted-comment 1:10+2 quote this assertion: '$.a == #1'",
  ]);
});
