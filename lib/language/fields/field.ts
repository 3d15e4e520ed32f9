import type { GenericSchema, ObjectEntries } from "valibot";
import { type Diagnostic, isError } from "../../base/text/diagnostic.ts";
import type { SourceLocation } from "../../base/text/location.ts";
import {
  child,
  type JsonObject,
  type JsonValue,
} from "../../base/values/json.ts";
import type { Assertion } from "../expressions/assertion_ir.ts";
import {
  describe,
  type MapNode,
  type Node,
  type ScalarNode,
} from "../source/node.ts";
import type { Reader } from "../source/reader.ts";

/**
 * The form of a value, as a JSON Schema (2020-12): editors check and complete by
 * it. It checks what can be seen of one value by itself; the rest is the reader's to
 * refuse, and what it refuses the reader refuses too.
 */
export type Form = JsonObject;

/** A part of a value that other rooms ask for. */
export type Part =
  | {
    readonly role: "template";
    readonly pointer: string;
    readonly value: JsonValue;
    /** Its name in the request, where its key does not say that. */
    readonly name?: string;
  }
  /** A template that is where a request goes. */
  | { readonly role: "url"; readonly pointer: string; readonly value: string }
  /** Header fields and query parameters by name; their values are templates as well. */
  | {
    readonly role: "headers" | "query";
    readonly pointer: string;
    readonly value: JsonObject;
  }
  /** A credential; it is a template as well. */
  | {
    readonly role: "secret";
    readonly pointer: string;
    readonly value: string;
    /** It may be an extracted variable. */
    readonly variable: boolean;
  }
  /** Something that only this IR, and later ones, can say. */
  | { readonly role: "since"; readonly pointer: string; readonly ir: 2 }
  | {
    readonly role: "assertion";
    readonly pointer: string;
    readonly value: Assertion;
    /** Its subject can only be a JSON path; the kind of the step checks that. */
    readonly bodyAlone?: true;
  };

/** The inside of a value, for completion and documentation. */
interface Inside {
  /** The keys of a mapping. */
  readonly fields?: Fields;
  /** The items of a list, or the values under the author's own keys. */
  readonly item?: Value<unknown>;
  /** A closed set of words. */
  readonly words?: readonly string[];
}

/**
 * One kind of value, stated once: how a file says it, how the IR says it, and
 * what an editor and a person read about it.
 */
export interface Value<T> {
  /** Reads what a file says; undefined after a report. */
  read(slot: Slot): T | undefined;
  /** The IR, strictly. */
  readonly schema: GenericSchema<unknown, T>;
  readonly form: Form;
  readonly inside?: Inside;
  /** The parts of a value that fits the schema. */
  parts?(value: T, pointer: string): Iterable<Part>;
  /** The value of a text, where it is written as one. */
  parse?(text: string): T;
  /** It is a credential, and never a literal. */
  readonly isSecret?: true;
  /** Nothing in it is the same as not having it. */
  readonly emptyIsAbsent?: true;
}

/** A value that is an object in the IR. */
export interface ObjectValue<T> extends Value<T> {
  /** The schemas of its keys. */
  readonly entries: ObjectEntries;
}

/** One key of a mapping: `required` and its neighbours make them. */
export interface Field {
  readonly value: Value<unknown>;
  /** For a person; short up to the first semicolon. */
  readonly doc: string;
  readonly required: boolean;
  /** Its key in the IR; the same as in a file when absent. */
  readonly ir?: string;
  /** The value is an object whose keys are those of the mapping in the IR. */
  readonly spread?: true;
  /** Of such a value, what the IR has when it is not written. */
  readonly absent?: object;
  /** As a file says it. */
  readonly fallback?: string;
  /** Another word for the key. */
  readonly alias?: string;
  /** The first version of the flow file that has it, 0 when absent; programs have all. */
  readonly version?: 1;
  /** The first IR that can say it; 1 when absent. */
  readonly sinceIr?: 2;
  /** A key of the step: only there, or there and in the block. */
  readonly written?: "beside" | "either";
}

/** The keys of one mapping, in the order they are listed to a person. */
export type Fields = Readonly<Record<string, Field>>;

/** The type of a value in the IR. */
export type ValueOf<Kind> = Kind extends Value<infer T> ? T : never;

/** A diagnostic of a value; of all of it when there is no `at`. */
type Said = Omit<Diagnostic, "at"> & { readonly at?: SourceLocation };

/** One value of a file: what is written, where it goes, and what messages call it. */
export class Slot {
  /**
   * @param pointer JSON Pointer of the value in the IR
   * @param what such as "`interval`"
   */
  constructor(
    readonly node: Node,
    readonly pointer: string,
    readonly what: string,
    readonly reader: Reader,
  ) {}

  /** A part of the value. */
  below(key: string | number, node: Node, what = ""): Slot {
    return new Slot(node, child(this.pointer, key), what, this.reader);
  }

  /** Notes where the value was written, and reads it. */
  read<T>(value: { read(slot: Slot): T }): T {
    this.reader.locate(this.pointer, this.node.at);
    return value.read(this);
  }

  /** Where a part of a scalar was written. */
  inside(part: number | string, length?: number): SourceLocation {
    return this.reader.inside(this.node, part, length);
  }

  report({ at = this.node.at, ...said }: Said): undefined {
    if (isError(said)) this.reader.markWrong(this.pointer);
    this.reader.report({ at, ...said });
  }

  /**
   * Reports what the value must be and what it is, at the place that needs it: what an
   * alias stands for may be right elsewhere.
   *
   * @param expected such as "`vus` must be a whole number"
   */
  refuse(
    code: string,
    expected: string,
    hint?: string,
    is: string = describe(this.node),
  ): undefined {
    const { at, usedAt = at } = this.node;
    const message = `${expected}, but it is ${is}`;
    return this.report({ at: usedAt, code, message, hint });
  }

  /**
   * The same for a value of another type. The first YAML trap is explained:
   * `{{ x }}` without quotes is a mapping to YAML.
   */
  wrongType(expected: string, hint?: string): undefined {
    const template = this.node.kind === "map" && this.node.unquotedTemplate;
    if (!template) return this.refuse("wrong-type", expected, hint);
    return this.report({
      code: "unquoted-template",
      message: `YAML reads an unquoted ${template} as a mapping`,
      hint: `quote this template: "${template}"`,
    });
  }

  /** A mapping; refuses the others, and an unquoted template. */
  map(expected: string, hint?: string): MapNode | undefined {
    const { node } = this;
    return node.kind === "map" && !node.unquotedTemplate
      ? node
      : this.wrongType(expected, hint);
  }

  /** A scalar; refuses lists and mappings. */
  scalar(expected: string, hint?: string): ScalarNode | undefined {
    const { node } = this;
    return node.kind === "scalar" ? node : this.wrongType(expected, hint);
  }
}

/** The options of a key, besides its value. */
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

/** The type of a mapping with these fields in the IR. */
export type ObjectOf<Table> = Flat<
  & Always<Table>
  & Sometimes<Table>
  & ([Spreads<Table>] extends [never] ? unknown : All<Spreads<Table>>)
>;
