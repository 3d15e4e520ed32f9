import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import {
  MAX_FIXTURE_BYTES,
  readFixture,
} from "../../../../lib/engine/data/fixture.ts";
import type { Fixture } from "../../../../lib/engine/data/table.ts";
import { InputError } from "../../../../lib/base/text/diagnostic.ts";

const encode = (text: string) => new TextEncoder().encode(text);

function read(format: "csv" | "json", text: string): Fixture {
  return readFixture("users", format, () => encode(text));
}

/** Rows as plain text, so that a test reads like the file. */
function texts(fixture: Fixture): unknown {
  return Array.from(
    { length: fixture.size },
    (_, index) =>
      fixture.columns.map((column) => fixture.row(index).get(column)?.text),
  );
}

/** `line:column code message`; without a location for the file as a whole. */
function messages(run: () => unknown): readonly string[] {
  let found: readonly string[] = [];
  throws(run, (error: unknown) => {
    if (!(error instanceof InputError)) return false;
    found = error.diagnostics.map(({ at, code, message }) => {
      strictEqual(at.file, "users");
      const { range } = at;
      const location = range ? `${range.line}:${range.column} ` : "";
      return `${location}${code} ${message}`;
    });
    return true;
  });
  return found;
}

const csv: readonly [string, string, readonly string[], unknown][] = [
  ["a header and rows", "a,b\n1,2\n3,4\n", ["a", "b"], [["1", "2"], [
    "3",
    "4",
  ]]],
  ["no line end at the end", "a\n1", ["a"], [["1"]]],
  ["CRLF line ends", "a,b\r\n1,2\r\n", ["a", "b"], [["1", "2"]]],
  ["mixed line ends", "a\r\n1\n2\r\n", ["a"], [["1"], ["2"]]],
  ["a byte order mark", "\ufeffa\n1\n", ["a"], [["1"]]],
  ["quoted commas, quotes and line ends", 'a,b\n"1,\n2","x""y"\n', ["a", "b"], [
    ["1,\n2", 'x"y'],
  ]],
  ["white space, kept", "a,b\n 1 , 2\n", ["a", "b"], [[" 1 ", " 2"]]],
  ["blank lines, skipped", "a\n\n1\n\n", ["a"], [["1"]]],
  ["an empty cell", 'a,b\n,""\n', ["a", "b"], [["", ""]]],
  ["numbers as they are written", "a\n1.10\n007\n", ["a"], [["1.10"], ["007"]]],
];

for (const [what, text, columns, rows] of csv) {
  Deno.test(`readFixture: CSV with ${what}`, () => {
    const fixture = read("csv", text);
    deepStrictEqual(fixture.columns, columns);
    deepStrictEqual(texts(fixture), rows);
  });
}

const badCsv: readonly [string, string, readonly string[]][] = [
  ["an empty file", "", [
    "empty-fixture fixture `users` must have at least one row, but the file is empty",
  ]],
  ["only white space", " \n\n", [
    "empty-fixture fixture `users` must have at least one row, but the file is empty",
  ]],
  ["a header without rows", "a,b\n", [
    "1:1 empty-fixture fixture `users` must have at least one row, but it has only a header",
  ]],
  ["every ragged row, by its line", 'a,b\n1\n"2\n",3\n4,5,6\n', [
    "2:1 ragged-row row must have 2 cells like the header, but it has 1",
    "5:1 ragged-row row must have 2 cells like the header, but it has 3",
  ]],
  ["a ragged row that spans lines, where it begins", 'a,b\n1,2\n"x\ny"\n', [
    "3:1 ragged-row row must have 2 cells like the header, but it has 1",
  ]],
  ["a ragged row after a quoted CRLF", 'a\r\n"x\r\ny"\r\n1,2\r\n', [
    "4:1 ragged-row row must have 1 cell like the header, but it has 2",
  ]],
  ["a duplicate and an empty column, both", "id,,id\n1,2,3\n", [
    "1:4 empty-column column 2 must have a name, but the header is empty there",
    "1:5 duplicate-column column 3 must have a name of its own, but `id` is column 1 already",
  ]],
  [
    "duplicate and empty columns behind quoted ones",
    '\r\n"a\nb","c ""d"",",e,e,\r\n1,2,3,4,5\r\n',
    [
      "3:17 duplicate-column column 4 must have a name of its own, but `e` is column 3 already",
      "3:19 empty-column column 5 must have a name, but the header is empty there",
    ],
  ],
  ["a quote that is never closed, where it opens", 'a,b\n1,2\n"3,4\n5,6\n', [
    "3:1 bad-csv a quoted cell that begins in this row is never closed",
  ]],
  ["a quote inside a bare cell", 'a\nx"y\n', [
    '2:1 bad-csv unexpected `"` inside a cell that is not quoted',
  ]],
  ["text after a closing quote", 'a\n1\n"x"y\n', [
    "3:1 bad-csv text follows the closing quote of a cell",
  ]],
  ["NUL characters", "a\n1\0\n", [
    "2:2 not-utf8 fixture `users` must be UTF-8 text, but it holds NUL characters",
  ]],
];

