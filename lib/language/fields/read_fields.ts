import * as v from "valibot";
import {
  child,
  type JsonObject,
  type JsonValue,
} from "../../base/values/json.ts";
import type { Entry } from "../source/node.ts";
import {
  type Field,
  type Fields,
  type ObjectValue,
  type Part,
  Slot,
} from "./field.ts";

/** The schemas of the fields in the IR. */
export function entriesOf(fields: Fields): v.ObjectEntries {
  const all: v.ObjectEntries = {};
  for (const [key, field] of Object.entries(fields)) {
    const { value, spread, fallback, ir = key } = field;
    if (spread) Object.assign(all, (value as ObjectValue<unknown>).entries);
    else {
      const always = field.required || fallback !== undefined;
      Object.assign(all, {
        [ir]: always ? value.schema : v.exactOptional(value.schema),
      });
    }
  }
  return all;
}

/** The parts of an object by its fields. */
export function* partsOf(
  fields: Fields,
  object: JsonObject,
  pointer: string,
): Iterable<Part> {
  for (
    const [key, { value, spread, sinceIr, ir = key }] of Object.entries(fields)
  ) {
    if (spread) {
      const { entries } = value as ObjectValue<unknown>;
      const isRead = Object.keys(entries).every((each) => each in object);
      if (isRead) yield* value.parts?.(object, pointer) ?? [];
    } else if (object[ir] !== undefined) {
      const at = child(pointer, ir);
      if (sinceIr) yield { role: "since", pointer: at, ir: sinceIr };
      yield* value.parts?.(object[ir], at) ?? [];
    }
  }
}

/**
 * Reads each field that is written. What cannot be read is left out; the object
 * is complete when no required field is.
 */
export function readFields(
  fields: Fields,
  find: (key: string, field: Field) => Entry | undefined,
  slot: Slot,
): { readonly value: JsonObject; readonly isComplete: boolean } {
  const object: Record<string, JsonValue> = {};
  let isComplete = true;
  for (const [key, field] of Object.entries(fields)) {
    const { value, fallback, ir = key } = field;
    const entry = find(key, field);
    const read = entry && readField(field, entry, ir, slot);
    if (read === undefined) {
      if (field.required) isComplete = false;
      if (field.required || entry) markWrong(field, ir, slot);
      else if (!entry) Object.assign(object, field.absent);
      if (fallback !== undefined) {
        object[ir] = (value.parse?.(fallback) ?? fallback) as JsonValue;
      }
    } else if (field.spread) Object.assign(object, read);
    else if (field.required || !value.emptyIsAbsent || !isEmpty(read)) {
      object[ir] = read as JsonValue;
    }
  }
  return { value: object, isComplete };
}

/** A value that fills several keys is read where its mapping is. */
function markWrong({ value, spread }: Field, ir: string, slot: Slot): void {
  const keys = spread
    ? Object.keys((value as ObjectValue<unknown>).entries)
    : [ir];
  for (const key of keys) slot.reader.markWrong(child(slot.pointer, key));
}

function readField(
  { value, spread }: Field,
  { key, value: node }: Entry,
  ir: string,
  slot: Slot,
): unknown {
  const what = `\`${key}\``;
  if (!spread) return slot.below(ir, node, what).read(value);
  const { pointer, reader } = slot;
  // One text that fills several keys is where each of them is written.
  if (node.kind === "scalar") {
    for (const each of Object.keys((value as ObjectValue<unknown>).entries)) {
      reader.locate(child(pointer, each), node.at);
    }
  }
  return value.read(new Slot(node, pointer, what, reader));
}

/** An object of the IR without the keys that say no more than their absence. */
export function withoutEmpty(fields: Fields, object: JsonObject): JsonObject {
  const empty = Object.entries(fields).flatMap(([key, field]) => {
    const { value, required, spread, ir = key } = field;
    const says = required || spread || !value.emptyIsAbsent ||
      !isEmpty(object[ir]);
    return says ? [] : [ir];
  });
  if (empty.length === 0) return object;
  const left = Object.entries(object).filter(([key]) => !empty.includes(key));
  return Object.fromEntries(left);
}

function isEmpty(value: unknown): boolean {
  return value === "" || typeof value === "object" && value !== null &&
      Object.keys(value).length === 0;
}
