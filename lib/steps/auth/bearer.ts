import * as v from "valibot";
import { compileText } from "../../language/expressions/template.ts";
import { valueMistakes } from "./header_value.ts";
import type { Scheme } from "./scheme.ts";

const schema = v.strictObject({
  scheme: v.literal("bearer"),
  token: v.string(),
});

/** `Authorization: Bearer <token>` (RFC 6750 section 2.1). */
export const bearer: Scheme = {
  name: "bearer",
  keys: {
    token: {
      required: true,
      doc: "the token: one {{ env.* }} template or an extracted variable",
    },
  },
  secrets: ["token"],
  templated: ["token"],
  allowsVariable: true,
  choices: {},
  lists: [],
  defaults: {},
  schema,
  check: (block) => valueMistakes(block, "token"),
  headerNames: () => ["authorization"],
  prepare(block, { names }) {
    const { token } = v.parse(schema, block);
    return {
      headers: [["Authorization", compileText(`Bearer ${token}`, names)]],
      query: [],
    };
  },
};
