import { strictEqual } from "node:assert/strict";
import {
  quickFixes,
  versionFix,
} from "../../../../lib/language/editor/quick_fix.ts";

const HINT = "`pools` belongs to version 1: add `version: 1`";

function fixed(text: string): string | undefined {
  const change = versionFix(HINT, text);
  return change &&
    text.slice(0, change.start) + change.text + text.slice(change.end);
}

Deno.test("versionFix: the line comes before the first key, or in place of version 0", () => {
  strictEqual(fixed("flow: f\n"), "version: 1\nflow: f\n");
  strictEqual(
    fixed("# orders\n---\nflow: f\n"),
    "# orders\n---\nversion: 1\nflow: f\n",
  );
  strictEqual(fixed("version: 0\nflow: f\n"), "version: 1\nflow: f\n");
  strictEqual(versionFix("did you mean `poll`?", "flow: f\n"), undefined);
});

Deno.test("quickFixes: dots of a word that a hint hides are not written", () => {
  const flaw = {
    message: '`backoff` must be one of ••••••, but it is the string "FIXED"',
    line: "backoff: FIXED",
    start: 9,
    end: 14,
  };
  const texts = (hint: string) =>
    quickFixes({ ...flaw, hint }).map(({ text }) => text).join();
  strictEqual(texts("did you mean `fixed`?"), "fixed");
  strictEqual(texts("did you mean `•••••`?"), "");
});
