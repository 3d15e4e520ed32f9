import { equal } from "node:assert/strict";
import {
  codeFrame,
  withoutCredentialLines,
} from "../../../../lib/language/source/hidden.ts";

const LINES: readonly [why: string, line: string, shown: string][] = [
  ["a line about nothing secret", 'f("open", 12345)', 'f("open", 12345)'],
  ["a literal credential", 'f(token="s3cr3t")', ""],
  ["single quotes", "f(password='a\\'b')", ""],
  ["a template", 'bearer("{{ env.T }}")', 'bearer("{{ env.T }}")'],
  ["a number", "f(api_key=424242)", ""],
  ["a name", "bearer(token)", "bearer(token)"],
  ["below", 'def bearer_flow():\n  f("x")', 'def bearer_flow():\n  f("x")'],
];

for (const [why, line, shown] of LINES) {
  Deno.test(`codeFrame(): ${why}`, () => {
    equal(codeFrame(`a\n${line}\nb`), `a\n${shown}\nb`);
  });
}

const TEXTS: readonly [why: string, text: string, shown: string][] = [
  ["a value", "a: 1\ntoken: x: y\nb: 2", "a: 1\n\nb: 2"],
  ["what is below", "auth:\n  other:\n\n    - x\nb: 2", "\n\n\n\nb: 2"],
  ["a quote that goes on at the margin", 'token: "x\ny\nb: 2', "\n\nb: 2"],
  ["an item and what is beside it", "- token: x\n  b: 2\n- c", "\n  b: 2\n- c"],
  ["a user in a URL", "a: http://u:p@h\nb: 2", "\nb: 2"],
  ["a path", "call: GET /auth/token\nb: 2", "call: GET /auth/token\nb: 2"],
];

for (const [why, text, shown] of TEXTS) {
  Deno.test(`withoutCredentialLines(): ${why}`, () => {
    equal(withoutCredentialLines(text), shown);
  });
}
