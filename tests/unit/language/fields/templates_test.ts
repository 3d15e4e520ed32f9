import { deepEqual, equal } from "node:assert/strict";
import type { MapNode } from "../../../../lib/language/source/node.ts";
import {
  payload as anyPayload,
  templated,
  templatedText,
} from "../../../../lib/language/fields/templates.ts";
import { Slot } from "../../../../lib/language/fields/field.ts";
import { Reader } from "../../../../lib/language/source/reader.ts";
import { readYaml } from "../../../../lib/language/source/yaml.ts";

function payload(text: string) {
  const reader = new Reader("f");
  const node = readYaml(text, reader)!;
  const slot = new Slot(node, "/body", "`body`", reader);
  return { value: slot.read(anyPayload), reader };
}

const messages = (reader: Reader) =>
  reader.diagnostics.found.map(({ code, at: { range } }) =>
    `${code} ${range!.line}:${range!.column}`
  );

Deno.test("payload normalises templates and leaves other text alone", () => {
  const { value } = payload("a: ['{{x}}', ' {{  user.name }}! ', '{ x }', x]");
  deepEqual(value, { a: ["{{ x }}", " {{ user.name }}! ", "{ x }", "x"] });
});

Deno.test("payload locates every value at its pointer, with ~ and / escaped", () => {
  const { reader } = payload('a/b:\n  - x\n  - "c~d": y\n');
  const { line, column } = reader.locations.get("/body/a~1b/1/c~0d")!.range!;
  equal(`${line}:${column}`, "3:12");
  equal(reader.locations.get("/body/a~1b/0")!.range!.line, 2);
});

Deno.test("payload takes __proto__ as a key like any other", () => {
  const { value } = payload('{"__proto__": {"x": 1}, "b": 2}');
  equal(JSON.stringify(value), '{"__proto__":{"x":1},"b":2}');
  equal((value as { x?: unknown }).x, undefined);
});

Deno.test("payload reports every bad template at its location", () => {
  const { value, reader } = payload(
    'a: "x {{ 1 }} {{ ok }} {{ }}"\nb: "{{ c"\n',
  );
  equal(value, undefined);
  deepEqual(messages(reader), [
    "bad-template 1:7",
    "bad-template 1:24",
    "bad-template 2:5",
  ]);
});

Deno.test("payload refuses a template in a key, however deep", () => {
  const { value, reader } = payload('a: [{ "{{ k }}": 1 }]');
  equal(value, undefined);
  deepEqual(messages(reader), ["template-in-key 1:7"]);
});

Deno.test("payload refuses numbers whose leading zero would be lost", () => {
  deepEqual(messages(payload("[007, -01, 0, 0.5, 0x0F]").reader), [
    "leading-zero 1:2",
    "leading-zero 1:7",
  ]);
});

function entry(text: string) {
  const reader = new Reader("f");
  const { value } = (readYaml(text, reader) as MapNode).entries[0]!;
  return { slot: new Slot(value, "/a", "`a`", reader), reader };
}

Deno.test("templated wants a string and says how to make one", () => {
  const { slot, reader } = entry("a: 7");
  equal(templated.read(slot), undefined);
  equal(reader.diagnostics.found[0]!.hint, 'quote it: "7"');
});

const TEXTS: readonly [written: string, read: string | undefined][] = [
  ["1.10", "1.10"],
  ["true", "true"],
  ["1e3", "1e3"],
  ['""', ""],
  ['"{{a}}"', "{{ a }}"],
  ["", undefined],
  ["[a]", undefined],
  ["{{ a }}", undefined],
];

for (const [written, read] of TEXTS) {
  Deno.test(`templatedText reads \`${written}\` as ${read === undefined ? "an error" : `"${read}"`}`, () => {
    const { slot, reader } = entry(`a: ${written}`);
    equal(templatedText.read(slot), read);
    equal(reader.diagnostics.found.length, read === undefined ? 1 : 0);
  });
}
