import {
  isObject,
  type JsonObject,
  type JsonValue,
  objectsIn,
} from "../base/values/json.ts";
import type { OpenapiDocument } from "./description.ts";

/** One operation of a description. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly id: string | undefined;
  readonly tag: string | undefined;
  readonly summary: string | undefined;
  /** Of the operation, and of its path where it has none of that name. */
  readonly parameters: readonly JsonObject[];
  readonly body: JsonObject | undefined;
  readonly responses: JsonObject;
  /** Its own or that of all. */
  readonly security: readonly JsonObject[];
  /** Its own server, in place of that of all. */
  readonly server: JsonObject | undefined;
}

const METHODS = "get head post put patch delete options trace".split(" ");

/** All operations, in the order of the file. */
export function operationsOf({ root, resolve }: OpenapiDocument): Operation[] {
  const paths = Object.entries(resolve(root["paths"]));
  return paths.flatMap(([path, item]) => {
    const about = resolve(item);
    return methodsOf(about, root).map(([method, node]) => {
      // Not of the standard, and usual where each operation has its file.
      const own = resolve(node);
      const body = own["requestBody"];
      const [server] = objectsIn(own["servers"] ?? about["servers"]);
      const [tag] = Array.isArray(own["tags"]) ? own["tags"] : [];
      return {
        method,
        path,
        id: stringOf(own["operationId"]),
        tag: stringOf(tag),
        summary: stringOf(own["summary"]),
        parameters: merged(
          objectsIn(about["parameters"]).map(resolve),
          objectsIn(own["parameters"]).map(resolve),
        ),
        body: body === undefined ? undefined : resolve(body),
        responses: resolve(own["responses"]),
        security: objectsIn(own["security"] ?? root["security"]),
        server,
      };
    });
  });
}

/** The methods of a path; version 3.2 has `query`, and others by their names. */
function methodsOf(about: JsonObject, { openapi }: JsonObject) {
  const isLater = /^3\.2/.test(String(openapi));
  const others = isLater ? about["additionalOperations"] ?? {} : {};
  return [
    ...[...METHODS, ...isLater ? ["query"] : []]
      .map((each) => [each.toUpperCase(), about[each]] as const),
    ...Object.entries(others).filter(([each]) => /^[A-Z][A-Z-]*$/.test(each)),
  ].filter(([, node]) => isObject(node));
}

function stringOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function merged(
  ofPath: readonly JsonObject[],
  own: readonly JsonObject[],
): JsonObject[] {
  const parameterKey = (each: JsonObject) => `${each["in"]} ${each["name"]}`;
  const said = new Set(own.map(parameterKey));
  return [...ofPath.filter((each) => !said.has(parameterKey(each))), ...own];
}

/** Stands for the host that a description does not name. */
export const NO_HOST = "https://host.invalid";

/** A server's URL with the defaults of its variables. */
export function serverUrl(server: JsonObject | undefined): string {
  const variables = server?.["variables"];
  const url = String(server?.["url"] ?? "/")
    .replaceAll(
      /\{([^{}]+)\}/g,
      (_, name: string) => {
        const known = isObject(variables) && Object.hasOwn(variables, name)
          ? variables[name]
          : undefined;
        return String((isObject(known) ? known["default"] : undefined) ?? name);
      },
    )
    .replace(/\/+$/, "");
  const said = /^https?:\/\//.test(url) ? URL.parse(url) : undefined;
  const { origin, pathname } = said ??
    new URL(url === "" || url.startsWith("/") ? url : `/${url}`, NO_HOST);
  // A user or a key in the URL is no part of a target.
  return origin + pathname.replace(/\/+$/, "");
}
