import * as v from "valibot";
import { Refused } from "../../lib/base/errors/bench_error.ts";
import { DRAFTING, IMPORT_SOURCES } from "../import/import_options.ts";
import { environmentOf } from "./inputs.ts";
import { method, said, surroundings } from "./method.ts";

/** Flows of something else, as the files that `bench import --out` writes; nothing is written. */
export const imported = method(
  "make flows of curl commands, a recorded journey (HAR), an OpenAPI file or a Postman collection; gives the files to write",
  {
    ...surroundings,
    from: said(v.picklist(IMPORT_SOURCES), "what it is made from"),
    source: said(
      v.pipe(v.array(v.string()), v.minLength(1)),
      "curl: the command line; har: the path of one recording, or of two of the same journey; openapi, postman: the path of the file",
    ),
  },
  DRAFTING,
  async ({ from, source, flags, ...rest }, call) => {
    if (source.includes("-")) {
      throw new Refused(
        "standard input has the requests",
        "give the command line itself",
      );
    }
    // Few clients import anything.
    const { importedFiles, importedFrom, notesOf, variablesOf } = await import(
      "../import/import_command.ts"
    );
    const environment = environmentOf(rest, call);
    const { drafts } = await importedFrom(from, source, flags, environment);
    return {
      files: await importedFiles(drafts, call.console, flags),
      variables: variablesOf(drafts),
      notes: notesOf(drafts),
    };
  },
);
