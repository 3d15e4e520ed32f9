import type { Cell } from "../../language/expressions/names.ts";
import { canonical, readable } from "../../model/ir/canonical.ts";
import {
  isObject,
  type JsonObject,
  jsonType,
  type JsonValue,
} from "../../base/values/json.ts";
import { outlineJson } from "./json_syntax.ts";
import type { Problems } from "./problems.ts";
import { type Fixture, type StoredCell, tableFixture } from "./table.ts";

/** Rows times different keys; only items that share no keys come near it. */
const MAX_CELLS = 64_000_000;

/**
 * Reads a JSON list of objects. Items may differ in their keys; a key an item
 * lacks has no value in its row.
 *
 * @throws {InputError} for what is wrong
 */
export function readJson(
  text: string,
  problems: Problems,
  maxRows: number,
): Fixture {
  const value = parse(text, problems);
  if (!Array.isArray(value)) {
    problems.fail(
      place(text, text.search(/\S/)),
      "bad-json",
      `a JSON fixture must be a list of objects, but it is ${described(value)}`,
    );
  }
  const items = value as readonly JsonValue[];
  if (items.length === 0) {
    problems.fail(
      place(text, text.search(/\S/)),
      "empty-fixture",
      `fixture \`${problems.file}\` must have at least one row, but its list is empty`,
    );
  }
  if (items.length > maxRows) {
    problems.fail(
      { line: 0 },
      "fixture-too-long",
      `fixture \`${problems.file}\` must have at most ${maxRows} rows, but it has ${items.length}`,
    );
  }
  checkItems(items, text, problems);
  problems.throwIfAny();
  return toTable(items as readonly JsonObject[], problems);
}

function parse(text: string, problems: Problems): JsonValue {
  try {
    return JSON.parse(text);
  } catch (error) {
    const { mistake } = outlineJson(text);
    const message = mistake
      ? `not JSON: expected ${mistake.expected}, but found ${
        found(text, mistake.offset)
      }`
      : `not JSON: ${(error as Error).message}`;
    return problems.fail(
      mistake ? place(text, mistake.offset) : { line: 1 },
      "bad-json",
      message,
    );
  }
}

function checkItems(
  items: readonly JsonValue[],
  text: string,
  problems: Problems,
): void {
  let offsets: readonly number[] | undefined;
  const at = (index: number) =>
    place(text, (offsets ??= outlineJson(text).items)[index] ?? 0);
  items.forEach((item, index) => {
    if (problems.full) return;
    if (!isObject(item)) {
      problems.add(
        at(index),
        "bad-row",
        `item ${index} must be an object, but it is ${described(item)}`,
        "items count from 0",
      );
    } else if (Object.keys(item).length === 0) {
      problems.add(
        at(index),
        "bad-row",
        `item ${index} must have at least one key, but it is empty`,
        "items count from 0",
      );
    } else {
      const unsayable = findUnsayable(item);
      if (!unsayable) return;
      const { code, what, hint } = unsayable;
      problems.add(at(index), code, `item ${index} has ${what}`, hint);
    }
  });
}

function toTable(
  items: readonly JsonObject[],
  problems: Problems,
): Fixture {
  const names = new Set<string>();
  for (const item of items) for (const key of Object.keys(item)) names.add(key);
  if (names.size * items.length > MAX_CELLS) {
    problems.fail(
      { line: 0 },
      "fixture-too-large",
      `fixture \`${problems.file}\` must have at most ${MAX_CELLS} cells, but ${items.length} items with ${names.size} different keys have more`,
    );
  }
  const columns = [...names];
  const cells: StoredCell[] = [];
  for (const item of items) {
    for (const column of columns) {
      cells.push(
        Object.hasOwn(item, column) ? toCell(item[column]!) : undefined,
      );
    }
  }
  return tableFixture(columns, cells);
}

function toCell(value: JsonValue): string | Cell {
  if (typeof value === "string") return value;
  if (value === null) return "";
  const text = canonical(value);
  return typeof value === "object" ? { text, json: value } : text;
}

interface Unsayable {
  readonly code: string;
  readonly what: string;
  readonly hint?: string;
}

const HALF_A_CHARACTER: Unsayable = {
  code: "lone-surrogate",
  what: "half a surrogate pair in a text, which is no character",
};

/** What JSON.parse read and no request could say again, or only with other digits. */
function findUnsayable(value: JsonValue): Unsayable | undefined {
  if (typeof value === "number") return inexact(value);
  if (typeof value === "string") {
    return value.isWellFormed() ? undefined : HALF_A_CHARACTER;
  }
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, inner] of Object.entries(value)) {
    const found = key.isWellFormed() ? findUnsayable(inner) : HALF_A_CHARACTER;
    if (found) return found;
  }
}

function inexact(value: number): Unsayable | undefined {
  if (Number.isFinite(value)) {
    if (!Number.isInteger(value) || Number.isSafeInteger(value)) return;
    return {
      code: "number-too-large",
      what:
        `a whole number beyond 2^53, which loses digits: it would be sent as ${value}`,
      hint: "write it as a string",
    };
  }
  return {
    code: "number-too-large",
    what: "a number too large for JSON",
    hint: "write it as a string",
  };
}

function described(value: JsonValue): string {
  const type = jsonType(value);
  if (type === "list") return "a list";
  if (type === "object") return "an object";
  return value === null ? "null" : `the ${type} ${readable(value)}`;
}

function found(text: string, offset: number): string {
  if (offset >= text.length) return "the end of the file";
  return JSON.stringify(
    /^\S+/.exec(text.slice(offset, offset + 20))?.[0] ?? "",
  );
}

function place(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return {
    line: before.split("\n").length,
    column: offset - before.lastIndexOf("\n"),
  };
}
