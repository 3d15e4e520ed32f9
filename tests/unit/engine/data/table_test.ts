import { equal } from "node:assert/strict";
import { rowNames, tableFixture } from "../../../../lib/engine/data/table.ts";

const name = (columns: string[], cells: (string | undefined)[]) =>
  rowNames(tableFixture(columns, cells))(0);

Deno.test("rowNames: the first short cells, and no credential by its name", () => {
  equal(
    name(["password", "email", "city", "zip"], ["pw", "ada@a.b", "Rome", "1"]),
    "ada@a.b Rome",
  );
  equal(name(["a", "b"], ["x".repeat(33), "short"]), "short");
  equal(name(["a", "b"], ["", undefined]), undefined);
  equal(name(["password"], ["pw"]), undefined);
});
