import {
  isObject,
  type JsonObject,
  type JsonValue,
  objectsIn,
} from "../base/values/json.ts";
import { Refused } from "../base/errors/bench_error.ts";
import type { ContractMode } from "../model/result/contract.ts";
import { type OpenapiDocument, readOpenapi } from "./description.ts";
import { type Operation, operationsOf, serverUrl } from "./operations.ts";
import { SchemaWriter } from "./schema.ts";

/** One response of an operation. */
interface DescribedResponse {
  /** Schemas by media type; absent where nothing is said of a body. */
  readonly content?: Readonly<Record<string, JsonValue>>;
}

/** An operation with the responses that it may have. */
export interface DescribedOperation {
  /** `GET /pets/{petId}` */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** By status, `2XX` or `default`. */
  readonly responses: Readonly<Record<string, DescribedResponse>>;
}

/** The description that responses are held against: plain data, for every thread. */
export interface Contract {
  /** As the user named it. */
  readonly file: string;
  readonly mode: ContractMode;
  /** Paths of its servers, such as `/v1`. */
  readonly prefixes: readonly string[];
  readonly operations: readonly DescribedOperation[];
  /** The schemas that others refer to. */
  readonly defs: JsonObject;
}

/**
 * Reads the description that responses are held against.
 *
 * @throws {Refused} when it cannot be used
 */
export function readContract(
  file: string,
  mode: ContractMode,
  read?: Parameters<typeof readOpenapi>[1],
): Contract {
  const document = readOpenapi(file, read);
  refuseLostPaths(file, document);
  const found = operationsOf(document);
  if (found.length === 0) {
    throw new Refused(`${file} describes no operation: it has no \`paths\``);
  }
  const writer = new SchemaWriter(document);
  const operations = found.map((each) => described(each, document, writer));
  const servers = [
    ...objectsIn(document.root["servers"]),
    ...found.flatMap(({ server }) => server ? [server] : []),
  ];
  const prefixes = servers.map((each) => new URL(serverUrl(each)).pathname)
    .map((path) => path.replace(/\/$/, ""));
  return {
    ...{ file, mode, operations },
    prefixes: [...new Set(prefixes)],
    defs: writer.defs,
  };
}

/** @throws {Refused} where the methods of a path, and so their responses, are not known */
function refuseLostPaths(
  file: string,
  { root, resolve, lost }: OpenapiDocument,
): void {
  for (const [path, item] of Object.entries(resolve(root["paths"]))) {
    const reference = lost(item);
    if (reference === undefined) continue;
    throw new Refused(
      `${file}: the path ${path} cannot be used: the reference \`${reference}\` leads nowhere`,
    );
  }
}

function described(
  { method, path, responses }: Operation,
  document: OpenapiDocument,
  writer: SchemaWriter,
): DescribedOperation {
  const name = `${method} ${path}`;
  const byStatus = Object.entries(responses).map(([status, node]) => {
    if (document.lost(node) !== undefined) {
      return [status.toUpperCase(), { content: { "*/*": writer.write(node) } }];
    }
    const { content } = document.resolve(node);
    if (!isObject(content)) return [status.toUpperCase(), {}];
    const schemas = Object.entries(content).map(([type, media]) => [
      mediaType(type),
      writer.write(
        document.lost(media) === undefined
          ? document.resolve(media)["schema"]
          : media,
      ),
    ]);
    return [status.toUpperCase(), { content: Object.fromEntries(schemas) }];
  });
  return { name, method, path, responses: Object.fromEntries(byStatus) };
}

/** A media type without its parameters, in lower case. */
export function mediaType(text: string): string {
  return text.split(";", 1)[0]!.trim().toLowerCase();
}
