import { sample } from "openapi-sampler";
import {
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/base/values/json.ts";
import type { OpenapiDocument } from "./openapi_file.ts";

/** A value, and whether the description says it is one. */
interface Example {
  readonly value: JsonValue;
  readonly madeUp: boolean;
}

/** Finds examples; makes up what is not there after its schema. */
export class Examples {
  readonly #document: OpenapiDocument;

  constructor(document: OpenapiDocument) {
    this.#document = document;
  }

  /** Of a parameter, which names itself when nothing else is known. */
  ofParameter(parameter: JsonObject): Example {
    const { resolve } = this.#document;
    const said = this.#said(parameter) ??
      this.#said(resolve(parameter["schema"]));
    if (said !== undefined) return { value: said, madeUp: false };
    const [content] = Object.values(resolve(parameter["content"]));
    const schema = resolve(parameter["schema"] ?? resolve(content)["schema"]);
    const first = Array.isArray(schema["enum"]) ? schema["enum"][0] : undefined;
    const known = schema["default"] ?? first;
    if (known !== undefined) return { value: known, madeUp: false };
    const made = this.#sample(schema);
    const plain = made === 0
      ? 1
      : made === "string" || made === undefined || made === ""
      ? String(parameter["name"])
      : made;
    return { value: plain, madeUp: true };
  }

  /** Of a media type of a body: only what is required, where it is made up. */
  ofMedia(media: JsonObject): Example {
    const said = this.#said(media);
    if (said !== undefined) return { value: said, madeUp: false };
    const schema = this.#document.resolve(media["schema"]);
    const value = this.#sample(schema) ?? {};
    return { value, madeUp: this.#said(schema) === undefined };
  }

  /** `example`, or the first of `examples`: a mapping, or a list in a schema. */
  #said(node: JsonObject): JsonValue | undefined {
    if (node["example"] !== undefined) return node["example"];
    const { examples } = node;
    if (Array.isArray(examples)) return examples[0];
    if (!isObject(examples)) return;
    const [first] = Object.values(examples);
    return this.#document.resolve(first)["value"];
  }

  #sample(schema: JsonObject): JsonValue | undefined {
    try {
      const made: unknown = sample(schema as object, {
        skipReadOnly: true,
        skipNonRequired: true,
        quiet: true,
        maxSampleDepth: MOST_DEPTH,
      }, this.#document.root as object);
      return made === null ? undefined : made as JsonValue | undefined;
    } catch {
      // A schema that refers to what is not there has no sample.
      return undefined;
    }
  }
}

const MOST_DEPTH = 8;
