import { equal, ok } from "node:assert/strict";
import fc from "fast-check";
import { frameOf } from "../../../../lib/base/text/render.ts";

const at = (line: string, column: number, length: number) =>
  frameOf(line, { line: 1, column, length })!;

Deno.test("frameOf() puts the carets under what the span says", () => {
  const frame = at("  key: value", 8, 5);
  equal(frame.line, "  key: value");
  equal(frame.carets, "       ^^^^^");
});

Deno.test("frameOf() finds a later line, with either line break", () => {
  equal(frameOf("a\r\nbc\r\nd", { line: 2, column: 2, length: 1 })!.line, "bc");
  equal(frameOf("a\nb", { line: 3, column: 1, length: 1 }), undefined);
});

Deno.test("frameOf() leaves a byte order mark out of the first line", () => {
  equal(frameOf("\ufeffabc", { line: 1, column: 2, length: 1 })!.carets, " ^");
});

Deno.test("frameOf() repeats tabs, so that any tab width lines up", () => {
  equal(at("\ta\tb", 4, 1).carets, "\t \t^");
});

Deno.test("frameOf() gives a wide character two columns and two carets", () => {
  const frame = at("名前: x", 5, 1);
  equal(frame.carets, "      ^");
  equal(at("名: x", 1, 1).carets, "^^");
});

Deno.test("frameOf() gives a combining mark no column", () => {
  equal(at("e\u0301x", 3, 1).carets, " ^");
});

Deno.test("frameOf() shows control and direction characters as escapes", () => {
  const frame = at("a\u001b[31mb\u202ec", 8, 1);
  equal(frame.line, "a\\u{1b}[31mb\\u{202e}c");
  equal(frame.carets, "            ^^^^^^^^");
});

Deno.test("frameOf() cuts a long line on both sides of the error", () => {
  const line = `${"a".repeat(500)}HERE${"b".repeat(500)}`;
  const frame = at(line, 501, 4);
  ok(frame.line.length <= 104);
  ok(frame.line.startsWith("…a") && frame.line.endsWith("b…"));
  const column = frame.carets.indexOf("^");
  equal(frame.line.slice(column, column + 4), "HERE");
});

Deno.test("frameOf() cuts carets that would leave the window", () => {
  const frame = at(`x: ${"y".repeat(300)}`, 4, 300);
  ok(frame.carets.length <= frame.line.length);
});

Deno.test("frameOf() marks the column after the end of a line", () => {
  equal(at("key:", 5, 1).carets, "    ^");
});

Deno.test("frameOf() marks the same text for every line and column", () => {
  const lines = fc.string({
    unit: fc.constantFrom("a", "b", "…", " ", "x"),
    maxLength: 400,
  });
  fc.assert(fc.property(lines, fc.nat(400), (text, where) => {
    const line = `${text.slice(0, where)}#${text.slice(where)}`;
    const column = line.indexOf("#") + 1;
    const frame = at(line, column, 1);
    equal(frame.line[frame.carets.indexOf("^")], "#");
  }));
});
