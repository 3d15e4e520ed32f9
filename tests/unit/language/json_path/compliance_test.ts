import { deepEqual, equal, ok, throws } from "node:assert/strict";
import type { JsonValue } from "../../../../lib/base/values/json.ts";
import {
  compileMatches,
  compilePath,
} from "../../../../lib/language/json_path/json_path.ts";
import { oneSpelling } from "../../../../lib/language/json_path/one_spelling.ts";
import { parseQuery } from "../../../../lib/language/json_path/path_reader.ts";
import { ExpressionError } from "../../../../lib/base/errors/bench_error.ts";

interface Case {
  readonly name: string;
  readonly selector: string;
  readonly document?: JsonValue;
  readonly result?: readonly JsonValue[];
  /** Where the order of an object's members decides. */
  readonly results?: readonly (readonly JsonValue[])[];
  readonly invalid_selector?: true;
}

const { tests }: { tests: readonly Case[] } = JSON.parse(
  Deno.readTextFileSync(
    new URL("../../../vectors/jsonpath/cts.json", import.meta.url),
  ),
);
const invalid = tests.filter((each) => each.invalid_selector);
const valid = tests.filter((each) => !each.invalid_selector);

Deno.test("the compliance suite is whole", () => {
  deepEqual([tests.length, invalid.length], [703, 247]);
});

Deno.test("every valid path of the compliance suite finds what RFC 9535 says", () => {
  for (const { name, selector, document, result, results } of valid) {
    const found = compileMatches(selector)(document);
    const expected = results ?? [result!];
    ok(
      expected.some((each) => JSON.stringify(each) === JSON.stringify(found)),
      `${name}: ${selector} found ${JSON.stringify(found)}`,
    );
  }
});

Deno.test("a path yields its single match, or the list of its matches", () => {
  for (const { selector, document } of valid) {
    const matches = compileMatches(selector)(document);
    const [first] = matches;
    deepEqual(
      compilePath(selector)(document),
      matches.length > 1 ? matches : first ?? undefined,
      selector,
    );
  }
});

Deno.test("every invalid path of the compliance suite is refused, at a position in it", () => {
  for (const { name, selector } of invalid) {
    throws(() => parseQuery(selector), (error) => {
      ok(error instanceof ExpressionError, name);
      ok(error.offset >= 0 && error.offset <= selector.length, name);
      return true;
    }, `${name}: ${selector}`);
  }
});

Deno.test("a cut path is refused where it ends, or is a path", () => {
  for (const { selector } of valid) {
    for (let end = 1; end < selector.length; end++) {
      const cut = selector.slice(0, end);
      try {
        parseQuery(cut);
      } catch (error) {
        ok(error instanceof ExpressionError, cut);
        ok(error.offset <= cut.length, cut);
        equal(error.message.startsWith("bad JSON path: "), true);
      }
    }
  }
});

Deno.test("the one spelling of every valid path finds the same, and is its own", () => {
  for (const { selector, document } of valid) {
    const spelled = oneSpelling(selector);
    deepEqual(
      compileMatches(spelled)(document),
      compileMatches(selector)(document),
      `${selector} as ${spelled}`,
    );
    equal(oneSpelling(spelled), spelled);
  }
});
