import {
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/base/values/json.ts";
import type { OpenapiDocument } from "./openapi_file.ts";

/** One operation of a description. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly id?: string;
  readonly tag?: string;
  readonly summary?: string;
  /** Of the operation, and of its path where it has none of that name. */
  readonly parameters: readonly JsonObject[];
  readonly body?: JsonObject;
  readonly responses: JsonObject;
  /** Its own or that of all. */
  readonly security: readonly JsonObject[];
  /** Its own server, in place of that of all. */
  readonly server?: JsonObject;
}

const METHODS = ["get", "head", "post", "put", "patch", "delete", "options"];

/** All operations, in the order of the file. */
export function operationsOf({ root, resolve }: OpenapiDocument): Operation[] {
  const paths = Object.entries(resolve(root["paths"]));
  return paths.flatMap(([path, item]) => {
    const about = resolve(item);
    return METHODS.filter((each) => isObject(about[each])).map((method) => {
      const own = about[method] as JsonObject;
      const body = own["requestBody"];
      const [server] = listed(own["servers"] ?? about["servers"]);
      const [tag] = Array.isArray(own["tags"]) ? own["tags"] : [];
      return {
        method: method.toUpperCase(),
        path,
        ...textOf("id", own["operationId"]),
        ...textOf("tag", tag),
        ...textOf("summary", own["summary"]),
        parameters: merged(
          listed(about["parameters"]).map(resolve),
          listed(own["parameters"]).map(resolve),
        ),
        ...(body !== undefined && { body: resolve(body) }),
        responses: resolve(own["responses"]),
        security: listed(own["security"] ?? root["security"]),
        ...(server && { server }),
      };
    });
  });
}

/** The objects of a list. */
export function listed(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function textOf<K extends string>(
  key: K,
  value: JsonValue | undefined,
): { readonly [key in K]?: string } {
  return typeof value === "string" && value !== ""
    ? { [key]: value } as { [key in K]: string }
    : {};
}

function merged(
  ofPath: readonly JsonObject[],
  own: readonly JsonObject[],
): JsonObject[] {
  const nameOf = (each: JsonObject) => `${each["in"]} ${each["name"]}`;
  const said = new Set(own.map(nameOf));
  return [...ofPath.filter((each) => !said.has(nameOf(each))), ...own];
}
