import { deepStrictEqual, equal, throws } from "node:assert/strict";
import { PAGES, pageText } from "../../support/docs/blocks.ts";
import { withTables } from "../../../tools/reference/page.ts";
import { referenceTables } from "../../../tools/reference/tables.ts";

const tables = referenceTables();

Deno.test("docs: the tables of the program are as it is; `deno task docs` writes them", () => {
  const stale = PAGES.filter((page) => {
    const text = pageText(page);
    return withTables(text, tables) !== text;
  });
  deepStrictEqual(stale, []);
});

Deno.test("docs: every table that the program has rows of is on a page, once", () => {
  const placed = PAGES.flatMap((page) =>
    [...pageText(page).matchAll(/^<!-- table: (.+) -->$/gm)]
      .map(([, name]) => name!)
  );
  deepStrictEqual(placed.toSorted(), Object.keys(tables).toSorted());
});

Deno.test("withTables() replaces what lies between the marks, and nothing else", () => {
  const page = "a\n<!-- table: x -->\nold\n<!-- end -->\nb\n";
  const made = withTables(page, { x: () => "| new |\n" });
  equal(made, "a\n<!-- table: x -->\n\n| new |\n\n<!-- end -->\nb\n");
  equal(withTables(made, { x: () => "| new |\n" }), made);
  throws(() => withTables(page, {}), /There is no table `x`/);
});
