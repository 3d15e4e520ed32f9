import { deepStrictEqual, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { outlineJson } from "../../../../lib/engine/data/json_syntax.ts";

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

Deno.test("outlineJson: what JSON.parse takes has no mistake, and the other way round", () => {
  fc.assert(fc.property(fc.json(), (text) => {
    strictEqual(outlineJson(text).mistake, undefined);
  }));
  const token = fc.constantFrom(
    ..."[]{},:".split(""),
    '"a"',
    '"\\u00e9"',
    '"\n"',
    "1",
    "-0.5e3",
    "01",
    "true",
    "nul",
    " ",
    "\n",
  );
  fc.assert(
    fc.property(fc.array(token, { maxLength: 12 }), (tokens) => {
      const text = tokens.join("");
      strictEqual(outlineJson(text).mistake === undefined, isJson(text), text);
    }),
    { numRuns: 5000 },
  );
});

Deno.test("outlineJson: a list gives the place of each of its items", () => {
  fc.assert(fc.property(fc.array(fc.jsonValue()), (items) => {
    const text = JSON.stringify(items, null, 1);
    deepStrictEqual(
      outlineJson(text).items.map((offset) => text.slice(offset - 1, offset)),
      items.map(() => " "),
    );
  }));
  deepStrictEqual(outlineJson('[1,[2,{"a":[]}],{}]').items, [1, 3, 16]);
  deepStrictEqual(outlineJson('{"a":[1,2]}').items, []);
});