for (const [what, text, expected] of badCsv) {
  Deno.test(`readFixture: CSV refused: ${what}`, () => {
    deepStrictEqual(messages(() => read("csv", text)), expected);
  });
}

Deno.test("readFixture: no more than twenty errors are listed, and the last says so", () => {
  const text = "a,b\n" + "1\n".repeat(50);
  throws(() => read("csv", text), (error: unknown) => {
    const { diagnostics } = error as InputError;
    strictEqual(diagnostics.length, 20);
    strictEqual(
      diagnostics.at(-1)!.hint,
      "only the first 20 errors are listed",
    );
    return true;
  });
});

Deno.test("readFixture: text that is not UTF-8 is refused", () => {
  const bad: readonly [number[], string][] = [
    [[0x61, 0x0a, 0xe9, 0x0a], "2:1 0xe9"],
    [[0xff, 0xfe, 0x61, 0, 0x0a, 0], "1:1 0xff"],
    // Behind a byte order mark, and what stands for such a byte elsewhere.
    [[...encode("\ufeffa\n\ufffdé\ufffd"), 0x62, 0xc3, 0x28], "2:5 0xc3"],
    // A character that the file ends in.
    [[0x61, 0xe2, 0x82], "1:2 0xe2"],
  ];
  for (const [bytes, found] of bad) {
    const [place, byte] = found.split(" ");
    deepStrictEqual(
      messages(() => readFixture("users", "csv", () => new Uint8Array(bytes))),
      [`${place} not-utf8 fixture \`users\` must be UTF-8 text, but the byte ${byte} here is not`],
    );
  }
});

Deno.test("readFixture: a file over 256 MiB is refused by name", () => {
  // The length is all that is looked at.
  const huge = Object.defineProperty(new Uint8Array(), "length", {
    value: MAX_FIXTURE_BYTES + 1,
  });
  deepStrictEqual(messages(() => readFixture("users", "csv", () => huge)), [
    "fixture-too-large fixture `users` must be at most 256 MiB, but it has 268435457 bytes",
  ]);
});

Deno.test("readFixture: a missing and an unreadable file are distinguished", () => {
  const failing = (error: Error) => () => {
    throw error;
  };
  deepStrictEqual(
    messages(() =>
      readFixture("users", "csv", failing(new Deno.errors.NotFound("os")))
    ),
    ["unreadable-fixture there is no fixture file `users`"],
  );
  deepStrictEqual(
    messages(() => readFixture("users", "csv", failing(new Error("is a dir")))),
    ["unreadable-fixture cannot read the fixture file `users`: is a dir"],
  );
});

Deno.test("readFixture: a column the fixture lacks gives no cell", () => {
  strictEqual(read("csv", "a\n1\n").row(0).get("b"), undefined);
  strictEqual(read("csv", "a\n1\n").row(0).get("constructor"), undefined);
});
