import { deepEqual, equal, ok } from "node:assert/strict";
import fc from "fast-check";
import type { MapNode, Node } from "../../../../lib/language/source/node.ts";
import { payload } from "../../../../lib/language/fields/templates.ts";
import { Slot } from "../../../../lib/language/fields/field.ts";
import { Reader } from "../../../../lib/language/source/reader.ts";
import { readYaml } from "../../../../lib/language/source/yaml.ts";

function read(text: string): { node: Node | undefined; reader: Reader } {
  const reader = new Reader("f");
  return { node: readYaml(text, reader), reader };
}

/** The value of the only key, and where it is. */
function only(text: string): string {
  const { value } = (read(text).node as MapNode).entries[0]!;
  const { line, column, length } = value.at.range!;
  return `${line}:${column}+${length}`;
}

const SPANS: readonly [why: string, text: string, span: string][] = [
  ["a plain scalar", "key:   value  # note\n", "1:8+5"],
  ["a quoted scalar with its quotes", 'key: "a b"\n', "1:6+5"],
  ["a block scalar at its mark", "key: |\n  a\n  b\n", "1:6+1"],
  ["a list at its first dash", "key:\n  - a\n  - b\n", "2:3+3"],
  ["a mapping at its first key", "key:\n  a: 1\n  b: 2\n", "2:3+4"],
  ["a flow mapping whole", "key: { a: 1 }\n", "1:6+8"],
  ["a missing value at its key", "key:\n", "1:1+3"],
  ["a scalar that goes on, cut at its line", "key: one\n  two\n", "1:6+3"],
  ["after a byte order mark", "\ufeffkey: v\n", "1:6+1"],
  ["with CRLF line breaks", "\r\nkey: v\r\n", "2:6+1"],
  ["after wide characters, in UTF-16 units", '"😀": v\n', "1:7+1"],
];

for (const [why, text, span] of SPANS) {
  Deno.test(`readYaml() locates ${why}`, () => equal(only(text), span));
}

Deno.test("readYaml() keeps the written text beside the value", () => {
  const { node } = read('[1.10, 0x1F, true, ~, "7", seven]');
  ok(node?.kind === "list");
  deepEqual(
    node.items.map((each) =>
      each.kind === "scalar" && [each.value, each.text, each.plain]
    ),
    [
      [1.1, "1.10", true],
      [31, "0x1F", true],
      [true, "true", true],
      [null, "~", true],
      ["7", "7", false],
      ["seven", "seven", true],
    ],
  );
});

Deno.test("readYaml() follows YAML 1.2: yes, no, on and off are strings", () => {
  const { node } = read("[yes, no, on, off, y, 1_000]");
  ok(node?.kind === "list");
  ok(
    node.items.every((each) =>
      each.kind === "scalar" && typeof each.value === "string"
    ),
  );
});

Deno.test("readYaml() marks an unquoted template, alone in its braces only", () => {
  const { node } = read("a: {{ x.y }}\nb: { c: 1 }\n");
  const [a, b] = (node as MapNode).entries;
  equal((a!.value as MapNode).unquotedTemplate, "{{ x.y }}");
  equal((b!.value as MapNode).unquotedTemplate, undefined);
});

Deno.test("readYaml() takes exactly 100 aliases and 64 levels", () => {
  const aliases = (count: number) =>
    `a: &a 1\nb: [${Array(count).fill("*a").join(", ")}]\n`;
  equal(read(aliases(100)).reader.diagnostics.found.length, 0);
  equal(
    read(aliases(101)).reader.diagnostics.found[0]?.code,
    "too-many-aliases",
  );
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  equal(read(nested(64)).reader.diagnostics.found.length, 0);
  equal(read(nested(65)).reader.diagnostics.found[0]?.code, "nesting-too-deep");
});

Deno.test("readYaml() survives a file that is nothing but opening brackets", () => {
  const { node, reader } = read("[".repeat(20_000));
  equal(node, undefined);
  ok(reader.diagnostics.found.length > 0);
});

Deno.test("readYaml() reports every repeated key and keeps the first", () => {
  const { node, reader } = read("a: 1\nb: 2\na: 3\nb: 4\n");
  equal(reader.diagnostics.found.length, 2);
  deepEqual((node as MapNode).entries.map(({ key }) => key), ["a", "b"]);
});

Deno.test("readYaml() reads JSON, which is YAML, to the same value", () => {
  const values = fc.jsonValue({ maxDepth: 6 }).filter((value) => {
    const text = JSON.stringify(value);
    return !text.includes("{{") && !text.includes("<<") &&
      !text.includes("-0") && !/\d{16}|e[+-]?\d{2}/.test(text);
  });
  fc.assert(fc.property(values, (value) => {
    const text = JSON.stringify(value);
    const { node, reader } = read(text.includes("\\u0000") ? "x" : text);
    if (text.includes("\\u0000")) return;
    deepEqual(reader.diagnostics.found, []);
    const slot = new Slot(node!, "", "", reader);
    equal(JSON.stringify(payload.read(slot)), text);
  }));
});

Deno.test("readYaml() makes of any text nodes or with an error inside it", () => {
  const pieces = fc.constantFrom(
    ..."a b : - ? # | > ' \" { } [ ] , & * ! % @ ` ~ 1 \\ / {{ }}".split(" "),
    "\n",
    " ",
    "  ",
    "\t",
    ": ",
    "- ",
    "---\n",
  );
  const texts = fc.array(pieces, { maxLength: 40 }).map((each) =>
    each.join("")
  );
  fc.assert(
    fc.property(texts, (text) => {
      const { node, reader } = read(text);
      ok(node !== undefined || reader.diagnostics.found.length > 0);
      const lines = text.split("\n");
      for (const { at: { range: span } } of reader.diagnostics.found) {
        ok(span && span.length >= 1);
        const line = lines[span.line - 1];
        ok(line !== undefined, "the line is in the file");
        ok(span.column >= 1 && span.column <= line.length + 1);
      }
    }),
    { numRuns: 500 },
  );
});

Deno.test("readYaml() says where a file is too deep that the library cannot read", () => {
  const blocks = (depth: number) =>
    Array.from({ length: depth }, (_, at) => `${" ".repeat(at)}a:\n`).join("");
  const shapes = {
    brackets: (depth: number) =>
      `a: "[ \\" ["\n# it's [[\nb:\n  - c: ${"[".repeat(depth)}${
        "]".repeat(depth)
      }\n`,
    dashes: (depth: number) => `a: 1\nb:\n  ${"- ".repeat(depth)}x\n`,
    blocks,
  };
  for (const [name, shape] of Object.entries(shapes)) {
    const [shallow, deep] = [70, 1_200].map((depth) =>
      read(shape(name === "brackets" ? depth * 5 : depth)).reader.diagnostics
        .found.map(({ code, at }) => ({ code, at }))
    );
    equal(shallow![0]?.code, "nesting-too-deep");
    deepEqual(deep, shallow, name);
  }
});
