import { equal } from "node:assert/strict";
import {
  codeFrame,
  concealPart,
} from "../../../../lib/language/source/conceal.ts";

const LINES: readonly [why: string, line: string, shown: string][] = [
  ["a line about nothing secret", 'f("open", 12345)', 'f("open", 12345)'],
  ["a literal credential", 'f(token="s3cr3t")', 'f(token="••••••")'],
  ["single quotes", "f(password='a\\'b')", "f(password='••••')"],
  ["a template", 'bearer("{{ env.T }}")', 'bearer("{{ env.T }}")'],
  ["a number", "f(api_key=424242)", "f(api_key=••••••)"],
  ["a text that goes on below", 'f(secret="""abc', 'f(secret="""•••'],
];

for (const [why, line, shown] of LINES) {
  Deno.test(`codeFrame(): ${why}`, () => {
    equal(codeFrame(`a\n${line}\nb`), `a\n${shown}\nb`);
  });
}

Deno.test("concealPart() hides the literals of one part alone", () => {
  const text = 'f("one", "two")\ng("three")';
  const part = { line: 1, column: 10, length: 5 };
  equal(concealPart(text, part), 'f("one", "•••")\ng("three")');
  equal(concealPart(text, { line: 9, column: 1, length: 1 }), text);
});
