import { compileText } from "../../language/expressions/template.ts";
import { type ObjectOf, required } from "../../language/fields/field.ts";
import { secret } from "../../language/fields/templates.ts";
import { valueErrors } from "./fixed_name.ts";
import type { Scheme } from "./scheme.ts";

const fields = {
  token: required(
    secret({ variable: true }),
    "the token: one {{ env.* }} template or an extracted variable",
  ),
};

/** `Authorization: Bearer <token>` (RFC 6750 section 2.1). */
export const bearer: Scheme<ObjectOf<typeof fields>> = {
  name: "bearer",
  doc: "`Authorization: Bearer <token>`",
  fields,
  prefix: "Bearer",
  check: (block) => valueErrors(block, "token"),
  headerNames: () => ["authorization"],
  prepare: ({ token }, { names }) => ({
    headers: [["Authorization", compileText(`Bearer ${token}`, names)]],
  }),
};
