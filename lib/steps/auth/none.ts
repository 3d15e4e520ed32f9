import * as v from "valibot";
import type { Scheme } from "./scheme.ts";

const schema = v.strictObject({ scheme: v.literal("none") });

/** Sends nothing: opts a step out of the flow's default. */
export const none: Scheme = {
  name: "none",
  keys: {},
  secrets: [],
  templated: [],
  allowsVariable: false,
  choices: {},
  lists: [],
  defaults: {},
  schema,
  check: () => [],
  headerNames: () => [],
  prepare(block) {
    v.parse(schema, block);
    return { headers: [], query: [] };
  },
};
