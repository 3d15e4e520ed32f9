import { OPERATOR_NAMES } from "../../../../lib/language/expressions/operator.ts";
import { equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { parseAssertion } from "../../../../lib/language/expressions/assertion.ts";
import { ASSERTION_PATTERN } from "../../../../lib/language/expressions/assertion_ir.ts";
import {
  parseThreshold,
  THRESHOLD_PATTERN,
} from "../../../../lib/language/expressions/threshold.ts";

/*
 * What the parser takes, the editor's pattern takes; what the pattern takes, the
 * parser takes where a pattern decides.
 */
function accepts(parse: (text: string) => unknown, text: string): boolean {
  try {
    parse(text);
    return true;
  } catch {
    return false;
  }
}

const space = fc.constantFrom("", " ", "  ", "\t");
const rare = <Value>(usual: fc.Arbitrary<Value>, odd: fc.Arbitrary<Value>) =>
  fc.oneof({ weight: 5, arbitrary: usual }, { weight: 1, arbitrary: odd });

const digits = fc.stringMatching(/^[0-9]{0,3}$/);
const number = rare(
  fc.constantFrom("0", "1", ".5", "0.25", "99.5", "100", "1.0", "007", "300"),
  fc.tuple(
    fc.constantFrom("", "-", "+"),
    digits,
    fc.constantFrom("", ".", "e", "E"),
    fc.constantFrom("", "-", "+"),
    digits,
  ).map((parts) => parts.join("")),
);
const threshold = fc.tuple(
  space,
  rare(
    fc.constantFrom("error_rate", "throttle_rate", "p95(latency)"),
    fc.constantFrom(
      ...["error_rates", "avg(latency)", "min(latency)", "p0(latency)"],
      ...["p100(latency)", "p101(latency)", "p5", "latency"],
    ),
  ),
  space,
  rare(fc.constantFrom("<", "<=", ">", ">="), fc.constantFrom("==", "", "=<")),
  space,
  number,
  rare(fc.constantFrom("", "e-1", "E2", "e+0"), fc.constantFrom("e", "e1.5")),
  space,
  rare(fc.constantFrom("", "%", "ms", "s"), fc.constantFrom("m", "sec", "%%")),
  space,
).map((parts) => parts.join(""));

Deno.test("thresholds: parser and editor agree on every spelling", () => {
  const pattern = new RegExp(THRESHOLD_PATTERN, "u");
  const counts = { taken: 0, refused: 0 };
  fc.assert(
    fc.property(threshold, (text) => {
      const taken = accepts(parseThreshold, text);
      counts[taken ? "taken" : "refused"]++;
      // A pattern does not see whether a duration is a whole number of microseconds.
      const size = /\.\d{4}/.test(text);
      if (taken || !size) equal(pattern.test(text), taken, text);
    }),
    { numRuns: 20_000 },
  );
  ok(counts.taken > 200 && counts.refused > 200, JSON.stringify(counts));
});

Deno.test("thresholds: what the parser takes of the usual examples, the editor takes", () => {
  const pattern = new RegExp(THRESHOLD_PATTERN, "u");
  // `-0ms` was taken by the parser alone, once in some hundred runs of the test above.
  for (const value of ["5ms", "0ms", "-0ms", "-0.0s", "-5ms", "+5ms"]) {
    const text = `p95(latency) < ${value}`;
    equal(pattern.test(text), /^\d/.test(value), text);
    equal(accepts(parseThreshold, text), /^\d/.test(value), text);
  }
  const taken = [
    "1%",
    "1 %",
    "0.01",
    ".01",
    "1e-2",
    "1E-2 %",
    "10e-1",
    "0.05e1",
    "1e2%",
    "100%",
    "1",
    "0",
  ];
  const refused = [
    "2",
    "1e2",
    "11e-1",
    "1e3%",
    "0.2e1",
    "101%",
    "1.1",
    "1..0",
    "%",
    "1 % %",
    "e-2",
    "-1%",
  ];
  for (const value of [...taken, ...refused]) {
    const text = `error_rate < ${value}`;
    equal(pattern.test(text), taken.includes(value), text);
    equal(accepts(parseThreshold, text), taken.includes(value), text);
  }
});

const subject = fc.constantFrom(
  ...["status", "latency", "header.X-Id", "Header.a", "$", "$.a", "$['a b']"],
  ...[
    "$.l[?@.p == 1].q",
    "$..x",
    "token",
    "token.id",
    "token.l[0].z",
    "token['a b'].z",
    "",
    "1",
    ".a",
    "{{ x }}",
  ],
);
const operator = fc.constantFrom(
  ...OPERATOR_NAMES,
  ...["exists", "not_exists", "=", "~", "is", ""],
);
const value = fc.constantFrom(
  ...["1", "-1.5", "1e3", "true", "null", "abc", "two words", '"q"', "'q'"],
  ...["[1, 2]", '{"a":1}', "5s", "1.5ms", '"5s"', "OK", "", "^a.c$", "["],
  ...["{{ x }}", "{{x.y}}", '"{{ x }}"', "'{{ x }}'", "a{{ x }}", "{{ x }} b"],
  ...["{{ x", "{{ }}", '["{{ x }}"]', "a, b", '"a, b"', "1 && 2", "1e400x"],
);

Deno.test("assertions: what the parser takes, the editor takes, and templates are refused by both", () => {
  const pattern = new RegExp(ASSERTION_PATTERN, "u");
  const assertion = fc.tuple(
    space,
    subject,
    space,
    operator,
    space,
    value,
    space,
  )
    .map((parts) => parts.join(""));
  const counts = { taken: 0, refused: 0 };
  fc.assert(
    fc.property(assertion, (text) => {
      const taken = accepts((each) => parseAssertion(each), text);
      counts[taken ? "taken" : "refused"]++;
      if (taken) ok(pattern.test(text), text);
      const partly = /\{\{/.test(text) &&
        !/["']?\{\{ ?[^{}]+ ?\}\}["']?\s*$/.test(text);
      if (partly) ok(!pattern.test(text), text);
    }),
    { numRuns: 20_000 },
  );
  ok(counts.taken > 200 && counts.refused > 200, JSON.stringify(counts));
});
