import type { JsonValue } from "../../base/values/json.ts";
import { jsonType } from "../../base/values/json.ts";
import { describeError, walkJson } from "../../base/values/json_walk.ts";
import { readable } from "../../model/ir/canonical.ts";
import { type JsonItem, JsonItems } from "./json_items.ts";
import type { Problems } from "./problems.ts";
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
  problems: Problems,
  maxRows: number,
): Fixture {
  const items = new JsonItems(text, maxRows);
  const error = walkJson(text, items);
  if (error) {
    problems.fail(
      place(text, error.offset),
      "bad-json",
      describeError(text, error) + found(text, error.offset),
    );
  }
  if (!items.isList) {
    problems.fail(
      place(text, text.search(/\S/)),
      "bad-json",
      `a JSON fixture must be a list of objects, but it is ${described(text)}`,
    );
  }
  if (items.count === 0) {
    problems.fail(
      place(text, text.search(/\S/)),
      "empty-fixture",
      `fixture \`${problems.file}\` must have at least one row, but its list is empty`,
    );
  }
  if (items.count > maxRows) {
    problems.fail(
      { line: 0 },
      "fixture-too-long",
      `fixture \`${problems.file}\` must have at most ${maxRows} rows, but it has ${items.count}`,
    );
  }
  items.list.forEach((item, index) => checkItem(item, index, text, problems));
  problems.throwIfAny();
  return toTable(items, problems);
}

function checkItem(
  { start, end, cells, halfCharacter }: JsonItem,
  index: number,
  text: string,
  problems: Problems,
): void {
  const report = (code: string, what: string, hint?: string) =>
    problems.add(place(text, start), code, `item ${index} ${what}`, hint);
  if (problems.full) return;
  if (!cells) {
    const is = described(text.slice(start, end));
    report("bad-row", `must be an object, but it is ${is}`, COUNT);
  } else if (cells.length === 0) {
    report("bad-row", "must have at least one key, but it is empty", COUNT);
  } else if (halfCharacter) {
    report(
      "lone-surrogate",
      "has half a surrogate pair in a text, which is no character",
    );
  }
}

const COUNT = "items count from 0";

function toTable(items: JsonItems, problems: Problems): Fixture {
  const columns = [...items.columns.keys()];
  const { count } = items;
  if (columns.length * count > MAX_CELLS) {
    problems.fail(
      { line: 0 },
      "fixture-too-large",
      `fixture \`${problems.file}\` must have at most ${MAX_CELLS} cells, but ${count} items with ${columns.length} different keys have more`,
    );
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

function place(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return {
    line: before.split("\n").length,
    column: offset - before.lastIndexOf("\n"),
  };
}
