import * as v from "valibot";
import type { JsonObject } from "../../base/values/json.ts";
import type { Entry } from "../source/node.ts";
import { type Find, type Foreign, isNothing, readEntries } from "./entries.ts";
import type { ObjectOf } from "./field.ts";
import type { Place } from "../expressions/elsewhere.ts";
import { formOf } from "./form.ts";
import { entriesOf, partsOf, readFields, withoutEmpty } from "./read_fields.ts";
import type { Slot } from "./slot.ts";
import type { Field, Fields, ObjectValue } from "./value.ts";

/** What must hold of a mapping as a whole. */
export interface Rule {
  /** To an editor. */
  readonly form: JsonObject;
  /** Reports what does not hold. */
  check(find: Find, slot: Slot): void;
  /** The IR; why an object is refused. */
  readonly ir?: {
    readonly message: string;
    holds(value: JsonObject): boolean;
  };
}

export interface MappingOptions {
  readonly rules?: readonly Rule[];
  readonly foreign?: Foreign;
  /** Where words of other tools are looked for. */
  readonly places?: readonly Place[];
  /** What a file may say instead of an empty mapping: nothing. */
  readonly bare?: true;
  /** A way out for what is no mapping; its keys when absent. */
  readonly hint?: string;
  /** An empty one is something else than none. */
  readonly keepsEmpty?: true;
}

/** A step around a block. */
interface Beside {
  /** The keys of the step that are a part of the block. */
  readonly find?: Find;
  /** Looks at keys that belong to the step, and not to the block. */
  readonly foreign?: Foreign;
}

/** A mapping with these keys and no others. */
export interface Mapping<T> extends ObjectValue<T> {
  readonly fields: Fields;
  /**
   * Reads it as far as it can be read, as a whole file or as the block of a
   * step: what was reported is left out, so that the rest is checked all the same.
   */
  readBlock(slot: Slot, step?: Beside): T | undefined;
}

/** A mapping with the keys of `fields`. */
export function mapping<const Table extends Fields>(
  fields: Table,
  options: MappingOptions = {},
): Mapping<ObjectOf<Table>> {
  type T = ObjectOf<Table>;
  const entries = entriesOf(fields);
  const inside = Object.fromEntries(
    Object.entries(fields).filter(([, { written }]) => written !== "beside"),
  );
  const { rules = [], places, hint } = options;
  const readParts = (
    slot: Slot,
    { find: beside = () => undefined, foreign = options.foreign }: Beside = {},
  ) => {
    if (options.bare && isNothing(slot.node)) {
      return { value: {}, isComplete: true };
    }
    const own = readEntries(slot, inside, { foreign, places, hint });
    if (!own) return;
    for (const { check } of rules) check(own.get, slot);
    const find = (key: string, { written }: Field) => {
      if (written === "beside") return beside(key);
      return written === "either"
        ? oneOfTwo(own.get(key), beside(key), slot)
        : own.get(key);
    };
    const { value, isComplete } = readFields(fields, find, slot);
    // What a rule of the IR refuses was reported in words of the file.
    const holds = rules.every(({ ir }) => ir?.holds(value) ?? true);
    return { value, isComplete: isComplete && holds };
  };
  const form = formOf(inside, rules.map((rule) => rule.form));
  return {
    fields,
    entries,
    schema: v.pipe(
      ruled(v.strictObject(entries), rules),
      v.transform((value) => withoutEmpty(fields, value as JsonObject)),
    ) as never,
    form: options.bare ? { anyOf: [{ type: "null" }, form] } : form,
    inside: { fields: inside },
    ...(!options.keepsEmpty && { emptyIsAbsent: true }),
    parts: (value, pointer) => partsOf(fields, value as JsonObject, pointer),
    read(slot) {
      const read = readParts(slot);
      return read?.isComplete ? read.value as T : undefined;
    },
    readBlock: (slot, step) => readParts(slot, step)?.value as T | undefined,
  };
}

/** What a file says beside a block is written there or in the block, not in both. */
function oneOfTwo(
  inside: Entry | undefined,
  outside: Entry | undefined,
  slot: Slot,
): Entry | undefined {
  if (inside && outside) {
    slot.report({
      at: outside.keyAt,
      code: "key-twice",
      message:
        `\`${outside.key}\` is declared twice: in the ${slot.what} block and beside it`,
      hint: "keep one of the two",
    });
  }
  return inside ?? outside;
}

function ruled(
  schema: v.GenericSchema<unknown, unknown>,
  rules: readonly Rule[],
): v.GenericSchema<unknown, unknown> {
  return rules.reduce((inner, { ir }) => {
    if (!ir) return inner;
    const holds = (value: unknown) => ir.holds(value as JsonObject);
    return v.pipe(inner, v.check(holds, ir.message));
  }, schema);
}
