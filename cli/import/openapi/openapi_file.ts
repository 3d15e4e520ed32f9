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
