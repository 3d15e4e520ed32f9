import { equal } from "node:assert/strict";
import type { MapNode } from "../../../../lib/language/source/node.ts";
import { Reader } from "../../../../lib/language/source/reader.ts";
import { duration } from "../../../../lib/language/fields/durations.ts";
import {
  boolean,
  integer,
  oneOf,
  string,
} from "../../../../lib/language/fields/scalars.ts";
import { Slot, type Value } from "../../../../lib/language/fields/field.ts";
import { readYaml } from "../../../../lib/language/source/yaml.ts";

const COUNT = integer({ min: 1 });
const WORD = oneOf(["fixed", "exponential"]);

const TABLE: readonly [
  name: string,
  value: Value<unknown>,
  written: string,
  result: unknown,
  code: string,
][] = [
  ["string", string, "abc", "abc", ""],
  ["string", string, '"7"', "7", ""],
  ["string", string, "7", undefined, "wrong-type"],
  ["string", string, "true", undefined, "wrong-type"],
  ["string", string, "", undefined, "wrong-type"],
  ["string", string, "[a]", undefined, "wrong-type"],
  ["string", string, "{{ a }}", undefined, "unquoted-template"],
  ["integer()", COUNT, "3", 3, ""],
  ["integer()", COUNT, "3.0", 3, ""],
  ["integer()", COUNT, "0", undefined, "out-of-range"],
  ["integer()", COUNT, "1.5", undefined, "out-of-range"],
  ["integer()", COUNT, '"3"', undefined, "wrong-type"],
  ["boolean", boolean, "false", false, ""],
  ["boolean", boolean, "no", undefined, "wrong-type"],
  ["boolean", boolean, '"true"', undefined, "wrong-type"],
  ["oneOf()", WORD, "fixed", "fixed", ""],
  ["oneOf()", WORD, "Fixed", undefined, "unknown-value"],
  ["duration", duration, "1.5s", 1_500_000, ""],
  ["duration", duration, "0s", 0, ""],
  ["duration", duration, "-1s", undefined, "bad-duration"],
  ["duration", duration, "5", undefined, "bad-duration"],
  ["duration", duration, "", undefined, "wrong-type"],
];

for (const [name, kind, written, result, code] of TABLE) {
  Deno.test(`${name} on \`${written}\`: ${code || "read"}`, () => {
    const reader = new Reader("f");
    const { value } = (readYaml(`a: ${written}`, reader) as MapNode)
      .entries[0]!;
    equal(kind.read(new Slot(value, "/a", "`a`", reader)), result);
    equal(reader.diagnostics.found.map((each) => each.code).join(), code);
  });
}
