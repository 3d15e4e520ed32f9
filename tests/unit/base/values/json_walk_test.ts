import { deepStrictEqual, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { walkJson } from "../../../../lib/base/values/json_walk.ts";

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

Deno.test("walkJson: what JSON.parse takes has no error, and the other way round", () => {
  const agrees = (text: string) =>
    strictEqual(walkJson(text, {}) === undefined, isJson(text), text);
  fc.assert(fc.property(fc.json(), agrees));
  const token = fc.constantFrom(
    ..."[]{},:".split(""),
    '"a"',
    '"\\u00e9"',
    '"\\u00g9"',
    '"\\x"',
    '"\n"',
    '"',
    "1",
    "-0.5e3",
    "-",
    "1.",
    "1e+",
    "01",
    "true",
    "nul",
    " ",
    "\n",
    "\u00a0",
  );
  fc.assert(
    fc.property(
      fc.array(token, { maxLength: 12 }),
      (tokens) => agrees(tokens.join("")),
    ),
    { numRuns: 5000 },
  );
});

Deno.test("walkJson: its tokens make the value again", () => {
  fc.assert(fc.property(fc.json(), (text) => {
    const tokens: string[] = [];
    const closing: string[] = [];
    walkJson(text, {
      open(kind) {
        tokens.push(kind);
        closing.push(kind === "[" ? "]" : "}");
      },
      close(end) {
        if (tokens.at(-1) === ",") tokens.pop();
        strictEqual(text[end - 1], closing.at(-1));
        tokens.push(closing.pop()!, ",");
      },
      key: (start, end) => void tokens.push(text.slice(start, end), ":"),
      scalar: (start, end) => void tokens.push(text.slice(start, end), ","),
    });
    const json = tokens.slice(0, -1).join(" ");
    deepStrictEqual(JSON.parse(json), JSON.parse(text));
  }));
});

Deno.test("walkJson: nesting of any depth is walked over", () => {
  const deep = 200_000;
  let depth = 0;
  let deepest = 0;
  const text = "[".repeat(deep) + "]".repeat(deep);
  const error = walkJson(text, {
    open: () => void (deepest = Math.max(deepest, ++depth)),
    close: () => void depth--,
  });
  deepStrictEqual([error, depth, deepest], [undefined, 0, deep]);
});
