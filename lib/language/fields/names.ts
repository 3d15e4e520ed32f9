import * as v from "valibot";
import { child } from "../../base/values/pointer.ts";
import type { ScalarNode } from "../source/node.ts";
import type { Part, Value } from "./value.ts";

interface NamesOptions<T> {
  /** A value in words, such as "header `X`". */
  what(key: string): string;
  /** A whole entry, for a hint. */
  readonly example?: string;
  /** What a key may be; any text when absent. */
  readonly key?: Value<string>;
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
  const { role, key: keys } = options;
  const key = keys?.schema as v.GenericSchema<string, string> | undefined;
  return {
    schema: v.record(key ?? v.string(), item.schema),
    form: {
      type: "object",
      additionalProperties: item.form,
      ...(keys && { propertyNames: keys.form }),
    },
    inside: { item },
    emptyIsAbsent: true,
    *parts(values: Record<string, T>, pointer: string): Iterable<Part> {
      if (role) yield { role, pointer, value: values as never };
      for (const [name, value] of Object.entries(values)) {
        yield* item.parts?.(value, child(pointer, name)) ?? [];
      }
    },
    read(slot) {
      const { example } = options;
      const expected = `${slot.what} must be a mapping of names to values`;
      const node = slot.map(expected, example && `write ${example}`);
      if (!node) return;
      const read = node.entries.flatMap(({ key, keyAt, value }) => {
        const inner = slot.below(key, value, options.what(key));
        slot.reader.locate(inner.pointer, options.atKey ? keyAt : value.at);
        const found = item.read(inner) ?? options.instead;
        const name = slot.below(key, written(key, keyAt));
        return (!keys || keys.read(name) !== undefined) && found !== undefined
          ? [[key, found] as const]
          : [];
      });
      // fromEntries defines `__proto__` as a key like any other.
      return Object.fromEntries(read);
    },
  };
}

/** A key as a value. */
function written(key: string, at: ScalarNode["at"]): ScalarNode {
  return { kind: "scalar", value: key, text: key, plain: false, at };
}
