import { equal } from "node:assert/strict";
import type { MapNode, Node } from "../../../../lib/language/source/node.ts";
import { Reader } from "../../../../lib/language/source/reader.ts";
import {
  readBoolean,
  readChoice,
  readDuration,
  readInteger,
  readString,
} from "../../../../lib/language/source/scalars.ts";
import { readYaml } from "../../../../lib/language/source/yaml.ts";

type Read = (node: Node, what: string, reader: Reader) => unknown;

const integer: Read = (node, what, reader) =>
  readInteger(node, what, 1, reader);
const choice: Read = (node, what, reader) =>
  readChoice(node, what, ["fixed", "exponential"], reader);

const TABLE: readonly [
  name: string,
  read: Read,
  written: string,
  result: unknown,
  code: string,
][] = [
  ["readString", readString, "abc", "abc", ""],
  ["readString", readString, '"7"', "7", ""],
  ["readString", readString, "7", undefined, "wrong-type"],
  ["readString", readString, "true", undefined, "wrong-type"],
  ["readString", readString, "", undefined, "wrong-type"],
  ["readString", readString, "[a]", undefined, "wrong-type"],
  ["readString", readString, "{{ a }}", undefined, "unquoted-template"],
  ["readInteger", integer, "3", 3, ""],
  ["readInteger", integer, "3.0", 3, ""],
  ["readInteger", integer, "0", undefined, "out-of-range"],
  ["readInteger", integer, "1.5", undefined, "out-of-range"],
  ["readInteger", integer, '"3"', undefined, "wrong-type"],
  ["readBoolean", readBoolean, "false", false, ""],
  ["readBoolean", readBoolean, "no", undefined, "wrong-type"],
  ["readBoolean", readBoolean, '"true"', undefined, "wrong-type"],
  ["readChoice", choice, "fixed", "fixed", ""],
  ["readChoice", choice, "Fixed", undefined, "unknown-value"],
  ["readDuration", readDuration, "1.5s", 1_500_000, ""],
  ["readDuration", readDuration, "0s", 0, ""],
  ["readDuration", readDuration, "-1s", undefined, "out-of-range"],
  ["readDuration", readDuration, "5", undefined, "bad-duration"],
  ["readDuration", readDuration, "", undefined, "wrong-type"],
];

for (const [name, read, written, result, code] of TABLE) {
  Deno.test(`${name}() on \`${written}\`: ${code || "read"}`, () => {
    const reader = new Reader("f");
    const { value } = (readYaml(`a: ${written}`, reader) as MapNode)
      .entries[0]!;
    equal(read(value, "`a`", reader), result);
    equal(reader.diagnostics.found.map((each) => each.code).join(), code);
  });
}
