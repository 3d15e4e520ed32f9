import type { Diagnostic } from "../../base/text/diagnostic.ts";
import {
  compileText,
  type Names,
  parseTemplate,
  quote,
} from "../../language/expressions/template.ts";
import {
  badInValue,
  FRAMING_FIELDS,
  TOKEN,
} from "../../base/values/headers.ts";
import { child, type JsonObject } from "../../base/values/json.ts";
import { AuthError } from "./scheme.ts";

/** The use of a name. Only query parameters may hold any character. */
type NameUse = "header field" | "cookie" | "query parameter";

/**
 * A header, cookie or parameter name made ready: literals and env only, so
 * that it is known before the first request.
 *
 * @throws {AuthError} when it changes with the iteration or is no legal name
 */
export function fixedName(
  text: string,
  key: string,
  use: NameUse,
  names: Names,
): string {
  const name = compileText(text, names).constant;
  if (name === undefined) throw refused(changing(text, key));
  const error = illegal(name, key, use);
  if (error) throw refused(error);
  return name;
}

/** The text under `key`, as far as the flow says it; of a template only the run knows. */
export function literalOf(block: JsonObject, key: string): string | undefined {
  const text = block[key];
  return typeof text === "string" && !text.includes("{{") ? text : undefined;
}

/** The error in the name under `key`, as far as the block alone shows. */
export function nameErrors(
  block: JsonObject,
  key: string,
  use: NameUse,
): readonly Diagnostic<string>[] {
  const text = block[key];
  if (typeof text !== "string") return [];
  const literal = literalOf(block, key);
  const error = literal !== undefined
    ? illegal(literal, key, use)
    : changingReference(text) && changing(text, key);
  return error ? [error] : [];
}

/** The names under `keys` for the clash check, without those that are templates. */
export function literalNames(
  block: JsonObject,
  ...keys: readonly string[]
): readonly string[] {
  return keys.flatMap((key) => literalOf(block, key) ?? []);
}

/** The names of header fields under `keys`, in lower case, without those that are templates. */
export function literalHeaderNames(
  block: JsonObject,
  ...keys: readonly string[]
): readonly string[] {
  return literalNames(block, ...keys).map((name) => name.toLowerCase());
}

/** The first reference that is not env; a malformed template is not ours to report. */
function changingReference(text: string): string | undefined {
  try {
    for (const part of parseTemplate(text)) {
      if (typeof part === "object" && part.root !== "env") return quote(part);
    }
  } catch {
    return undefined;
  }
}

function changing(text: string, key: string): Diagnostic<string> {
  return {
    at: child("", key),
    code: "changing-name",
    message:
      `\`${key}\` is not templated, so that it is the same for every request, but \`${
        changingReference(text) ?? text
      }\` can change`,
    hint: "write the name out, or take it from {{ env.* }}",
  };
}

function illegal(
  name: string,
  key: string,
  use: NameUse,
): Diagnostic<string> | undefined {
  if (use === "header field" && FRAMING_FIELDS.has(name.toLowerCase())) {
    return {
      at: child("", key),
      code: "framing-header",
      message:
        `\`${key}\` cannot be \`${name}\`: the engine writes what frames a request`,
      hint: "choose another header field",
    };
  }
  if (use === "query parameter" ? name !== "" : TOKEN.test(name)) return;
  return {
    at: child("", key),
    code: "bad-name",
    message: `\`${key}\` must be the name of a ${use}, but it is ${
      JSON.stringify(name)
    }`,
    ...(use !== "query parameter" &&
      { hint: "letters, digits and !#$%&'*+-.^_`|~ are allowed in a name" }),
  };
}

function refused(error: Diagnostic<string>): AuthError {
  return new AuthError(error.code, error.message);
}

/** The errors in the values under `keys` as parts of a header; a template is not known yet. */
export function valueErrors(
  block: JsonObject,
  ...keys: readonly string[]
): readonly Diagnostic<string>[] {
  return keys.flatMap((key) => {
    const value = literalOf(block, key) ?? "";
    const bad = badInValue(value);
    return bad === undefined ? [] : [{
      at: child("", key),
      code: "bad-credential",
      message: `\`${key}\` holds ${bad}, which a header cannot carry`,
      ...(/[\r\n]/.test(value) && {
        hint: "a value that was read from a file often ends in a line break",
      }),
    }];
  });
}
