import * as v from "valibot";
import type {
  Diagnostic,
  IrLocation,
  Report,
} from "../../base/text/diagnostic.ts";
import type { NamedFileLocation } from "../../base/text/location.ts";
import type { JsonObject, JsonValue } from "../../base/values/json.ts";
import type { StatusNames } from "../expressions/assertion.ts";
import { type Field, type Fields, required } from "../fields/field.ts";
import {
  type Mapping,
  mapping,
  type MappingOptions,
} from "../fields/mapping.ts";
import type { Step } from "./step_form.ts";

/** The step keys that mean the same for every kind that takes them. */
export const STEP_KEYS = [
  "extract",
  "assert",
  "retry",
  "throttle",
  "auth",
  "timeout",
] as const;
type StepKey = (typeof STEP_KEYS)[number];

/** The parts of a response that assertions and extractions may read. */
interface Evidences {
  readonly status: boolean;
  readonly headers: boolean;
  readonly body: boolean;
  /** The way out where an assertion looks at another part. */
  readonly hint?: string;
}

/** Files that a block names. */
export interface BlockFiles {
  /** Paths in the flow are relative to it. */
  readonly directory: string;
  /** See `readInput`. @throws as it does */
  readBytes(path: string, most: number): Uint8Array;
}

/** A diagnostic of preparing a block: at a part of the block, or of such a file. */
export type BlockDiagnostic = Diagnostic<IrLocation | NamedFileLocation>;

/** A check of a step on its response's body: an extraction, or an assertion with its value. */
export interface BodyCheck {
  /** JSON path. */
  readonly path: string;
  readonly op?: string;
  /** Strings may be templates. */
  readonly value?: JsonValue;
}

/** The error in such a check: in its path, or in the value that is compared. */
export interface BodyProblem extends Omit<Diagnostic, "at" | "severity"> {
  readonly of: "path" | "value";
}

/**
 * Whether a key of a block, or its absence, is as it was meant: not misspelt, nor wrong.
 * `message/id` is a part of `message`.
 */
export type IsSoundKey = (key: string) => boolean;

/** One step of a kind, for the rules across steps. */
export interface KindStep<Block> {
  readonly step: Step;
  /** As far as it could be read. */
  readonly block: Partial<Block>;
  /** JSON Pointer of the step. */
  readonly pointer: string;
  readonly isSound: IsSoundKey;
}

/** A name in a block that steps of its kind share: who opens it, and who joins. */
interface SharedKey {
  readonly key: string;
  /** Keys with which a step makes the name; with none of them it joins. */
  readonly madeBy: readonly string[];
}

/** The values that an editor suggests, where the text alone does not say them. */
export interface Suggestions {
  /** Whole values. */
  readonly words?: readonly string[];
  /** Files below the flow file's folder that end in one of these. */
  readonly files?: readonly string[];
  /** Folders below it. */
  readonly folders?: true;
  /** Keys of a mapping there, with JSON Schemas of their values. */
  readonly keys?: Readonly<Record<string, JsonObject>>;
  /** Subjects of an assertion there, where not all of them fit. */
  readonly subjects?: readonly string[];
}

/**
 * An action kind, as the language knows it. The rest of the program sees
 * its block as plain JSON: only the folder of the kind gives it a type.
 */
