import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import fc from "fast-check";
import { readCsv } from "../../../../lib/engine/data/csv.ts";
import { FixtureFile } from "../../../../lib/engine/data/fixture_file.ts";
import { InputError } from "../../../../lib/base/text/diagnostic.ts";

Deno.test("readCsv: rows up to the limit are read, one more is refused with its line", () => {
  const read = (text: string) => readCsv(text, new FixtureFile("f", text), 2);
  strictEqual(read("a\n1\n2\n").size, 2);
  throws(() => read("a\n1\n2\n3\n4\n"), (error: unknown) => {
    const [first, ...rest] = (error as InputError).diagnostics;
    deepStrictEqual(rest, []);
    deepStrictEqual([first!.code, first!.at.range?.line], [
      "fixture-too-long",
      4,
    ]);
    return true;
  });
});

Deno.test("readCsv: cells that were quoted come back as they were", () => {
  const cell = fc.string({ unit: "grapheme" });
  const quoted = (row: readonly string[]) =>
    row.map((text) => `"${text.replaceAll('"', '""')}"`).join(",");
  fc.assert(fc.property(
    fc.integer({ min: 1, max: 4 }).chain((width) =>
      fc.array(fc.array(cell, { minLength: width, maxLength: width }), {
        minLength: 1,
        maxLength: 5,
      })
    ),
    fc.constantFrom("\n", "\r\n"),
    (rows, end) => {
      const names = rows[0]!.map((_, index) => `c${index}`);
      const text = [names, ...rows].map(quoted).join(end);
      const fixture = readCsv(text, new FixtureFile("f", text), 100);
      deepStrictEqual(
        rows.map((_, index) =>
          names.map((name) => fixture.row(index).get(name)?.text)
        ),
        rows,
      );
    },
  ));
});

Deno.test("readCsv: any text gives rows or named errors with a line, never another error", () => {
  const token = fc.constantFrom("a", "1", ",", '"', "\n", "\r\n", " ", '""');
  fc.assert(
    fc.property(fc.array(token), (tokens) => {
      const text = tokens.join("");
      try {
        const fixture = readCsv(text, new FixtureFile("f", text), 100);
        strictEqual(fixture.size > 0, true);
        strictEqual(Number.isInteger(fixture.size), true);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
        const lines = text.split(/\r\n|\n|\r/).length;
        for (const { at: { range } } of error.diagnostics) {
          strictEqual(range!.line >= 1 && range!.line <= lines, true);
        }
      }
    }),
    { numRuns: 1000 },
  );
});
