import type { JsonVisitor } from "../../base/values/json_walk.ts";
import type { StoredCell } from "./table.ts";

/** One item of the outermost list. */
export interface JsonItem {
  readonly start: number;
  /** Exclusive. */
  end: number;
  /** By column; absent when the item is not an object. */
  readonly cells?: StoredCell[];
  /** A text or key in it has half a surrogate pair. */
  halfCharacter: boolean;
}

/**
 * Collects the items of a JSON list while its text is walked over, their values
 * as they are written.
 */
export class JsonItems implements JsonVisitor {
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
