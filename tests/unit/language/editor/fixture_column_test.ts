import { deepStrictEqual, equal } from "node:assert/strict";
import { columnIn } from "../../../../lib/language/editor/find_name.ts";

/** `line:from-to`. */
function found(text: string, path: string, name: string): string | undefined {
  const range = columnIn(text, path, name);
  return range &&
    `${range.start.line}:${range.start.character}-${range.end.character}`;
}

Deno.test("columnIn: the cell of the header of a CSV file", () => {
  const text = '\ufeff\r\nid,"first, ""name""",name\n1,name,x\n';
  deepStrictEqual(
    ["id", 'first, "name"', "name", "x"].map((each) =>
      found(text, "u.CSV", each)
    ),
    ["1:0-2", "1:4-19", "1:21-25", undefined],
  );
  equal(found("", "u.csv", "a"), undefined);
});

Deno.test("columnIn: the first key of that name in a JSON file", () => {
  const text = '[\n  {"a": "name", "name" : 1},\n  {"name": 2}\n]';
  equal(found(text, "u.json", "name"), "1:17-21");
  equal(found(text, "u.json", "b"), undefined);
});
