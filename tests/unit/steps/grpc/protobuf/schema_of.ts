import {
  readSchema,
  type SchemaReading,
} from "../../../../../lib/steps/grpc/protobuf/method.ts";

/** Reads a schema from texts by path; the first one is the main file. */
export function schemaOf(
  files: Readonly<Record<string, string>>,
  importPaths: readonly string[] = [],
): Promise<SchemaReading> {
  const readBytes = (path: string) => {
    const text = files[path];
    if (text === undefined) throw new Deno.errors.NotFound(path);
    return new TextEncoder().encode(text);
  };
  return readSchema({
    files: { directory: ".", readBytes },
    main: Object.keys(files)[0] ?? "none.proto",
    importPaths,
  });
}
