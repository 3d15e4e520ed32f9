import type { JsonValue } from "../values/json.ts";

/*
 * JSON paths that may match several nodes go to json-p3, which follows RFC 9535
 * to the letter. It costs 30 ms to load, so it is loaded only for a flow that
 * has such a path.
 */

type Library = typeof import("json-p3");

let library: Library | undefined;

/** Makes `compileQuery` usable in this thread. Cheap to call again. */
export async function loadQueries(): Promise<void> {
  library ??= await import("json-p3");
}

/**
 * Whether `text` (a flow file, an IR) holds a path that needs the library.
 * Errs on the side of loading.
 */
export function mentionsQuery(text: string): boolean {
  return [...text.matchAll(/\$[^\s"]*/g)].some(([path]) =>
    !SINGULAR.test(path.replace(/[,}']+$/, ""))
  );
}

/** What `json_path.ts` reads without the library, without spaces in quotes. */
const SINGULAR = /^\$(?:\.[\p{L}_][\p{L}\p{N}_-]*|\[-?\d+\]|\['[^'\s]*'\])*$/u;

/**
 * Compiles any RFC 9535 query to a function that lists what it matches.
 *
 * @throws {SyntaxError} when the query is malformed
 */
export function compileQuery(
  path: string,
): (value: JsonValue) => readonly JsonValue[] {
  if (!library) throw new Error("loadQueries() was not awaited");
  try {
    const query = library.compile(path);
    return (value) => query.query(value as never).values() as JsonValue[];
  } catch (error) {
    throw new SyntaxError(
      `${path} is not a JSON path: ${(error as Error).message}`,
    );
  }
}
