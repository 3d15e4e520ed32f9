import {
  isObject,
  type JsonObject,
  type JsonValue,
  objectsIn,
} from "../../../lib/base/values/json.ts";
import type { OpenapiDocument } from "../../../lib/openapi/description.ts";
import type { MultipartField, RequestBody } from "../draft/http_request.ts";
import type { Examples } from "./examples.ts";
import { asText } from "./parameter_style.ts";

/** A body, and its media type where the engine would say another one. */
interface OperationBody {
  readonly body?: RequestBody;
  readonly type?: string;
}

/**
 * The body of an operation: JSON where it may be, else a form, else the text of an example.
 *
 * @param madeUp takes the name of what has no example
 */
export function bodyOf(
  described: JsonObject | undefined,
  document: OpenapiDocument,
  examples: Examples,
  madeUp: string[],
): OperationBody {
  const { resolve } = document;
  const all = Object.entries(resolve(described?.["content"]));
  const [first] = all;
  if (!first) return {};
  const mediaOf = (type: RegExp) => all.find(([each]) => type.test(each));
  const json = mediaOf(/^application\/(?:[\w.-]+\+)?json\b/) ??
    mediaOf(/^\*\/\*$/);
  if (json) {
    const { value, madeUp: made } = examples.ofMedia(resolve(json[1]));
    if (made) madeUp.push("the body");
    const type = json[0] === "*/*" ? "application/json" : json[0];
    return { body: { json: value }, type };
  }
  const form = mediaOf(/^application\/x-www-form-urlencoded\b/);
  const multipart = mediaOf(/^multipart\/form-data\b/);
  for (const entry of [form, multipart].filter((each) => each !== undefined)) {
    const media = resolve(entry[1]);
    const { value, madeUp: made } = examples.ofMedia(media);
    if (!isObject(value)) continue;
    const isForm = entry === form;
    if (!isForm && !isOfTexts(value, media["schema"], document)) continue;
    if (made) madeUp.push("the form");
    return {
      body: isForm ? { form: fieldsOf(value) } : { multipart: partsOf(value) },
    };
  }
  for (const [type, node] of all) {
    const { value, madeUp: made } = examples.ofMedia(resolve(node));
    if (!made && typeof value === "string" && !type.includes("*")) {
      return { body: { text: value }, type };
    }
  }
  return { body: { unsendable: `a body of \`${first[0]}\`` } };
}

/** Fields of a form, by the names and values of an object. */
function fieldsOf(value: JsonObject): [string, string][] {
  return Object.entries(value).flatMap(([name, each]) =>
    [each].flat().map((one): [string, string] => [name, asText(one)])
  );
}

/** Parts of a multipart form; what is no scalar is JSON. */
function partsOf(value: JsonObject): MultipartField[] {
  return Object.entries(value).flatMap(([name, each]) =>
    [each].flat().map((one): MultipartField => [
      name,
      isObject(one)
        ? { text: asText(one), type: "application/json" }
        : asText(one),
    ])
  );
}

/** Whether a form has fields, and none of them is a file, of which a description has no bytes. */
function isOfTexts(
  form: JsonObject,
  node: JsonValue | undefined,
  { resolve }: OpenapiDocument,
): boolean {
  const schema = resolve(node);
  const all = [schema, ...objectsIn(schema["allOf"]).map(resolve)];
  const names = Object.keys(form);
  return names.length > 0 &&
    names.every((name) =>
      all.every(({ properties }) => {
        const property = resolve(resolve(properties)[name]);
        const { format, contentMediaType, contentEncoding } = property["items"]
          ? resolve(property["items"])
          : property;
        return !/^(?:binary|byte)$/.test(String(format)) &&
          contentMediaType === undefined && contentEncoding === undefined;
      })
    );
}
