import type { JsonObject } from "../../base/values/json.ts";
import type { Offer } from "../../language/source/offer.ts";
import type { BlockFiles } from "../../language/flow/kind.ts";
import { unaryMethods } from "./protobuf/method.ts";
import { readSchema } from "./protobuf/schema.ts";

/** What an editor may offer for a value of a `grpc` block. */
export async function offerGrpc(
  [key]: readonly (string | number)[],
  written: JsonObject,
  files: BlockFiles,
): Promise<Offer> {
  if (key === "proto") return { files: [".proto"] };
  if (key === "import_paths") return { folders: true };
  if (key !== "method" || typeof written["proto"] !== "string") return {};
  const paths = written["import_paths"];
  const { schema } = await readSchema({
    directory: files.directory,
    main: written["proto"],
    importPaths: Array.isArray(paths)
      ? paths.filter((each) => typeof each === "string")
      : [],
    readBytes: (path) => files.readBytes(path),
  });
  return { words: schema ? unaryMethods(schema) : [] };
}
