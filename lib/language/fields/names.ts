import * as v from "valibot";
import { child } from "../../base/values/pointer.ts";
import type { Entry } from "../source/node.ts";
import type { Reader } from "../source/reader.ts";
import { wrongType } from "./refuse.ts";
import type { Form, Part, Value } from "./value.ts";

interface NamesOptions<T> {
  /** A value in words, such as "header `X`". */
  what(key: string): string;
  /** A whole entry, for a hint. */
  readonly example?: string;
  /** The IR of a key; any text when absent. */
  readonly key?: v.GenericSchema<string, string>;
  /** A key to an editor. */
  readonly keyForm?: Form;
  /** Whether a key may be one; reports when it may not. */
  checkKey?(entry: Entry, reader: Reader): boolean;
  /** The mapping itself, as a part of its block. */
  readonly role?: "headers" | "query";
  /** A diagnostic of a value is about its key. */
  readonly atKey?: true;
  /** Stands for a value that cannot be read, so that its name is known. */
  readonly instead?: T;
}

/** A mapping whose keys are the author's own. */
export function names<T>(
  item: Value<T>,
  options: NamesOptions<T>,
): Value<Record<string, T>> {
  const { role, keyForm, key = v.string() } = options;
  return {
    schema: v.record(key, item.schema),
    form: {
      type: "object",
      additionalProperties: item.form,
      ...(keyForm && { propertyNames: keyForm }),
    },
    inside: { item },
    emptyIsAbsent: true,
    *parts(values: Record<string, T>, pointer: string): Iterable<Part> {
      if (role) yield { role, pointer, value: values as never };
      for (const [name, value] of Object.entries(values)) {
        yield* item.parts?.(value, child(pointer, name)) ?? [];
      }
    },
    read(node, slot, reader) {
      if (node.kind !== "map" || node.unquotedTemplate) {
        const expected = `${slot.what} must be a mapping of names to values`;
        const { example } = options;
        return wrongType(node, expected, reader, example && `write ${example}`);
      }
      const read = node.entries.flatMap((entry): [string, T][] => {
        const { key, keyAt, value } = entry;
        const pointer = child(slot.pointer, key);
        reader.locate(pointer, options.atKey ? keyAt : value.at);
        const inner = { pointer, what: options.what(key) };
        const found = item.read(value, inner, reader) ?? options.instead;
        const allowed = options.checkKey?.(entry, reader) ?? true;
        return allowed && found !== undefined ? [[key, found]] : [];
      });
      // fromEntries defines `__proto__` as a key like any other.
      return Object.fromEntries(read);
    },
  };
}
