import * as v from "valibot";
import { beside, type ObjectOf } from "./field.ts";
import { type Mapping, mapping } from "./mapping.ts";
import { readFields } from "./read_fields.ts";
import type { Fields, ObjectValue, Value } from "./value.ts";

/** The action itself, among the fields of its block. */
const ACTION = "";

/**
 * A block that is written as one value, with keys of the step beside it.
 *
 * @param action the value under the action key
 */
export function inline<
  Action extends object,
  const Table extends Fields = Record<never, never>,
>(
  action: ObjectValue<Action>,
  table?: Table,
): Mapping<Action & ObjectOf<Table>> {
  const fields: Fields = {
    [ACTION]: { value: action, doc: "", required: true, spread: true },
    ...(table && beside(table)),
  };
  return {
    ...mapping(fields) as Mapping<never>,
    form: action.form,
    inside: action.inside ?? {},
    read: (slot) => action.read(slot) as never,
    readBlock(slot, step) {
      const { node, what } = slot;
      const own = { key: what.slice(1, -1), keyAt: node.at, value: node };
      const find = (each: string) => each === ACTION ? own : step?.find?.(each);
      return readFields(fields, find, slot).value as never;
    },
  };
}

/** An object whose one key is filled by `value`. */
export function under<const Key extends string, T>(
  key: Key,
  value: Value<T>,
): ObjectValue<Record<Key, T>> {
  const entries = { [key]: value.schema };
  return {
    entries,
    schema: v.strictObject(entries) as never,
    form: value.form,
    read(slot) {
      const read = value.read(slot.below(key, slot.node, slot.what));
      if (read !== undefined) return { [key]: read } as Record<Key, T>;
    },
  };
}
