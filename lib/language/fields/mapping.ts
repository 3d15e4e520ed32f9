import * as v from "valibot";
import { didYouMean } from "../../base/text/suggest.ts";
import { child, type JsonObject } from "../../base/values/json.ts";
import { noList } from "../../base/values/record_schema.ts";
import { elsewhere, offeredBy, type Place } from "../expressions/elsewhere.ts";
import type { Entry, MapNode, Node } from "../source/node.ts";
import {
  beside,
  type Field,
  type Fields,
  type ObjectOf,
  type ObjectValue,
  type Slot,
  type Value,
} from "./field.ts";
import { formOf, gist, keysOf } from "./form.ts";
import { entriesOf, partsOf, readFields, withoutEmpty } from "./read_fields.ts";

/** Finds what is written under a key. */
export type Find = (key: string) => Entry | undefined;

/**
 * Looks at a key that is not in the table; true when it was reported with
 * better words than "unknown key".
 */
type Foreign = (entry: Entry, slot: Slot) => boolean;

/** A key with nothing behind its colon. */
export function isNothing(node: Node): boolean {
  return node.kind === "scalar" && node.value === null;
}

/**
 * Reads a mapping with the keys of `fields`. Unknown and missing keys are
 * reported and reading continues, so that one pass finds every error.
 *
 * @returns undefined when it is no mapping at all
 */
export function readEntries(
  slot: Slot,
  fields: Fields,
  { foreign = () => false, places = [], hint }: {
    readonly foreign?: Foreign | undefined;
    /** Where words of other tools are looked for. */
    readonly places?: readonly Place[] | undefined;
    /** A way out for what is no mapping; its keys when absent. */
    readonly hint?: string | undefined;
  } = {},
):
  | {
    readonly node: MapNode;
    readonly get: Find;
    /** As `get`, with keys that other words stand for. */
    readonly meant: Find;
  }
  | undefined {
  const { what, reader } = slot;
  const table = Object.entries(fields)
    .filter(([, { version = 0 }]) => version <= reader.version);
  const keys = table.flatMap(([key, field]) => keysOf(key, field));
  const way = hint ?? `keys: ${keys.join(", ")}`;
  const node = slot.map(`${what} must be a mapping`, way);
  if (!node) return;
  const found = new Map<string, Entry>();
  // A misspelt key is one error: what it was meant to be is not missing too.
  const meant = new Map<string | undefined, Entry>();
  for (const entry of node.entries) {
    if (keys.includes(entry.key)) found.set(entry.key, entry);
    else if (isLater(entry, fields)) {
      reportLaterKey(entry, slot);
      // What is wrong in it is said as well: the way out is to take that version.
      found.set(entry.key, entry);
    } else if (!foreign(entry, slot)) {
      meant.set(reportUnknownKey(entry, keys, places, slot), entry);
    }
  }
  reportMissing(table, found, meant, slot);
  const get: Find = (key) => found.get(key);
  return { node, get, meant: (key) => get(key) ?? meant.get(key) };
}

/** Reports the keys that are missing, or there under two names; notes what each is. */
function reportMissing(
  table: readonly (readonly [string, Field])[],
  found: Map<string, Entry>,
  meant: ReadonlyMap<string | undefined, Entry>,
  slot: Slot,
): void {
  const { what, reader } = slot;
  for (const [key, field] of table) {
    const words = keysOf(key, field);
    const [first, second] = words.filter((word) => found.has(word));
    if (first && second) {
      slot.report({
        at: found.get(second)!.keyAt,
        code: `${first}-and-${second}`,
        message:
          `\`${first}\` and \`${second}\` mean the same, so only one of them can be written`,
        hint: "remove one of them",
      });
    }
    if (first) found.set(key, found.get(first)!);
    else if (words.some((word) => meant.has(word))) {
      reader.markWrong(child(slot.pointer, field.ir ?? key));
    } else if (field.required) {
      const names = words.map((word) => `\`${word}\``).join(" or ");
      const hint = `\`${key}\`: ${gist(field.doc)}`;
      slot.report({
        code: "missing-key",
        message: `${what} needs ${names}`,
        hint,
      });
    }
  }
}

/** The way out of a version 0 file for what only version 1 can say. */
export function versionHint(what: string): string {
  return `${what} belongs to version 1: add \`version: 1\``;
}

/** Whether a later version has the key, and for such a value. */
function isLater({ key, value }: Entry, fields: Fields): boolean {
  if (!Object.hasOwn(fields, key)) return false;
  return value.kind === "scalar" ||
    fields[key]!.value.form["enum"] === undefined;
}

/** Reports a key that a later version of the flow file has. */
function reportLaterKey({ key, keyAt }: Entry, slot: Slot): void {
  slot.reader.markWrong(child(slot.pointer, key));
  slot.report({
    at: keyAt,
    code: "later-version",
    message: `unknown key \`${key}\` in ${slot.what}`,
    hint: versionHint(`\`${key}\``),
  });
}

/** Reports a key that a mapping does not have; returns the one it likely means. */
function reportUnknownKey(
  { key, keyAt }: Entry,
  keys: readonly string[],
  places: readonly Place[],
  slot: Slot,
): string | undefined {
  const hint = places.map((place) => elsewhere(place, key))
    .find((each) => each && keys.includes(offeredBy(each) ?? keys[0]!)) ??
    didYouMean(key, keys);
  slot.report({
    at: keyAt,
    code: "unknown-key",
    message: `unknown key \`${key}\` in ${slot.what}`,
    hint: oddSpace(key) ?? hint ?? `allowed here: ${keys.join(", ")}`,
  });
  return offeredBy(hint);
}

/** The way out for a line that an editor or a web page has indented. */
function oddSpace(key: string): string | undefined {
  const [space] = /^[^\S \t]/.exec(key) ?? [];
  if (space === undefined) return;
  const code = space.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  return `U+${code} is not a space to YAML: indent with spaces`;
}

/** A rule of a mapping as a whole. */
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
  /** A file may have nothing in place of an empty mapping. */
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
    for (const { check } of rules) check(own.meant, slot);
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
      ruled(noList(v.strictObject(entries)), rules),
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

/** The entry that is written in a block or beside it, and not in both. */
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
    ...(value.inside && { inside: value.inside }),
    parts: (object, pointer) =>
      value.parts?.(object[key], child(pointer, key)) ?? [],
    read(slot) {
      const read = value.read(slot.below(key, slot.node, slot.what));
      if (read !== undefined) return { [key]: read } as Record<Key, T>;
    },
  };
}
