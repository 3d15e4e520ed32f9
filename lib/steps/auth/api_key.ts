import * as v from "valibot";
import { compileText } from "../../language/expressions/template.ts";
import type { JsonObject } from "../../base/values/json.ts";
import {
  fixedName,
  literalHeaderNames,
  literalNames,
  nameMistakes,
} from "./fixed_name.ts";
import { valueMistakes } from "./header_value.ts";
import type { Scheme } from "./scheme.ts";

const PLACES = ["header", "query"] as const;

const schema = v.strictObject({
  scheme: v.literal("api_key"),
  name: v.string(),
  value: v.string(),
  in: v.picklist(PLACES),
});

/** One header field or query parameter that carries a key. */
export const apiKey: Scheme = {
  name: "api_key",
  keys: {
    name: {
      required: true,
      doc: "name of the header field or query parameter",
    },
    value: { required: true, doc: "the key: one {{ env.* }} template" },
    in: { doc: "where the key goes: header (default) or query" },
  },
  secrets: ["value"],
  templated: ["name", "value"],
  allowsVariable: false,
  choices: { in: PLACES },
  lists: [],
  defaults: { in: "header" },
  schema,
  check: (block) => [
    ...nameMistakes(block, "name", useOf(block)),
    ...block.in === "query" ? [] : valueMistakes(block, "value"),
  ],
  headerNames: (block) =>
    block.in === "query" ? [] : literalHeaderNames(block, "name"),
  queryNames: (block) =>
    block.in === "query" ? literalNames(block, "name") : [],
  prepare(block, { names }) {
    const { name, value, in: place } = v.parse(schema, block);
    const pair = [
      fixedName(name, "name", useOf(block), names),
      compileText(value, names),
    ] as const;
    return place === "header"
      ? { headers: [pair], query: [] }
      : { headers: [], query: [pair] };
  },
};

function useOf(block: JsonObject): "header field" | "query parameter" {
  return block.in === "query" ? "query parameter" : "header field";
}
