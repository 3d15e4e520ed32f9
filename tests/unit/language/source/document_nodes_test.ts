import { deepEqual, equal, match, ok } from "node:assert/strict";
import type { Diagnostic } from "../../../../lib/base/text/diagnostic.ts";
import type { Hiding } from "../../../../lib/language/source/hidden.ts";
import {
  readDocument,
  type SourceDocument,
} from "../../../../lib/language/source/document.ts";
import type {
  Entry,
  MapNode,
  Node,
} from "../../../../lib/language/source/node.ts";
import { Reader } from "../../../../lib/language/source/reader.ts";

const NOTHING: Hiding = () => false;

function read(document: SourceDocument, hiding = NOTHING) {
  const reader = new Reader("flow.py", "sdk");
  return { reader, root: readDocument(document, reader, hiding) as MapNode };
}

function entry(node: Node | undefined, key: string): Entry {
  return (node as MapNode).entries.find((each) => each.key === key)!;
}

const VALUE = { a: { b: [1, "two"] }, c: true };

Deno.test("readDocument() gives each part its location, and that of what holds it without one", () => {
  const { root } = read({
    value: VALUE,
    files: [{ name: "x", text: "one\n  two\n" }, { name: "other.py" }],
    locations: { "": [1, 1, 3], "/a/b": [7, 5, 9, 1] },
    key_locations: { "/a": [3, 4, 1] },
  });
  const a = entry(root, "a");
  deepEqual(a.keyAt.range, { line: 3, column: 4, length: 1 });
  deepEqual(a.value.at.range, { line: 1, column: 1, length: 3 });
  const b = entry(a.value, "b");
  deepEqual(b.value.at, {
    file: "other.py",
    range: { line: 7, column: 5, length: 9 },
  });
  deepEqual(b.keyAt, b.value.at);
  const [first] = b.value.kind === "list" ? b.value.items : [];
  deepEqual(first?.at, b.value.at);
});

Deno.test("readDocument() hides what is a credential, without a text too", () => {
  const { reader, root } = read(
    { value: { auth: "salmon-lake" } },
    ([key]) => key === "auth",
  );
  const { at } = entry(root, "auth").value;
  const message = 'it is the string "salmon-lake"';
  reader.report({ at, code: "x", message });
  const [{ message: shown }] = reader.diagnostics.refusal().diagnostics as [
    Diagnostic,
  ];
  equal(shown, 'it is the string "•••••••••••"');
});

Deno.test("readDocument() marks the whole line where no column is known", () => {
  const files = [{ name: "x", text: "one\n  two()\n" }];
  const locations = { "": [2], "/c": [9] };
  const { root } = read({ value: VALUE, files, locations });
  deepEqual(root.at.range, { line: 2, column: 3, length: 5 });
  deepEqual(entry(root, "c").value.at.range, { line: 9, column: 1, length: 1 });
});

Deno.test("readDocument() knows a part without any location by its pointer", () => {
  const { reader, root } = read({ value: VALUE });
  const { at } = entry(entry(root, "a").value, "b").value;
  reader.report({ at, code: "x", message: "y" });
  deepEqual(reader.diagnostics.found, [
    { at: { file: "flow.py", pointer: "/a/b" }, code: "x", message: "y" },
  ]);
});

Deno.test("readDocument() keeps the text of numbers as a file has it", () => {
  const value = { n: 1.5, big: 1e20, long: 9007199254740993n, t: "x" };
  const { root } = read({ value });
  deepEqual(
    root.entries.map(({ value: node }) => node.kind === "scalar" && node.text),
    ["1.5", "1e+20", "9007199254740993", "x"],
  );
  const { root: own } = read({ value: { n: 10 }, numbers: { "/n": "10.0" } });
  const { value: ten } = entry(own, "n");
  deepEqual(ten.kind === "scalar" && [ten.value, ten.text], [10, "10.0"]);
});

Deno.test("readDocument() reports what JSON cannot say", () => {
  const { reader } = read({
    value: { n: 0, s: "\ud800" },
    numbers: { "/n": "NaN", "": "1" },
  });
  deepEqual(reader.diagnostics.found.map(({ code }) => code), [
    "number-out-of-range",
    "lone-surrogate",
  ]);
});

Deno.test("readDocument() refuses more levels than a file may have", () => {
  let value: SourceDocument["value"] = 1;
  for (let depth = 0; depth < 70; depth++) value = [value];
  const { reader, root } = read({ value });
  equal(root, undefined);
  equal(reader.diagnostics.found.length, 1);
  match(reader.diagnostics.found[0]!.message, /nested more than 64 levels/);
});

Deno.test("readDocument() keeps credentials out of messages and frames", () => {
  const hiding: Hiding = (path) => path.join("/") === "auth/token";
  const { reader } = read({
    value: { auth: { token: "s3cr3t" }, password: "p4ss" },
    files: [{ name: "x", text: 'a(\n  bearer(T),\n  password="p4ss")\n)' }],
    locations: { "/auth/token": [2, 3, 8], "/password": [3, 12, 6] },
  }, hiding);
  const at = { file: reader.file };
  reader.report({ at, code: "x", message: 'not "s3cr3t", not p4ss: no' });
  const { diagnostics: [found], sources } = reader.diagnostics.refusal();
  equal(found!.message, 'not "••••••", not ••••• no');
  equal(sources.get(reader.file), "a(\n\n\n)");
});

Deno.test("readDocument() takes integers beyond a double by their digits, and shows a part of longer ones", () => {
  const [long, longer] = [`1${"0".repeat(400)}`, `1${"0".repeat(10_000)}`];
  const { reader, root } = read({
    value: { a: -BigInt(long) as never, b: 0, c: 0 },
    numbers: { "/b": long, "/c": longer },
  });
  const values = ["a", "b", "c"].map((key) => entry(root, key).value);
  deepEqual(
    values.map((node) => node.kind === "scalar" && [node.value, node.text]),
    [[-Number.MAX_VALUE, `-${long}`], [Number.MAX_VALUE, long], [0, longer]],
  );
  deepEqual(reader.diagnostics.found.map(({ code }) => code), [
    "number-out-of-range",
  ]);
  ok(reader.diagnostics.found[0]!.message.length < 300);
});
