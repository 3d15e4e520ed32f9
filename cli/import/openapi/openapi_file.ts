import { $RefParser } from "@apidevtools/json-schema-ref-parser";
import {
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/base/values/json.ts";
import { Refused } from "../../../lib/base/errors/bench_error.ts";

/** A description with every reference inside itself. */
export interface OpenapiDocument {
  readonly root: JsonObject;
  /** What a node is, through its `$ref` when it is one. */
  resolve(node: JsonValue | undefined): JsonObject;
}

/** References that lead to references. */
const MOST_HOPS = 20;

/**
 * Reads an OpenAPI file, 3.0 or 3.1, with the files it refers to. Nothing is
 * fetched from the network.
 *
 * @throws {Refused} when it is not one, or refers to what cannot be read
 */
export async function readOpenapi(file: string): Promise<OpenapiDocument> {
  const root = await bundled(file);
  const version = root["openapi"];
  if (typeof version !== "string" || !/^3\.[012]/.test(version)) {
    throw new Refused(
      version === undefined && root["swagger"] === undefined
        ? `${file} is not an OpenAPI file: it has no \`openapi\``
        : `${file} is OpenAPI ${version ?? root["swagger"]}, not 3.0 or 3.1`,
      root["swagger"] === undefined
        ? undefined
        : "a converter, such as swagger2openapi, makes OpenAPI 3 of it",
    );
  }
  const at = (node: JsonValue | undefined): JsonObject => {
    let now = node;
    for (let hop = 0; hop < MOST_HOPS && isObject(now); hop++) {
      const { $ref } = now;
      if (typeof $ref !== "string") return now;
      now = pointed(root, $ref);
    }
    return {};
  };
  return { root, resolve: at };
}

async function bundled(file: string): Promise<JsonObject> {
  try {
    const parser = new $RefParser();
    const made: unknown = await parser.bundle(file, {
      resolve: { http: false },
    });
    if (isObject(made)) return made;
  } catch (error) {
    const { message } = error as Error;
    throw new Refused(`${file} cannot be read: ${message.split("\n")[0]}`);
  }
  throw new Refused(`${file} is not an OpenAPI file: it is no mapping`);
}

/** What `#/a/b~1c` leads to (RFC 6901). */
function pointed(root: JsonObject, ref: string): JsonValue | undefined {
  let now: JsonValue | undefined = root;
  for (const part of ref.replace(/^#\/?/, "").split("/")) {
    const key = decodeURIComponent(part).replaceAll("~1", "/")
      .replaceAll("~0", "~");
    now = Array.isArray(now)
      ? now[Number(key)]
      : isObject(now)
      ? now[key]
      : undefined;
  }
  return now;
}

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
        id: textOf(own["operationId"]),
        tag: textOf(tag),
        summary: textOf(own["summary"]),
        parameters: merged(
          listed(about["parameters"]).map(resolve),
          listed(own["parameters"]).map(resolve),
        ),
        body: body === undefined ? undefined : resolve(body),
        responses: resolve(own["responses"]),
        security: listed(own["security"] ?? root["security"]),
        server,
      };
    });
  });
}

/** The objects of a list. */
export function listed(value: JsonValue | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function textOf(value: JsonValue | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function merged(
  ofPath: readonly JsonObject[],
  own: readonly JsonObject[],
): JsonObject[] {
  const nameOf = (each: JsonObject) => `${each["in"]} ${each["name"]}`;
  const said = new Set(own.map(nameOf));
  return [...ofPath.filter((each) => !said.has(nameOf(each))), ...own];
}
