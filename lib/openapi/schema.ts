import {
  isObject,
  type JsonObject,
  type JsonValue,
} from "../base/values/json.ts";
import type { OpenapiDocument } from "./description.ts";

/** How the ids of schemas begin that others refer to; their name in `defs` follows. */
export const SHARED = "schema-";

/** Where there is nothing: what refers to it cannot be compiled. */
export const NOWHERE = "nowhere.json#";

/** Keywords that hold one schema. */
const ONE = new Set(
  "additionalProperties items not if then else contains propertyNames unevaluatedProperties unevaluatedItems"
    .split(" "),
);
/** Keywords that hold a list of schemas. */
const LIST = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
/** Keywords that hold schemas by name. */
const NAMED = new Set(["properties", "patternProperties", "dependentSchemas"]);
/** Keywords that hold no schema, and say something of a value. */
const PLAIN = new Set(
  "type enum const format pattern required uniqueItems dependentRequired multipleOf maximum minimum exclusiveMaximum exclusiveMinimum maxLength minLength maxItems minItems maxContains minContains maxProperties minProperties"
    .split(" "),
);

/**
 * The schemas of a description as JSON Schema 2020-12, which OpenAPI 3.1 has and 3.0
 * almost has. Each one that is referred to is written once.
 */
export class SchemaWriter {
  readonly defs: Record<string, JsonValue> = {};
  readonly #names = new Map<JsonObject, string>();
  /** Those that are referred to and not written yet. */
  readonly #waiting: [name: string, schema: JsonObject][] = [];
  readonly #isOld: boolean;

  constructor(readonly document: OpenapiDocument) {
    this.#isOld = String(document.root["openapi"]).startsWith("3.0");
  }

  /** A schema that holds for whatever `node` says nothing of. */
  write(node: JsonValue | undefined): JsonValue {
    const schema = this.#schema(node);
    // One after the other: thousands may refer to one another in a row.
    for (let next; (next = this.#waiting.pop()) !== undefined;) {
      this.defs[next[0]] = this.#plain(next[1]);
    }
    return schema;
  }

  #schema(node: JsonValue | undefined): JsonValue {
    if (typeof node === "boolean") return node;
    if (!isObject(node)) return true;
    const { $ref, ...beside } = node;
    if (typeof $ref !== "string") return this.#plain(node);
    const lost = this.document.lost(node);
    if (lost !== undefined) return { $ref: NOWHERE + encodeURIComponent(lost) };
    const reference = { $ref: SHARED + this.#define(node, $ref) };
    // Version 3.0 passes over what stands beside a reference.
    if (this.#isOld || Object.keys(beside).length === 0) return reference;
    return { allOf: [reference, this.#plain(beside)] };
  }

  /** The name of a schema, which is the reference to it. */
  #define(node: JsonObject, reference: string): string {
    const target = this.document.resolve(node);
    const known = this.#names.get(target);
    if (known !== undefined) return known;
    // A key of it is found again only if a URL has each of its characters as they are.
    const short = reference.split("/").at(-1)!.replaceAll(/[^\w.-]+/g, "_");
    let name = short;
    for (let i = 2; Object.hasOwn(this.defs, name); i++) name = `${short}-${i}`;
    this.#names.set(target, name);
    this.defs[name] = true;
    this.#waiting.push([name, target]);
    return name;
  }

  #plain(node: JsonObject): JsonValue {
    const schema: Record<string, JsonValue> = {};
    for (const [key, value] of Object.entries(node)) {
      if (ONE.has(key)) schema[key] = this.#schema(value);
      else if (LIST.has(key) && Array.isArray(value)) {
        schema[key] = value.map((each) => this.#schema(each));
      } else if (NAMED.has(key) && isObject(value)) {
        schema[key] = Object.fromEntries(
          Object.entries(value).map((
            [name, each],
          ) => [name, this.#schema(each)]),
        );
      } else if (PLAIN.has(key)) schema[key] = asNumbers(value);
    }
    this.#forResponses(schema, node);
    return this.#isOld ? newer(schema, node) : schema;
  }

  /** A response does not have the properties that only requests have. */
  #forResponses(schema: Record<string, JsonValue>, node: JsonObject): void {
    const { required, properties } = node;
    if (!Array.isArray(required) || !isObject(properties)) return;
    schema["required"] = required.filter((name) =>
      typeof name === "string" &&
      this.document.resolve(
          Object.hasOwn(properties, name) ? properties[name] : undefined,
        )["writeOnly"] !== true
    );
  }
}

/** A schema of version 3.0 as JSON Schema has it. */
function newer(
  schema: Record<string, JsonValue>,
  node: JsonObject,
): JsonValue {
  for (const side of ["Minimum", "Maximum"]) {
    const [limit, key] = [side.toLowerCase(), `exclusive${side}`];
    if (typeof schema[key] !== "boolean") continue;
    if (schema[key] && limit in schema) {
      schema[key] = schema[limit]!;
      delete schema[limit];
    } else delete schema[key];
  }
  if (node["nullable"] !== true && node["x-nullable"] !== true) return schema;
  const { type, enum: words } = schema;
  if (typeof type !== "string") return { anyOf: [{ type: "null" }, schema] };
  return {
    ...schema,
    type: [type, "null"],
    ...(Array.isArray(words) && { enum: [...words, null] }),
  };
}

/** A value with numbers where its integers have more digits than a double. */
function asNumbers(value: JsonValue): JsonValue {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map(asNumbers);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, asNumbers(each)]),
  );
}
