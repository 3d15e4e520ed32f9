import { deepEqual, equal } from "node:assert/strict";
import { readEntries } from "../../../../lib/language/fields/mapping.ts";
import {
  optional,
  required,
  Slot,
} from "../../../../lib/language/fields/field.ts";
import { string } from "../../../../lib/language/fields/scalars.ts";
import { Reader } from "../../../../lib/language/source/reader.ts";
import { readYaml } from "../../../../lib/language/source/yaml.ts";

const TABLE = {
  interval: required(string, "how often"),
  timeout: optional(string, "how long"),
};

function slotOf(text: string, reader: Reader): Slot {
  return new Slot(readYaml(text, reader)!, "", "`poll`", reader);
}

function messages(text: string): string[] {
  const reader = new Reader("f");
  readEntries(slotOf(text, reader), TABLE);
  return reader.diagnostics.found.map(({ code }) => code);
}

const CASES: readonly [why: string, text: string, codes: string[]][] = [
  ["takes the keys of its table", "interval: 1s\ntimeout: 2s\n", []],
  ["reports a missing key", "timeout: 2s\n", ["missing-key"]],
  ["reports a misspelt key once, and not as missing too", "intervall: 1s\n", [
    "unknown-key",
  ]],
  ["reports a strange key and a missing one", "colour: red\n", [
    "unknown-key",
    "missing-key",
  ]],
  ["does not take inherited names for keys", "interval: 1s\ntoString: x\n", [
    "unknown-key",
  ]],
  ["wants a mapping", "[interval]", ["wrong-type"]],
  ["explains an unquoted template", "{{ x }}", ["unquoted-template"]],
];

for (const [why, text, codes] of CASES) {
  Deno.test(`readEntries() ${why}`, () => deepEqual(messages(text), codes));
}

Deno.test("readEntries() asks about foreign keys first", () => {
  const reader = new Reader("f");
  const slot = slotOf("interval: 1s\nversion: 1\n", reader);
  const seen: string[] = [];
  readEntries(slot, TABLE, { foreign: ({ key }) => seen.push(key) > 0 });
  deepEqual(seen, ["version"]);
  equal(reader.diagnostics.found.length, 0);
});
