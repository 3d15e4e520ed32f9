import { compileText } from "../../language/expressions/template.ts";
import {
  defaulted,
  type ObjectOf,
  required,
} from "../../language/fields/field.ts";
import { oneOf } from "../../language/fields/scalars.ts";
import { secret, templated } from "../../language/fields/templates.ts";
import type { JsonObject } from "../../base/values/json.ts";
import {
  fixedName,
  literalHeaderNames,
  literalNames,
  nameErrors,
  valueErrors,
} from "./fixed_name.ts";
import type { Scheme } from "./scheme.ts";

const LOCATIONS = ["header", "query"] as const;

const fields = {
  name: required(templated, "name of the header field or query parameter"),
  value: required(secret(), "the key: one {{ env.* }} template"),
  in: defaulted(
    oneOf(LOCATIONS),
    LOCATIONS[0],
    "where the key goes",
  ),
};

/** One header field or query parameter that carries a key. */
export const apiKey: Scheme<ObjectOf<typeof fields>> = {
  name: "api_key",
  doc: "A header field, or with `in: query` a query parameter.",
  fields,
  check: (block) => [
    ...nameErrors(block, "name", useOf(block)),
    ...block.in === "query" ? [] : valueErrors(block, "value"),
  ],
  headerNames: (block) =>
    block.in === "query" ? [] : literalHeaderNames(block, "name"),
  queryNames: (block) =>
    block.in === "query" ? literalNames(block, "name") : [],
  queryAt: (block) =>
    block.in === "query"
      ? { at: "/in", hint: "`in: header` sends it in a header field" }
      : undefined,
  prepare(block, { names }) {
    const { name, value, in: location } = block;
    const pair = [
      fixedName(name, "name", useOf(block), names),
      compileText(value, names),
    ] as const;
    return location === "header" ? { headers: [pair] } : { query: [pair] };
  },
};

function useOf(block: JsonObject): "header field" | "query parameter" {
  return block.in === "query" ? "query parameter" : "header field";
}
