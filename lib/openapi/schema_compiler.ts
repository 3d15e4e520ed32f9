import {
  Ajv2020,
  type AnySchema,
  type ErrorObject,
  MissingRefError,
  type ValidateFunction,
} from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { canonical } from "../base/values/canonical.ts";
import { ifPossible } from "../base/values/if_possible.ts";
import {
  isObject,
  type JsonObject,
  type JsonValue,
  valuesOf,
} from "../base/values/json.ts";
import { compilePattern } from "../language/patterns/pattern.ts";
import { NOWHERE, SHARED } from "./schema.ts";

export type { ErrorObject, ValidateFunction };

/** Compiles schemas to functions, with those that they refer to. */
export class SchemaCompiler {
  readonly #ajv: Ajv2020;
  readonly #added = new Set<string>();

  /** @param defs the schemas that others refer to, by name */
  constructor(readonly defs: JsonObject, allErrors: boolean) {
    this.#ajv = compiler(allErrors);
  }

  /** @throws {Error} for a schema that cannot be used */
  compile(schema: JsonValue): ValidateFunction {
    const ajv = this.#ajv;
    const needed = this.#neededBy(schema);
    for (const id of needed.difference(this.#added)) {
      ajv.addSchema(this.defs[id.slice(SHARED.length)] as AnySchema, id);
      this.#added.add(id);
    }
    const waiting = [...needed].map((id) => [id, ajv.schemas[id]!] as const)
      .filter(([, each]) => !each.validate);
    /*
     * A schema that is said to be under way is referred to, and not compiled within
     * the one that refers to it: the stack ends at some 300 of them in a row.
     */
    for (const [, each] of waiting) ajv._compilations.add(each);
    try {
      for (const [id, each] of waiting) {
        ajv._compilations.delete(each);
        ajv.getSchema(id);
      }
      return ajv.compile(schema as AnySchema);
    } finally {
      for (const [, each] of waiting) ajv._compilations.delete(each);
    }
  }

  /** The ids of the schemas that a schema refers to, and that those refer to. */
  #neededBy(schema: JsonValue): ReadonlySet<string> {
    const needed = new Set<string>();
    const open = [schema];
    for (let next; (next = open.pop()) !== undefined;) {
      for (const [each] of valuesOf(next)) {
        const id = isObject(each) && each["$ref"];
        if (typeof id !== "string" || needed.has(id)) continue;
        const shared = this.defs[id.slice(SHARED.length)];
        if (!id.startsWith(SHARED) || shared === undefined) continue;
        needed.add(id);
        open.push(shared);
      }
    }
    return needed;
  }
}

/** Why a schema cannot be compiled. */
export function reasonOf(error: Error): string {
  const reference = error instanceof MissingRefError ? error.missingRef : "";
  return reference.startsWith(NOWHERE)
    ? `the reference \`${
      decodeURIComponent(reference.slice(NOWHERE.length))
    }\` leads nowhere`
    : error.message;
}

/** A compiler of schemas that are what a description has, and not always strict. */
function compiler(allErrors: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    ...{ allErrors, strict: false, verbose: true, logger: false },
    validateSchema: false,
    // Each is compiled once, be it short or not.
    inlineRefs: false,
    unicodeRegExp: false,
    code: { regExp: Object.assign(boundedPattern, { code: "" }) },
  });
  // The others may take long for a text that a target makes up.
  formats.default(ajv, { mode: "fast", keywords: false });
  // Of these the fast forms take days that there are not, and the others take no longer.
  for (const name of ["date", "time", "date-time"] as const) {
    ajv.addFormat(name, formats.default.get(name, "full"));
  }
  ajv.removeKeyword("uniqueItems");
  ajv.addKeyword({
    keyword: "uniqueItems",
    type: "array",
    error: { message: "must not have equal items" },
    validate: (unique: boolean, items: JsonValue[]) =>
      !unique || new Set(items.map(canonical)).size === items.length,
  });
  // Divided as doubles, 19.99 is no multiple of 0.01.
  ajv.removeKeyword("multipleOf");
  ajv.addKeyword({
    keyword: "multipleOf",
    type: "number",
    schemaType: "number",
    error: { message: ({ schema }) => `must be multiple of ${schema}` },
    validate: (step: number, value: number) => isMultiple(value, step),
  });
  return ajv;
}

/** Whether one decimal is a multiple of another, as both are written. */
function isMultiple(value: number, step: number): boolean {
  // `1e400` is read as no number that has digits, and descriptions are not checked.
  if (!Number.isFinite(value) || !Number.isFinite(step) || step === 0) {
    return false;
  }
  const [digits, exponent] = decimalOf(value);
  const [stepDigits, stepExponent] = decimalOf(step);
  const shift = 10n ** BigInt(Math.abs(exponent - stepExponent));
  return exponent >= stepExponent
    ? digits * shift % stepDigits === 0n
    : digits % (stepDigits * shift) === 0n;
}

/** A number as its digits and the power of ten that they are to be multiplied by. */
function decimalOf(value: number): [digits: bigint, exponent: number] {
  const [digits = "", exponent] = value.toExponential().split("e");
  const [whole = "", rest = ""] = digits.split(".");
  return [BigInt(whole + rest), Number(exponent) - rest.length];
}

/** A pattern that is matched in bounded time; one that cannot be holds for all. */
function boundedPattern(source: string): { test(text: string): boolean } {
  const matcher = ifPossible(() => compilePattern(source), undefined);
  return { test: (text) => !matcher || matcher.exec(text) !== undefined };
}
