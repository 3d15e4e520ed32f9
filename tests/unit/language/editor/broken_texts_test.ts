import { ok } from "node:assert/strict";
import { complete } from "../../../../lib/language/editor/complete.ts";
import { EditorDocument } from "../../../../lib/language/editor/document.ts";
import { nameAt, usesOf } from "../../../../lib/language/editor/find_name.ts";
import { hover } from "../../../../lib/language/editor/hover.ts";
import { outline } from "../../../../lib/language/editor/symbols.ts";
import { ROOT } from "../../../support/bench.ts";
import { FLOW, surroundings } from "../../../support/editor.ts";

const FILES = ["shop", "ws"];
/** Not a multiple of what lines are indented by. */
const STRIDE = 97;

/** What is on the screen while a file is written: cut off, or something in between. */
function* texts(whole: string): Generator<[text: string, offset: number]> {
  for (let offset = 0; offset <= whole.length; offset += STRIDE) {
    const [before, after] = [whole.slice(0, offset), whole.slice(offset)];
    yield [before, offset];
    for (const typed of ["{{ ", ": ", "- [", '"', "\n"]) {
      yield [before + typed + after, offset + typed.length];
    }
  }
}

Deno.test("editor: a text that is half written breaks nothing, wherever the cursor is", async () => {
  const around = surroundings({ columns: () => ["id"], list: () => ["a/"] });
  for (const file of FILES) {
    const path = `${ROOT}/examples/${file}.bench.yaml`;
    for (const [text, offset] of texts(Deno.readTextFileSync(path))) {
      const document = new EditorDocument(text);
      for (const { change } of await complete(document, offset, FLOW, around)) {
        const { start, end } = change;
        ok(start <= offset && offset <= end && end <= text.length, text);
      }
      hover(document, offset, FLOW, around);
      outline(document, FLOW);
      const names = FLOW.names.of(document);
      const use = nameAt(names, offset);
      ok(!use || usesOf(names, use).includes(use), text);
    }
  }
});
