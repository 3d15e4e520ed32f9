import type { GenericSchema, ObjectEntries } from "valibot";
import type { JsonObject, JsonValue } from "../../base/values/json.ts";
import type { Assertion } from "../expressions/assertion_ir.ts";
import type { Slot } from "./slot.ts";

/**
 * What a value may be, as a JSON Schema (2020-12): editors check and complete by
 * it. It checks what can be seen of one value by itself; the rest is the reader's to
 * refuse, and what it refuses the reader refuses too.
 */
export type Form = JsonObject;

/** What the program has to know of a part of a value. */
export type Part =
  | {
    readonly role: "template";
    readonly pointer: string;
    readonly value: JsonValue;
    /** What the request calls it, where its key does not say that. */
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
  };

/** What completion and documentation find inside a value. */
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

/** What a value is in the IR. */
export type ValueOf<Kind> = Kind extends Value<infer T> ? T : never;
