import type { JsonValue } from "../../base/values/json.ts";
import { jsonType } from "../../base/values/json.ts";
import { describeError, walkJson } from "../../base/values/json_walk.ts";
import { readable } from "../../base/values/canonical.ts";
import { type JsonItem, JsonItems } from "./json_items.ts";
import type { SourceLocation } from "../../base/text/location.ts";
import type { FixtureFile } from "./fixture_file.ts";
import { type Fixture, type StoredCell, tableFixture } from "./table.ts";

/** Rows times different keys; only items that share no keys come near it. */
const MAX_CELLS = 64_000_000;

/**
 * Reads a JSON list of objects. Items may differ in their keys; a key an item
 * lacks has no value in its row. Numbers, lists and objects arrive as they are
 * written in the file.
 *
 * @throws {InputError} for what is wrong
 */
export function readJsonFixture(
  text: string,
  fixture: FixtureFile,
  maxRows: number,
): Fixture {
  const items = new JsonItems(text, maxRows);
  const error = walkJson(text, items);
  if (error) {
    fixture.fail({
      at: locate(fixture, error.offset),
      code: "bad-json",
      message: describeError(text, error) + found(text, error.offset),
    });
  }
  if (!items.isList) {
    fixture.fail({
      at: locate(fixture, text.search(/\S/)),
      code: "bad-json",
      message: `a JSON fixture must be a list of objects, but it is ${
        described(text)
      }`,
    });
  }
  if (items.count === 0) {
    const at = locate(fixture, text.search(/\S/));
    fixture.refuseEmpty(at, "its list is empty");
  }
  if (items.count > maxRows) {
    fixture.refuseLong(fixture.at(), maxRows, items.count);
  }
  items.list.forEach((item, index) => checkItem(item, index, text, fixture));
  fixture.throwIfAny();
  return toTable(items, fixture);
}

function checkItem(
  { start, end, cells, halfCharacter }: JsonItem,
  index: number,
  text: string,
  fixture: FixtureFile,
): void {
  const report = (code: string, what: string, hint?: string) =>
    fixture.report({
      at: locate(fixture, start),
      code,
      message: `item ${index} ${what}`,
      hint,
    });
  if (fixture.full) return;
  if (!cells) {
    const is = described(text.slice(start, end));
    report("bad-row", `must be an object, but it is ${is}`, COUNT);
  } else if (cells.length === 0) {
    report("bad-row", "must have at least one key, but it is empty", COUNT);
  } else if (halfCharacter) {
    report(
      "lone-surrogate",
      "has half a surrogate pair in a text, which is not a character",
    );
  }
}

const COUNT = "items count from 0";

function toTable(items: JsonItems, fixture: FixtureFile): Fixture {
  const columns = [...items.columns.keys()];
  const { count } = items;
  if (columns.length * count > MAX_CELLS) {
    fixture.fail({
      at: fixture.at(),
      code: "fixture-too-large",
      message:
        `fixture \`${fixture.file}\` must have at most ${MAX_CELLS} cells, but ${count} items with ${columns.length} different keys have more`,
    });
  }
  const cells: StoredCell[] = [];
  for (const item of items.list) {
    for (let at = 0; at < columns.length; at++) cells.push(item.cells![at]);
  }
  return tableFixture(columns, cells);
}

/** What was found instead, if that can be named. */
function found(text: string, offset: number): string {
  const [word] = /^[^\s"]\S*/.exec(text.slice(offset, offset + 20)) ?? [];
  return word === undefined ? "" : `, but found ${JSON.stringify(word)}`;
}

function described(text: string): string {
  const value = JSON.parse(text) as JsonValue;
  const type = jsonType(value);
  if (type === "list") return "a list";
  if (type === "object") return "an object";
  return value === null ? "null" : `the ${type} ${readable(value)}`;
}

function locate(fixture: FixtureFile, offset: number): SourceLocation {
  const before = fixture.text.slice(0, offset);
  const line = before.split("\n").length;
  return fixture.at(line, offset - before.lastIndexOf("\n"));
}
