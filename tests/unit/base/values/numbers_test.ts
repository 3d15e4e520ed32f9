import { equal } from "node:assert/strict";
import fc from "fast-check";
import { equalJson } from "../../../../lib/base/values/json.ts";
import {
  compareNumbers,
  isExact,
  readNumber,
} from "../../../../lib/base/values/numbers.ts";

Deno.test("compareNumbers: by the decimal that is written, not by the double next to it", () => {
  const ordered = [
    "-1e400",
    "-1e23",
    "-99999999999999999999999",
    "-9007199254740993",
    "-1",
    "0",
    "0.5",
    "1",
    "9007199254740992",
    "9007199254740993",
    "1152921504606846976",
    "1152921504606847000",
    "99999999999999999999999",
    "1e23",
    "100000000000000000000001",
    "1.5e300",
    "1e400",
  ];
  ordered.forEach((a, i) =>
    ordered.forEach((b, j) =>
      equal(
        compareNumbers(readNumber(a), readNumber(b)),
        Math.sign(i - j),
        `${a} ${b}`,
      )
    )
  );
  equal(compareNumbers(1e23, 10n ** 23n), 0);
  equal(compareNumbers(-1e23, -(10n ** 23n)), 0);
  equal(compareNumbers(1.5e300, 15n * 10n ** 299n), 0);
});

Deno.test("equalJson: numbers by value, objects in any order, and nothing coerced", () => {
  equal(
    equalJson({ a: [1, 10n ** 23n], b: null }, { b: null, a: [1, 1e23] }),
    true,
  );
  equal(equalJson(9007199254740993n, 9007199254740992), false);
  equal(equalJson(9007199254740993n, "9007199254740993"), false);
  equal(equalJson([1], { 0: 1 }), false);
  equal(equalJson({ a: 1 }, { a: 1, b: 1 }), false);
  equal(equalJson({ a: 1 }, { b: 1 }), false);
  equal(equalJson(null, {}), false);
  fc.assert(fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
    const text = JSON.stringify(a);
    equal(equalJson(a as null, JSON.parse(text)), true, text);
    equal(equalJson(a as null, b as null), equalJson(b as null, a as null));
  }));
});

Deno.test("isExact: a number that a double has every digit of", () => {
  const exact = [
    "0",
    "1.10",
    "1e3",
    "0.30000000000000004",
    "100000000000000000000",
  ];
  const inexact = [
    "9007199254740993",
    "1e400",
    "1e-400",
    "0.123456789012345678",
  ];
  for (const text of exact) equal(isExact(text), true, text);
  for (const text of inexact) equal(isExact(text), false, text);
  fc.assert(
    fc.property(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      (value) => {
        equal(isExact(JSON.stringify(value)), true);
      },
    ),
  );
});
