import type protobuf from "protobufjs";
import type { Diagnostic } from "../../../base/text/diagnostic.ts";
import { didYouMean, nearest } from "../../../base/text/suggest.ts";
import { fieldOf, nameGroup, nameOf, writtenNameOf } from "./json_writer.ts";
import type { JsonObject } from "../../../base/values/json.ts";
import { describeField } from "./field_words.ts";
import { declaredIn, type Library, loadLibrary } from "./library.ts";
import { parseFiles, type SchemaSource } from "./proto_files.ts";
import { type SchemaDiagnostic, unresolvedTypes } from "./syntax_error.ts";

/** A schema with nothing left to look up. */
export interface Schema {
  readonly library: Library;
  readonly root: protobuf.Root;
  /** By full name, such as `shop.v1.Catalog`. */
  readonly services: ReadonlyMap<string, protobuf.Service>;
}

/** Either a schema, or what is wrong with it. */
export interface SchemaReading {
  readonly schema?: Schema;
  readonly errors: readonly SchemaDiagnostic[];
}

/** Reads a schema with its imports and looks every type up. */
export async function readSchema(source: SchemaSource): Promise<SchemaReading> {
  const library = await loadLibrary();
  const { root, files, errors } = await parseFiles(library, source);
  // A file that was not read would make every type of it an error, too.
  if (errors.length > 0) return { errors };
  try {
    root.resolveAll();
  } catch (error) {
    return { errors: unresolvedTypes(root, files, error as Error, library) };
  }
  const services = new Map<string, protobuf.Service>();
  const { Field, Service } = library.protobuf;
  for (const each of declaredIn(root, library)) {
    if (each instanceof Service) services.set(nameOf(each), each);
    else if (each instanceof Field) nameGroup(each);
  }
  return { schema: { library, root, services }, errors: [] };
}

/** A method that can be called: one message each way. */
export interface UnaryMethod {
  /** `/package.Service/Method`. */
  readonly path: string;
  readonly request: protobuf.Type;
  readonly response: protobuf.Type;
}

/** Why a method cannot be called. */
type MethodDiagnostic = Diagnostic<"/method">;

/**
 * Finds `package.Service/Method`.
 *
 * @param file the schema file, for messages
 */
export function findMethod(
  schema: Schema,
  name: string,
  file: string,
): UnaryMethod | MethodDiagnostic {
  const slash = name.indexOf("/");
  const [serviceName, methodName] = [
    name.slice(0, slash),
    name.slice(slash + 1),
  ];
  const service = schema.services.get(serviceName);
  if (!service) return noService(schema, serviceName, methodName, file);
  const method = Object.hasOwn(service.methods, methodName)
    ? service.methods[methodName]
    : undefined;
  if (!method) return noMethod(service, methodName);
  if (!isUnary(method)) return streaming(method);
  method.resolve();
  const { resolvedRequestType, resolvedResponseType } = method;
  return {
    path: `/${serviceName}/${methodName}`,
    request: resolvedRequestType!,
    response: resolvedResponseType!,
  };
}

function noService(
  { services }: Schema,
  name: string,
  method: string,
  file: string,
): MethodDiagnostic {
  const names = [...services.keys()];
  const short = (full: string) => full.slice(full.lastIndexOf(".") + 1);
  const near = nearest(name, names) ??
    names.find((each) => short(each) === short(name)) ??
    names.find((each) =>
      short(each) === nearest(short(name), names.map(short))
    );
  return {
    at: "/method",
    code: "unknown-method",
    message: `\`${file}\` has no service \`${name}\``,
    hint: near
      ? `did you mean \`${near}/${method}\`?`
      : names.length > 0
      ? `its services: ${names.join(", ")}`
      : "it has no services at all",
  };
}

function noMethod(service: protobuf.Service, name: string): MethodDiagnostic {
  const names = service.methodsArray.map((each) => each.name);
  return {
    at: "/method",
    code: "unknown-method",
    message: `the service \`${nameOf(service)}\` has no method \`${name}\``,
    hint: didYouMean(name, names) ?? unaryOf(service),
  };
}

function streaming(method: protobuf.Method): MethodDiagnostic {
  const { requestStream, responseStream } = method;
  const side = !requestStream
    ? "the server side"
    : !responseStream
    ? "the client side"
    : "both sides";
  return {
    at: "/method",
    code: "streaming-method",
    message:
      `\`${method.name}\` streams on ${side}, and only unary methods can be called`,
    hint: unaryOf(method.parent as protobuf.Service),
  };
}

/**
 * The fields that a part of a method's request may have, by the names that the schema
 * gives them, with JSON Schemas of their values; none of what is no message.
 *
 * @param below the way to that part: names of fields, keys of maps, positions in lists
 */
export function fieldKeys(
  schema: Schema,
  method: string,
  below: readonly (string | number)[],
): Record<string, JsonObject> {
  const { library } = schema;
  const found = findMethod(schema, method, "");
  let type = "code" in found ? undefined : found.request;
  const way = [...below];
  while (type && way.length > 0) {
    const name = String(way.shift());
    const field: protobuf.Field | undefined = fieldOf(type, name);
    // Behind it is a key of the map, or a position in the list.
    if (field?.map || field?.repeated) way.shift();
    const next = field?.resolve().resolvedType;
    type = next instanceof library.protobuf.Type ? next : undefined;
  }
  return Object.fromEntries(
    (type?.fieldsArray ?? []).map((field) => [
      writtenNameOf(field),
      formOf(field.resolve(), library),
    ]),
  );
}

function formOf(field: protobuf.Field, library: Library): JsonObject {
  const of = describeField(field, library);
  if (field.repeated) {
    return { type: "array", description: `a list, each item ${of}` };
  }
  if (field.map) {
    return { type: "object", description: `a map, each value ${of}` };
  }
  const isMessage = field.resolvedType instanceof library.protobuf.Type;
  return { ...isMessage && { type: "object" }, description: of };
}

/** Every method that can be called, as `package.Service/Method`. */
export function unaryMethods({ services }: Schema): string[] {
  return [...services].flatMap(([service, { methodsArray }]) =>
    methodsArray.filter(isUnary).map(({ name }) => `${service}/${name}`)
  );
}

function isUnary({ requestStream, responseStream }: protobuf.Method): boolean {
  return !requestStream && !responseStream;
}

function unaryOf(service: protobuf.Service): string {
  const unary = service.methodsArray.filter(isUnary).map(({ name }) => name);
  return unary.length > 0
    ? `unary methods of \`${nameOf(service)}\`: ${unary.join(", ")}`
    : `\`${nameOf(service)}\` has no unary method`;
}
