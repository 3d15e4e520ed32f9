import * as v from "valibot";
import { compileText } from "../../language/expressions/template.ts";
import { fixedName, nameMistakes } from "./fixed_name.ts";
import { valueMistakes } from "./header_value.ts";
import type { Scheme } from "./scheme.ts";

const schema = v.strictObject({
  scheme: v.literal("cookie"),
  name: v.string(),
  value: v.string(),
});

/**
 * One `name=value` pair in the `Cookie` field (RFC 6265 section 4.2). The value
 * goes out as it is: encoding it is the business of whoever issued it.
 */
export const cookie: Scheme = {
  name: "cookie",
  keys: {
    name: { required: true, doc: "name of the cookie" },
    value: {
      required: true,
      doc: "value of the cookie: one {{ env.* }} template",
    },
  },
  secrets: ["value"],
  templated: ["name", "value"],
  allowsVariable: false,
  choices: {},
  lists: [],
  defaults: {},
  schema,
  check: (block) => [
    ...nameMistakes(block, "name", "cookie"),
    ...valueMistakes(block, "value"),
  ],
  // The pair joins a declared `Cookie` field, so that there is no clash.
  headerNames: () => [],
  prepare(block, { names }) {
    const { name, value } = v.parse(schema, block);
    return {
      headers: [],
      query: [],
      cookie: [
        fixedName(name, "name", "cookie", names),
        compileText(value, names),
      ],
    };
  },
};
