import { equal, throws } from "node:assert/strict";
import {
  compilePattern,
  patternHint,
} from "../../../../lib/language/patterns/pattern.ts";
import vectors from "../../../vectors/patterns/patterns.json" with {
  type: "json",
};

Deno.test("compilePattern() matches as ECMAScript without flags", () => {
  for (const [pattern, text, found] of vectors.matches) {
    const regExp = compilePattern(String(pattern));
    equal(regExp.test(String(text)), found, `${pattern} on ${text}`);
  }
});

Deno.test("compilePattern() refuses what is wrong, and what says nothing", () => {
  for (const [pattern = "", reason, hint] of vectors.refused) {
    throws(() => compilePattern(pattern), {
      message: `Invalid regular expression: /${pattern}/: ${reason}`,
    });
    equal(patternHint(pattern), hint, pattern);
  }
});

Deno.test("compilePattern() takes patterns that only the engine can match", () => {
  for (const [pattern = ""] of vectors.needs_run) compilePattern(pattern);
});
