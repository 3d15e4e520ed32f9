import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { compilePath } from "../../lib/language/json_path/json_path.ts";
import type { JsonValue } from "../../lib/base/values/json.ts";
import { python } from "../support/python.ts";
import { randomPath } from "./random_path.ts";

const PATHS = 6_000;

const PROGRAM = `
import json, sys
from bench_sdk.expr.json_path import compile_path
from bench_sdk.values.json import OMIT
told = []
for path, values in json.load(sys.stdin):
    try:
        find = compile_path(path)
    except ValueError:
        told.append("refused")
        continue
    found = [find(value) for value in values]
    told.append([[] if each is OMIT else [each] for each in found])
print(json.dumps(told))
`;

/** What the path finds in each value, each in a list; an empty one for nothing. */
function throughEngine(path: string, values: readonly JsonValue[]): unknown {
  try {
    const find = compilePath(path);
    return values.map((value) => {
      const found = find(value);
      return found === undefined ? [] : [found];
    });
  } catch (error) {
    if (error instanceof SyntaxError) return "refused";
    throw error;
  }
}

/** Without prototypes, which fast-check leaves out and JSON.parse does not. */
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

Deno.test("a random JSON path is refused by both, or finds the same", async () => {
  const cases = fc.sample(randomPath, { numRuns: PATHS, seed: 20260101 });
  const { stdout, stderr } = await python(PROGRAM, JSON.stringify(cases));
  equal(stderr, "");
  const told: unknown[] = JSON.parse(stdout);
  let refused = 0;
  for (const [index, [path, values]] of cases.entries()) {
    const wanted = throughEngine(path, values as JsonValue[]);
    deepEqual(
      told[index],
      plain(wanted),
      `${path} in ${JSON.stringify(values)}`,
    );
    if (wanted === "refused") refused++;
  }
  ok(refused > PATHS / 4 && refused < PATHS * 3 / 4, `${refused} refused`);
});
