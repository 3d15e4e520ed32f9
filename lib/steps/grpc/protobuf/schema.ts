import type protobuf from "protobufjs";
import { nameGroup, nameOf } from "./json_names.ts";
import { declaredIn, type Library, loadLibrary } from "./library.ts";
import type { SchemaDiagnostic } from "./syntax_error.ts";
import { parseFiles, type SchemaSource } from "./proto_files.ts";
import { unresolvedTypes } from "./unresolved.ts";

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
