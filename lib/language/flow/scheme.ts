import * as v from "valibot";
import type { Diagnostic } from "../../base/text/diagnostic.ts";
import type { JsonObject } from "../../base/values/json.ts";
import { required } from "../fields/field.ts";
import {
  type Mapping,
  mapping,
  type MappingOptions,
} from "../fields/mapping.ts";
import type { Fields } from "../fields/value.ts";

/** What the language has to know of an auth scheme. */
export interface AuthScheme<Block extends JsonObject = JsonObject> {
  readonly name: string;
  /** What it sends, for a person. */
  readonly doc: string;
  /** Its keys in a flow file, without `scheme` itself. */
  readonly fields: Fields;
  /** A word it writes before its secret by itself. */
  readonly prefix?: string;
  /** It opts out of the flow's auth. */
  readonly sendsNothing?: true;
  /** What the fields cannot check; by JSON Pointer below the block. */
  check?(block: Block): readonly Diagnostic<string>[];
  /**
   * Header fields it writes, for the clash check; lower case. A name that is a
   * template is left out: it is not known before the run.
   */
  headerNames?(block: Block): readonly string[];
  /** Query parameters it writes, likewise; letter case counts. */
  queryNames?(block: Block): readonly string[];
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
