import { readable } from "../../base/values/canonical.ts";
import { jsonType, type JsonValue } from "../../base/values/json.ts";
import {
  describeError,
  type JsonVisitor,
  walkJson,
} from "../../base/values/json_walk.ts";
import type { FixtureFile } from "./fixture_file.ts";
import { type Fixture, type StoredCell, tableFixture } from "./table.ts";

/** One item of the outermost list. */
interface JsonItem {
  readonly start: number;
  /** Exclusive. */
  end: number;
  /** By column; absent when the item is not an object. */
  readonly cells?: StoredCell[];
  /** A text or key in it has half a surrogate pair. */
  halfCharacter: boolean;
  /** Where a key is that it has already, with its quotes. */
  again?: readonly [start: number, end: number];
}

/**
 * Collects the items of a JSON list while its text is walked over, their values
 * as they are written.
 */
class JsonItems implements JsonVisitor {
  readonly list: JsonItem[] = [];
  /** Index of each column, in the order they first turn up. */
  readonly columns: Map<string, number> = new Map();
  isList = false;
  /** All items, those beyond the limit too. */
  count = 0;
  #depth = 0;
  #item: JsonItem | undefined;
  #column = 0;
  /** Where a nested list or object of the item begins. */
  #nested = 0;

  /** @param limit items beyond it are counted and not kept */
  constructor(readonly text: string, readonly limit: number) {}

  open(kind: "[" | "{", offset: number): void {
    this.#depth++;
    if (this.#depth === 1) this.isList = kind === "[";
    else if (this.#depth === 2) this.#begin(offset, kind === "{");
    else if (this.#depth === 3) this.#nested = offset;
  }

  close(end: number): void {
    this.#depth--;
    if (this.#depth === 1 && this.#item) this.#item.end = end;
    if (this.#depth === 2) {
      this.#put({ text: this.text.slice(this.#nested, end), nested: true });
    }
  }

  key(start: number, end: number): void {
    const name = this.#string(start, end);
    if (this.#depth !== 2 || !this.isList) return;
    this.#column = this.columns.get(name) ?? this.columns.size;
    this.columns.set(name, this.#column);
    const item = this.#item!;
    if (item.cells?.[this.#column] !== undefined) item.again ??= [start, end];
  }

  scalar(start: number, end: number): void {
    if (this.#depth === 1) {
      this.#begin(start, false);
      this.#item!.end = end;
      return;
    }
    const { text } = this;
    // Of a nested value only its strings are looked at.
    const isString = text[start] === '"';
    if (this.#depth > 2 && !isString) return;
    const value = isString
      ? this.#string(start, end)
      : text[start] === "n"
      ? ""
      : text.slice(start, end);
    if (this.#depth === 2) this.#put(value);
  }

  #begin(start: number, isObject: boolean): void {
    this.count++;
    const item = { start, end: start, halfCharacter: false };
    this.#item = isObject ? { ...item, cells: [] } : item;
    if (this.isList && this.count <= this.limit) this.list.push(this.#item);
  }

  #put(value: StoredCell): void {
    const cells = this.#item?.cells;
    if (cells) cells[this.#column] = value;
  }

  #string(start: number, end: number): string {
    const value = JSON.parse(this.text.slice(start, end)) as string;
    if (this.#item && !value.isWellFormed()) this.#item.halfCharacter = true;
    return value;
  }
}

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
      at: fixture.atOffset(error.offset),
      code: "bad-json",
      message: describeError(text, error) + found(text, error.offset),
      hint: text[error.offset] === "{" &&
          error.expected === "the end of the file"
        ? "put the objects into one list: [ and ] around them, commas between"
        : undefined,
    });
  }
  if (!items.isList) {
    fixture.fail({
      at: fixture.atOffset(text.search(/\S/)),
      code: "bad-json",
      message: `a JSON fixture must be a list of objects, but it is ${
        described(text)
      }`,
      hint: "make the list the whole file: [ { ... }, { ... } ]",
    });
  }
  if (items.count === 0) {
    const at = fixture.atOffset(text.search(/\S/));
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
  { start, end, cells, halfCharacter, again }: JsonItem,
  index: number,
  text: string,
  fixture: FixtureFile,
): void {
  const report = (code: string, what: string, hint?: string) =>
    fixture.report({
      at: fixture.atOffset(start),
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
  } else if (again) {
    const [from, to] = again;
    fixture.report({
      at: fixture.atOffset(from, to - from),
      code: "duplicate-key",
      message: `duplicate key ${text.slice(from, to)}`,
    });
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

/** The word that was found instead, if there is one. */
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
