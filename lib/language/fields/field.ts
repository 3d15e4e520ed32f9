import type { Field, Fields, ObjectValue, Value } from "./value.ts";

/** What a key may have besides its value. */
interface Options<Ir extends string>
  extends Pick<Field, "alias" | "version" | "sinceIr"> {
  readonly ir?: Ir;
}

declare const TYPES: unique symbol;

/** A field with the type it has in the IR, for `ObjectOf`. */
interface Typed<T, Ir extends string, Always extends boolean> extends Field {
  readonly [TYPES]: readonly [type: T, ir: Ir, always: Always];
}

/** A field with several keys in the IR. */
interface Spread<T> extends Field {
  readonly [TYPES]: { readonly spread: T };
}

/** A key that has to be written. */
export function required<T, const Ir extends string = "">(
  value: Value<T>,
  doc: string,
  options: Options<Ir> = {},
): Typed<T, Ir, true> {
  return { ...options, value, doc, required: true } as never;
}

/** A key that may be left out, and is left out of the IR then. */
export function optional<T, const Ir extends string = "">(
  value: Value<T>,
  doc: string,
  options: Options<Ir> = {},
): Typed<T, Ir, false> {
  return { ...options, value, doc, required: false } as never;
}

/**
 * A key that may be left out; the IR has it always.
 *
 * @param fallback as a file says it
 */
export function defaulted<T, const Ir extends string = "">(
  value: Value<T>,
  fallback: string,
  doc: string,
  options: Options<Ir> = {},
): Typed<T, Ir, true> {
  return { ...required(value, doc, options), required: false, fallback };
}

/**
 * A key whose value fills several keys of the IR.
 *
 * @param absent what the IR has when it is not written; has to be when absent
 */
export function spread<T extends object>(
  value: ObjectValue<T>,
  doc: string,
  absent?: T,
): Spread<T> {
  const presence = absent ? { required: false, absent } : { required: true };
  return { ...presence, value, doc, spread: true } as never;
}

/** Keys of the step that are a part of the block. */
export function beside<Table extends Fields>(table: Table): Table {
  return placed(table, "beside");
}

/** Keys that may be in the block or beside it, and not in both. */
export function either<Table extends Fields>(table: Table): Table {
  return placed(table, "either");
}

function placed<Table extends Fields>(
  table: Table,
  written: NonNullable<Field["written"]>,
): Table {
  const fields = Object.entries(table)
    .map(([key, field]) => [key, { ...field, written }]);
  return Object.fromEntries(fields) as Table;
}

type KeyOf<Key, Ir> = Ir extends "" ? Key & string : Ir & string;

type Always<Table> = {
  [
    Key in keyof Table as Table[Key] extends Typed<infer _, infer Ir, true>
      ? KeyOf<Key, Ir>
      : never
  ]: Table[Key] extends Typed<infer T, string, true> ? T : never;
};

type Sometimes<Table> = {
  [
    Key in keyof Table as Table[Key] extends Typed<infer _, infer Ir, false>
      ? KeyOf<Key, Ir>
      : never
  ]?: Table[Key] extends Typed<infer T, string, false> ? T : never;
};

type Spreads<Table> = {
  [Key in keyof Table]: Table[Key] extends Spread<infer T> ? T : never;
}[keyof Table];

/** All members of a union at once. */
type All<Union> = (
  Union extends unknown ? (each: Union) => void : never
) extends (all: infer T) => void ? T : never;

type Flat<T> = { [Key in keyof T]: T[Key] };

/** What a mapping with these fields is in the IR. */
export type ObjectOf<Table> = Flat<
  & Always<Table>
  & Sometimes<Table>
  & ([Spreads<Table>] extends [never] ? unknown : All<Spreads<Table>>)
>;
