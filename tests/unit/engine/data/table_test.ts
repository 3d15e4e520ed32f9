import { deepStrictEqual, equal } from "node:assert/strict";
import fc from "fast-check";
import {
  readShared,
  rowNames,
  shareCells,
  type StoredCell,
  tableFixture,
} from "../../../../lib/engine/data/table.ts";

const name = (columns: string[], cells: (string | undefined)[]) =>
  rowNames(tableFixture(columns, cells))(0);

Deno.test("rowNames: the first short cells, and no credential by its name", () => {
  equal(
    name(["password", "email", "city", "zip"], ["pw", "ada@a.b", "Rome", "1"]),
    "ada@a.b Rome",
  );
  equal(name(["a", "b"], ["x".repeat(33), "short"]), "short");
  equal(name(["a", "b"], ["", undefined]), undefined);
  equal(name(["password"], ["pw"]), undefined);
  equal(
    name(["user", "pass", "userPwd", "compass"], ["a", "b", "c", "d"]),
    "a d",
  );
});

const letters = fc.string({
  unit: fc.integer({ min: 0, max: 0xffff }).map((unit) =>
    String.fromCharCode(unit)
  ),
});
const latin = fc.string({
  unit: fc.integer({ min: 0, max: 0xff }).map((unit) =>
    String.fromCharCode(unit)
  ),
});
const cellsOf = (text: fc.Arbitrary<string>) =>
  fc.array(fc.oneof(
    fc.constant<StoredCell>(undefined),
    text,
    text.map((each): StoredCell => ({ text: each, nested: true })),
  ));

Deno.test("shareCells: what threads read is what was stored, of any letters, absent and nested", () => {
  fc.assert(
    fc.property(fc.oneof(cellsOf(latin), cellsOf(letters)), (cells) => {
      const read = readShared(shareCells(cells));
      equal(read.length, cells.length);
      deepStrictEqual(cells.map((_, index) => read.at(index)), cells);
    }),
  );
  const long = [
    "a".repeat(10_001),
    (String.fromCharCode(0xd800) + "é€").repeat(5_000),
    "",
  ];
  const read = readShared(shareCells(long));
  deepStrictEqual(long.map((_, index) => read.at(index)), long);
});

Deno.test("shareCells: a thread that is sent them has the same memory, not a copy", () => {
  const shared = shareCells(["ada", undefined, "\u00e9"]);
  const sent = structuredClone(shared);
  shared.letters[0] = 0x41;
  equal(readShared(sent).at(0), "Ada");
  equal(shared.letters.BYTES_PER_ELEMENT, 1);
});