export interface Kind<Block extends JsonObject = JsonObject> {
  /** The action key. */
  readonly kind: string;
  /** One line for a person, shown by editors. */
  readonly doc: string;
  /** The block, and the keys of the step that are a part of it. */
  readonly block: Mapping<Block>;
  readonly keys: readonly StepKey[];
  /** The replacement of a step key that it does not take. */
  readonly instead?: Readonly<Record<string, string>>;
  /** Makes requests, so that it takes auth and gives latency samples. */
  readonly requests: boolean;
  /** Its request has no query that could carry a credential. */
  readonly noQuery?: true;
  /**
   * Every status a response can have, by the name assertions may use for it; any
   * whole number and no name when absent.
   */
  readonly statusNames?: StatusNames;
  /** Whether this step sends a request of its own; `requests` when absent. */
  sends?(block: Block): boolean;
  /** Requests that one step makes at the most, without retries; 1 when absent. */
  maxAttempts?(block: Block): number;
  /**
   * How long the block itself makes an iteration wait, beside its requests; in
   * microseconds, 0 when absent.
   */
  waitsUs?(block: Block): readonly [least: number, most: number];
  /** Whether its request carries credentials; as `sends` says when absent. */
  authorizes?(block: Block): boolean;
  /** The parts that the step's response has; all when absent. */
  evidence?(block: Block): Evidences;
  /** Whether it writes the header field `name` itself; none of them when absent. */
  reserves?(name: string): boolean;
  /** Rules across the steps of this kind, given in flow order. */
  checkFlow?(steps: readonly KindStep<Block>[], report: Report): void;
  /** The keys of a block by which the next two are left out, where one is not sound. */
  readonly checkedKeys?: readonly (keyof Block & string)[];
  /**
   * Checks of a document that the block holds, with a library that is loaded for
   * it alone. Nothing is read.
   */
  checkDocument?(
    block: Block,
    isSound: IsSoundKey,
  ): Promise<readonly Diagnostic<IrLocation>[]>;
  /** Checks before the first request that read files the block names. */
  checkFiles?(
    block: Block,
    files: BlockFiles,
    isSound: IsSoundKey,
  ): Promise<readonly BlockDiagnostic[]>;
  /** The error in a check of the response, by those files; asked where they have none. */
  checkBody?(
    block: Block,
    files: BlockFiles,
    check: BodyCheck,
  ): Promise<BodyProblem | undefined>;
  /** For editors: the name its steps share. */
  readonly sharedKey?: SharedKey;
  /**
   * For editors: what the value at `path` below the action key may be, beyond
   * what its form says.
   *
   * @param written the block as far as it is written, not checked
   */
  suggest?(
    path: readonly (string | number)[],
    written: JsonObject,
    files: BlockFiles,
  ): Suggestions | Promise<Suggestions>;
}

/** Every action kind by its key. */
export type Kinds = ReadonlyMap<string, Kind>;

/** Whether a step with this block sends a request of its own. */
export function sendsRequest(kind: Kind, block: JsonObject): boolean {
  return kind.sends?.(block) ?? kind.requests;
}

/** An auth scheme, as the language knows it. */
export interface AuthScheme<Block extends JsonObject = JsonObject> {
  readonly name: string;
  /** The credentials that it sends, in words. */
  readonly doc: string;
  /** Its keys in a flow file, without `scheme` itself. */
  readonly fields: Fields;
  /** A word it writes before its secret by itself. */
  readonly prefix?: string;
  /** It opts out of the flow's auth. */
  readonly sendsNothing?: true;
  /**
   * Checks beyond those of the fields; by JSON Pointer below the block.
   *
   * @param isWhole false where a part of it was left out, so that its fields are not compared
   */
  check?(block: Block, isWhole?: boolean): readonly Diagnostic<string>[];
  /**
   * Header fields it writes, for the clash check; lower case. A name that is a
   * template is left out: it is not known before the run.
   */
  headerNames?(block: Block): readonly string[];
  /** Names of query parameters it writes, templates left out; letter case counts. */
  queryNames?(block: Block): readonly string[];
  /** Names of cookies it writes, templates left out; letter case counts. */
  cookieNames?(block: Block): readonly string[];
  /** Where the block says that its request has a query, and the way out. */
  queryAt?(
    block: Block,
  ): Pick<Diagnostic<string>, "at" | "hint"> | undefined;
}

/** Every auth scheme by the word in `scheme`. */
export type Schemes = ReadonlyMap<string, AuthScheme>;

/** The mapping of a scheme. */
export function schemeMapping(
  { name, fields }: AuthScheme,
  schemes: Schemes,
  options: MappingOptions = {},
): Mapping<JsonObject> {
  const schema = v.literal(name);
  const word = { read: () => name, schema, form: { const: name } };
  const doc = [...schemes.keys()].join(", ");
  const all: Fields = { scheme: required(word, doc), ...fields };
  return mapping(all, options) as Mapping<JsonObject>;
}

/** The action kinds and auth schemes of the program, as the language knows them. */
export interface Registry {
  readonly kinds: Kinds;
  readonly schemes: Schemes;
}

/** The keys of steps that are a part of some block, such as `headers`. */
export function blockKeys({ kinds }: Registry): Fields {
  const found: Record<string, Field> = {};
  for (const { block } of kinds.values()) {
    for (const [key, field] of Object.entries(block.fields)) {
      if (field.written !== undefined) found[key] ??= field;
    }
  }
  return found;
}
