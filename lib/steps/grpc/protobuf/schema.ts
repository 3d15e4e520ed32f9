import type protobuf from "protobufjs";
import { nameGroups } from "./json_names.ts";
import { type Library, loadLibrary } from "./library.ts";
import type { SchemaMistake } from "./mistake.ts";
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
export type SchemaReading =
  | { readonly schema: Schema; readonly mistakes: readonly [] }
  | {
    readonly schema?: undefined;
    readonly mistakes: readonly SchemaMistake[];
  };

/** Reads a schema with its imports and looks every type up. */
export async function readSchema(source: SchemaSource): Promise<SchemaReading> {
  const library = await loadLibrary();
  const { root, files, mistakes } = await parseFiles(library, source);
  // A file that was not read would make every type of it a mistake, too.
  if (mistakes.length > 0) return { mistakes };
  try {
    root.resolveAll();
  } catch (error) {
    return { mistakes: unresolvedTypes(root, files, error as Error, library) };
  }
  nameGroups(root, library);
  const services = new Map<string, protobuf.Service>();
  collectServices(root, services, library);
  return { schema: { library, root, services }, mistakes: [] };
}

/** The full name of a message, service or field, without its leading dot. */
export function nameOf({ fullName }: protobuf.ReflectionObject): string {
  return fullName.replace(/^\./, "");
}

function collectServices(
  space: protobuf.NamespaceBase,
  services: Map<string, protobuf.Service>,
  library: Library,
): void {
  const { Namespace, Service } = library.protobuf;
  for (const each of space.nestedArray) {
    if (each instanceof Service) services.set(nameOf(each), each);
    else if (each instanceof Namespace) {
      collectServices(each, services, library);
    }
  }
}
