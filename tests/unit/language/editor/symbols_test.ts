import { deepStrictEqual } from "node:assert/strict";
import { EditorDocument } from "../../../../lib/language/editor/document.ts";
import {
  outline,
  type OutlineItem,
} from "../../../../lib/language/editor/symbols.ts";
import { FLOW } from "../../../support/editor.ts";

/** An indented line an entry. */
function lines(items: readonly OutlineItem[], indent = ""): string[] {
  return items.flatMap(({ name, detail, children }) => [
    `${indent}${name}${detail === "" ? "" : `: ${detail}`}`,
    ...lines(children, `${indent}  `),
  ]);
}

Deno.test("outline: keys, steps with what they do, and the variables they extract", () => {
  const text = `flow: shop
profile: { mode: load }
steps:
  - id: login
    call: POST /login
    extract: { token: $.token }
  - graphql: { query: "{ a }" }
  - id: think
    wait: 5s
  - id: half
    cal
data: u.csv
`;
  const document = new EditorDocument(text);
  deepStrictEqual(lines(outline(document, FLOW)), [
    "flow: shop",
    "profile",
    "steps",
    "  login: POST /login",
    "    token: $.token",
    "  step 2: graphql",
    "  think: wait 5s",
    "  half",
    "data: u.csv",
  ]);
});

Deno.test("outline: every entry has its name and its children inside itself", () => {
  const text = Deno.readTextFileSync(
    new URL("../../../../examples/shop.bench.yaml", import.meta.url),
  );
  const check = (item: OutlineItem, from: number, to: number): void => {
    const { start, end, nameStart, nameEnd, children } = item;
    const sound = from <= start && start <= nameStart && nameEnd <= end &&
      end <= to;
    deepStrictEqual([item.name, sound], [item.name, true]);
    for (const each of children) check(each, start, end);
  };
  for (let at = 0; at <= text.length; at += 50) {
    const document = new EditorDocument(text.slice(0, text.length - at));
    for (const each of outline(document, FLOW)) check(each, 0, text.length);
  }
});
