import type { JSONPathQuery } from "json-p3";
import type { JsonValue } from "../../base/values/json.ts";
import { looseFilter } from "./query_check.ts";

/*
 * JSON paths that may match several nodes go to json-p3, which follows RFC 9535
 * to the letter. It costs 30 ms to load, so it is loaded only for a flow that
 * has such a path.
 */

type Environment = import("json-p3").JSONPathEnvironment;
type Library = typeof import("json-p3")["jsonpath"];

let loaded: { environment: Environment; library: Library } | undefined;

/** Makes `compileQuery` usable in this thread. Cheap to call again. */
export async function loadQueries(): Promise<void> {
  if (loaded) return;
  const { jsonpath: library } = await import("json-p3");
  const environment = new library.JSONPathEnvironment();
  override(environment, "match", (own) => (value, pattern) =>
    // The library's own tries a number as its text (RFC 9535 section 2.4.6).
    typeof value === "string" && own(value, pattern));
  override(environment, "length", (own) => (value) =>
    // The library's own counts UTF-16 units (RFC 9535 section 2.4.4).
    typeof value === "string" ? [...value].length : own(value));
  loaded ??= { environment, library };
}

type Call = (...values: unknown[]) => unknown;

function override(
  { functionRegister }: Environment,
  name: string,
  better: (own: Call) => Call,
): void {
  const own = functionRegister.get(name)!;
  const { argTypes, returnType } = own;
  const call = better((...values) => own.call(...values));
  functionRegister.set(name, { argTypes, returnType, call });
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
  if (!loaded) throw new Error("loadQueries() was not awaited");
  const refuse = (why: string) =>
    new SyntaxError(`${path} is not a JSON path: ${why}`);
  let query: JSONPathQuery;
  try {
    query = loaded.environment.compile(path);
  } catch (error) {
    // The library ends with a piece of the text and an index into it.
    throw refuse((error as Error).message.replace(/ \('.*':\d+\)$/s, ""));
  }
  const why = looseFilter(query, loaded.library);
  if (why !== undefined) throw refuse(why);
  return (value) => query.query(value as never).values() as JsonValue[];
}
