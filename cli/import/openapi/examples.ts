import { sample } from "openapi-sampler";
import {
  isObject,
  type JsonObject,
  type JsonValue,
  objectsIn,
  setMember,
} from "../../../lib/base/values/json.ts";
import { Refused } from "../../../lib/base/errors/bench_error.ts";
import type { OpenapiDocument } from "../../../lib/openapi/description.ts";

/** A value, and whether the description says it is one. */
interface Example {
  readonly value: JsonValue;
  readonly madeUp: boolean;
}

/** Finds examples; makes up what is not there after its schema. */
export class Examples {
  readonly #document: OpenapiDocument;
  readonly #all: { schemas: number } = { schemas: 0 };

  constructor(document: OpenapiDocument) {
    this.#document = document;
  }

  /** Of a parameter, which names itself when nothing else is known. */
  ofParameter(parameter: JsonObject): Example {
    const { resolve } = this.#document;
    const [first] = Object.values(resolve(parameter["content"]));
    const content = resolve(first);
    const schema = resolve(parameter["schema"] ?? content["schema"]);
    const said = saidOf(this.#document, parameter) ??
      saidOf(this.#document, content) ??
      saidOf(this.#document, schema);
    if (said !== undefined) return { value: said, madeUp: false };
    const known = listed(schema) ?? this.#listedItem(schema);
    if (known !== undefined) return { value: known, madeUp: false };
    const made = this.#sample(schema) ?? "";
    const plain = made === 0 && schema["multipleOf"] === undefined
      ? 1
      : made === "string" || made === ""
      ? ownName(parameter, schema)
      : made;
    return { value: plain, madeUp: true };
  }

  /** A list of one item, where the description has a value for it. */
  #listedItem({ items, minItems = 0 }: JsonObject): JsonValue | undefined {
    if (items === undefined || numberOf(minItems) > 1) return;
    const schema = this.#document.resolve(items);
    const item = saidOf(this.#document, schema) ?? listed(schema);
    return item === undefined ? undefined : [item];
  }

  /** Of a media type of a body: what is required or has an example, where it is made up. */
  ofMedia(media: JsonObject): Example {
    const said = saidOf(this.#document, media);
    if (said !== undefined) return { value: said, madeUp: false };
    const schema = this.#document.resolve(media["schema"]);
    const value = this.#sample(media["schema"]) ?? {};
    return { value, madeUp: saidOf(this.#document, schema) === undefined };
  }

  #sample(schema: JsonValue | undefined): JsonValue | undefined {
    const whole = new SchemaCopy(this.#document, this.#all).of(schema);
    try {
      const made: unknown = sample(whole as object, {
        skipReadOnly: true,
        skipNonRequired: true,
        quiet: true,
        maxSampleDepth: MOST_DEPTH,
      });
      return made === null ? undefined : made as JsonValue | undefined;
    } catch {
      // A schema that contradicts itself has no sample.
      return undefined;
    }
  }
}

/** `example`, or the first of `examples`: a mapping, or a list in a schema. */
function saidOf(
  { resolve }: OpenapiDocument,
  node: JsonObject,
): JsonValue | undefined {
  if (node["example"] !== undefined) return node["example"];
  const { examples } = node;
  if (Array.isArray(examples)) return examples[0];
  if (!isObject(examples)) return;
  const [first] = Object.values(examples);
  // An example object may be a part of the description; data never is a reference.
  return leadsAway(first) ? undefined : resolve(first)["value"];
}

/** The default of a schema, else the first value of its `enum`. */
function listed(schema: JsonObject): JsonValue | undefined {
  const [first] = Array.isArray(schema["enum"]) ? schema["enum"] : [];
  return schema["default"] ?? first;
}

/** Whether a node is in another file. */
function leadsAway(node: JsonValue | undefined): boolean {
  const { $ref } = isObject(node) ? node : {};
  return typeof $ref === "string" && !$ref.startsWith("#");
}

/** The name of a parameter, as long as its schema has it. */
function ownName(parameter: JsonObject, schema: JsonObject): string {
  const name = String(parameter["name"]);
  return name.padEnd(numberOf(schema["minLength"]), name || "a")
    .slice(0, numberOf(schema["maxLength"]) || undefined);
}

/** Schemas in schemas that a sample goes into. */
const MOST_DEPTH = 8;
/** Schemas that one sample is made of, those behind references counted each time. */
const MOST_SCHEMAS = 10_000;
/** Schemas that all samples of a description are made of. */
const MOST_IN_ALL = 2_000_000;

/** The keywords that lead from a schema to others. */
const LISTS = ["allOf", "oneOf", "anyOf", "prefixItems"];
const SINGLE = ["items", "contains", "additionalProperties", "if", "then"];
/** The keywords of a schema that hold data: nothing in them is a reference. */
const DATA = new Set(
  `const default enum example examples exclusiveMaximum exclusiveMinimum format
   maxItems maxLength maxProperties maximum minItems minLength minimum
   readOnly required type writeOnly x-additionalPropertiesName`.split(/\s+/),
);

/** Copies a schema with what its references lead to, as far as a sample needs it. */
class SchemaCopy {
  #schemas = 0;
  /** Copies that end in themselves, and so are no values of their schema. */
  #cut = 0;
  /** Schemas around the one that is copied. */
  readonly #around = new Set<JsonObject>();
  /** The references that led to schemas. */
  readonly #references = new Map<JsonObject, string>();

  /** @param all what the samples of a description are made of together */
  constructor(
    readonly document: OpenapiDocument,
    readonly all: { schemas: number },
  ) {}

  of(node: JsonValue | undefined, copies = 1): JsonObject {
    const schema = this.document.resolve(node);
    const { $ref, ...beside } = isObject(node) ? node : {};
    if (typeof $ref === "string") this.#references.set(schema, $ref);
    return $ref === undefined || Object.keys(beside).length === 0
      ? this.#copy(schema, copies)
      : { allOf: [this.#copy(schema, copies), this.#copy(beside, copies)] };
  }

  /** @param copies how often the sample has it, for `minItems` above it */
  #copy(schema: JsonObject, copies: number): JsonObject {
    this.#count(copies);
    if (this.#around.has(schema) || this.#around.size > MOST_DEPTH) {
      const { type = null } = schema;
      if (type === null || type === "object" || Array.isArray(type)) {
        this.#cut++;
      }
      return type === null ? {} : { type };
    }
    this.#around.add(schema);
    const copy: Record<string, JsonValue> = {};
    for (const [key, value] of Object.entries(schema)) {
      if (DATA.has(key)) copy[key] = value;
    }
    const multiple = multipleOf(schema);
    if (multiple !== undefined) copy["default"] ??= multiple;
    this.#copyParts(schema, copy, copies);
    this.#addKind(schema, copy, copies);
    this.#around.delete(schema);
    return copy;
  }

  #count(schemas: number): void {
    this.#schemas += schemas;
    this.all.schemas += schemas;
    if (this.#schemas > MOST_SCHEMAS) {
      throw tooLarge(`it leads to more than ${MOST_SCHEMAS} others`);
    }
    if (this.all.schemas > MOST_IN_ALL) {
      throw new Refused(
        `the examples of all operations lead to more than ${MOST_IN_ALL} schemas`,
        "take one tag with --tag <tag>",
      );
    }
  }

  #copyParts(
    schema: JsonObject,
    copy: Record<string, JsonValue>,
    copies: number,
  ): void {
    const length = Math.max(numberOf(schema["minItems"]), 1);
    // Each letter is less than a schema, and a long text is still a large one.
    const letters = numberOf(schema["minLength"]);
    const parts = copies * Math.floor(letters / 100);
    if (parts > MOST_SCHEMAS) throw tooLarge(`\`minLength: ${letters}\``);
    if (copies * length > MOST_SCHEMAS) {
      throw tooLarge(`\`minItems: ${length}\``);
    }
    this.#count(parts);
    for (const key of SINGLE) {
      const inside = schema[key];
      if (!isObject(inside)) continue;
      const often = key === "additionalProperties" ? 2 : length;
      const before = this.#cut;
      copy[key] = this.of(inside, copies * often);
      // None of what has no end, where there may be none.
      const mayLack = key === "additionalProperties" ||
        (key === "items" && !numberOf(schema["minItems"]));
      if (this.#cut === before || !mayLack) continue;
      this.#cut = before;
      if (key === "items") copy["maxItems"] = 0;
      else delete copy[key];
    }
    for (const key of LISTS) {
      const list = schema[key];
      if (!Array.isArray(list)) continue;
      // The first alternative is the one that is sampled.
      const taken = /^(?:one|any)Of$/.test(key) ? list.slice(0, 1) : list;
      copy[key] = taken.map((each) => this.of(each, copies));
    }
    const { properties, required } = schema;
    if (!isObject(properties)) return;
    const names = new Set(Array.isArray(required) ? required : []);
    const copied: Record<string, JsonValue> = {};
    for (const [name, each] of Object.entries(properties)) {
      const said = names.has(name) ? undefined : this.#ownExample(each);
      if (said !== undefined) {
        names.add(name);
        setMember(copied, name, { example: said });
      } else if (names.has(name)) {
        setMember(copied, name, this.of(each, copies));
      }
    }
    copy["properties"] = copied;
    copy["required"] = [...names];
  }

  /** Adds the property by which a server sees which of several schemas a value is of. */
  #addKind(
    schema: JsonObject,
    copy: Record<string, JsonValue>,
    copies: number,
  ): void {
    const own = discriminatorOf(schema);
    if (!own) return;
    const heir = [...this.#around].findLast(({ allOf }) =>
      objectsIn(allOf).some((each) => this.document.resolve(each) === schema)
    );
    const [alternative] = objectsIn(schema["oneOf"] ?? schema["anyOf"]);
    const chosen = heir
      ? this.#references.get(heir)
      : alternative
      ? alternative["$ref"]
      : own.kinds[0]?.reference;
    if (typeof chosen !== "string") return;
    const schemas = this.document.resolve(
      this.document.resolve(this.document.root["components"])["schemas"],
    );
    const name = lastPart(chosen);
    const kind = own.kinds.find((each) => each.reference === chosen)?.value ??
      name;
    const parts: JsonValue[] = [];
    if (!heir && !alternative && Object.hasOwn(schemas, name)) {
      const before = this.#cut;
      parts.push(this.of(schemas[name], copies));
      this.#cut = before;
    }
    const { property } = own;
    const said: Record<string, JsonValue> = {};
    setMember(said, property, { example: kind });
    parts.push({ type: "object", properties: said, required: [property] });
    const all = copy["allOf"];
    copy["allOf"] = [...Array.isArray(all) ? all : [], ...parts];
  }

  /** Of a property that a request may leave out. */
  #ownExample(node: JsonValue): JsonValue | undefined {
    const schema = leadsAway(node) ? {} : this.document.resolve(node);
    return schema["readOnly"] === true
      ? undefined
      : saidOf(this.document, schema);
  }
}

/** How a schema says which of several a value is of; version 2.0 has the name of the property alone. */
function discriminatorOf({ discriminator }: JsonObject) {
  const { propertyName, mapping }: JsonObject = isObject(discriminator)
    ? discriminator
    : { propertyName: discriminator ?? null };
  if (typeof propertyName !== "string") return undefined;
  const kinds = Object.entries(isObject(mapping) ? mapping : {})
    .map(([value, to]) => {
      const reference = String(to);
      // A name stands for the schema of that name.
      const isName = /^[\w.-]+$/.test(reference) &&
        !/\.(?:ya?ml|json)$/.test(reference);
      return {
        value,
        reference: isName ? `#/components/schemas/${reference}` : reference,
      };
    });
  return { property: propertyName, kinds };
}

/** The name of the schema that a reference leads to. */
function lastPart(reference: string): string {
  return reference.split("/").at(-1)!;
}

function tooLarge(why: string): Refused {
  return new Refused(
    `a schema is too large for an example: ${why}`,
    "give the body or the parameter an `example` in the description",
  );
}

/**
 * The least multiple above a lower bound; without one the step itself, or the greatest
 * that the upper one allows.
 */
function multipleOf(schema: JsonObject): number | undefined {
  const step = numberOf(schema["multipleOf"]);
  const types = [schema["type"] ?? "number"].flat();
  const isOfType = types.includes("number") ||
    (types.includes("integer") && Number.isInteger(step));
  if (step <= 0 || !isOfType) return;
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema;
  // A switch in OpenAPI 3.0, a limit of its own in 3.1.
  const above = exclusiveMinimum === true ? minimum : exclusiveMinimum;
  const below = exclusiveMaximum === true ? maximum : exclusiveMaximum;
  const steps = (limit: JsonValue | undefined, count: (of: number) => number) =>
    typeof limit === "number"
      ? [count(Number((limit / step).toPrecision(15)))]
      : [];
  const least = Math.max(
    ...steps(minimum, Math.ceil),
    ...steps(above, (each) => Math.floor(each) + 1),
  );
  const most = Math.min(
    ...steps(maximum, Math.floor),
    ...steps(below, (each) => Math.ceil(each) - 1),
  );
  const count = Number.isFinite(least) ? least : Math.min(1, most);
  // Without the last digits of 3 * 0.1.
  return Number((count * step).toPrecision(15));
}

function numberOf(value: JsonValue | undefined): number {
  return typeof value === "number" ? value : 0;
}
