import { equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { compilePattern } from "../../lib/language/patterns/pattern.ts";
import { python } from "../support/python.ts";
import { randomPattern } from "./random_pattern.ts";

const PATTERNS = 6_000;

const PROGRAM = `
import json, sys, warnings
from bench_sdk.pattern.ecmascript import compile_pattern
from bench_sdk.pattern.mistake import PatternMistake
from bench_sdk.pattern.source import Untranslatable
warnings.simplefilter("error")
told = []
for pattern, texts in json.load(sys.stdin):
    try:
        compiled = compile_pattern(pattern)
        told.append(" ".join("yes" if compiled.search(text) else "no" for text in texts))
    except PatternMistake as mistake:
        told.append(f"refused: {mistake}")
    except Untranslatable as why:
        told.append("needs run")
print(json.dumps(told))
`;

function throughEngine(pattern: string, texts: readonly string[]): string {
  try {
    const compiled = compilePattern(pattern);
    return texts.map((each) => compiled.test(each) ? "yes" : "no").join(" ");
  } catch (error) {
    return `refused: ${(error as Error).message}`;
  }
}

Deno.test("a random pattern is refused in the same words, or matches the same", async () => {
  const cases = fc.sample(randomPattern, {
    numRuns: PATTERNS,
    seed: 20260101,
  });
  const { stdout, stderr } = await python(PROGRAM, JSON.stringify(cases));
  equal(stderr, "");
  const told: string[] = JSON.parse(stdout);
  const counts = { matched: 0, refused: 0, left: 0 };
  for (const [index, [pattern, texts]] of cases.entries()) {
    const wanted = throughEngine(pattern, texts);
    if (told[index] === "needs run") {
      ok(!wanted.startsWith("refused"), `${pattern}: ${wanted}`);
      counts.left++;
      continue;
    }
    equal(told[index], wanted, `${pattern} on ${JSON.stringify(texts)}`);
    counts[wanted.startsWith("refused") ? "refused" : "matched"]++;
  }
  ok(counts.matched > PATTERNS / 4, JSON.stringify(counts));
  ok(counts.refused > PATTERNS / 4, JSON.stringify(counts));
  ok(counts.left < PATTERNS / 10, JSON.stringify(counts));
});
