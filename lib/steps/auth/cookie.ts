import { compileText } from "../../language/expressions/template.ts";
import { type ObjectOf, required } from "../../language/fields/field.ts";
import { secret, templated } from "../../language/fields/templates.ts";
import type { Diagnostic } from "../../base/text/diagnostic.ts";
import type { JsonObject } from "../../base/values/json.ts";
import {
  fixedName,
  literalNames,
  literalOf,
  nameErrors,
  valueErrors,
} from "./fixed_name.ts";
import type { Scheme } from "./scheme.ts";

const fields = {
  name: required(templated, "name of the cookie"),
  value: required(
    secret(),
    "value of the cookie: one {{ env.* }} template",
  ),
};

/** The error of a value that would begin another cookie, as far as the block alone shows. */
function cookieErrors(block: JsonObject): readonly Diagnostic<string>[] {
  if (!literalOf(block, "value")?.includes(";")) return [];
  return [{
    at: "/value",
    code: "bad-credential",
    message: "`value` holds `;`, which would begin another cookie",
    hint: "it is the value of one cookie, without its name and attributes",
  }];
}

/**
 * One `name=value` pair in the `Cookie` field (RFC 6265 section 4.2). The value
 * goes out as it is: encoding it is up to the server that issued it.
 */
export const cookie: Scheme<ObjectOf<typeof fields>> = {
  name: "cookie",
  doc: "`Cookie: <name>=<value>`, beside the cookies the step declares.",
  fields,
  check: (block) => [
    ...nameErrors(block, "name", "cookie"),
    ...valueErrors(block, "value"),
    ...cookieErrors(block),
  ],
  // The pair joins a declared `Cookie` field, so that no header clashes.
  cookieNames: (block) => literalNames(block, "name"),
  prepare: ({ name, value }, { names }) => ({
    cookie: [
      fixedName(name, "name", "cookie", names),
      compileText(value, names),
    ],
  }),
};
