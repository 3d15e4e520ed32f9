import { ASSERTION_PATTERN } from "../expressions/assertion_pattern.ts";
import { THRESHOLD_PATTERN } from "../expressions/threshold.ts";
import { FLOW_KEYS } from "../parse/flow.ts";
import { TARGET_KEYS } from "../parse/target.ts";
import type { Form } from "../source/form.ts";
import { mappingWith } from "../source/mapping_form.ts";
import type { JsonObject } from "../../base/values/json.ts";
import { authForm } from "./auth_form.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Any JSON value; its keys hold no templates. */
const PAYLOAD: Form = {
  type: ["null", "boolean", "number", "string", "array", "object"],
  items: { $ref: "#/$defs/payload" },
  propertyNames: { not: { pattern: "\\{\\{|^\\{ .* \\}$" } },
  additionalProperties: { $ref: "#/$defs/payload" },
};

/** The JSON Schema of a flow file, from the tables the parser reads it by. */
export function flowSchema(): JsonObject {
  return {
    $schema: DIALECT,
    title: "bench flow",
    description: "A scripted flow of requests, run by bench",
    ...mappingWith(FLOW_KEYS),
    $defs: {
      payload: PAYLOAD,
      assertion: {
        description: "<subject> <operator> <value>, such as status == 200",
        type: "string",
        pattern: ASSERTION_PATTERN,
      },
      threshold: {
        description: "<measure> <operator> <limit>, such as error_rate < 1%",
        type: "string",
        pattern: THRESHOLD_PATTERN,
      },
      auth: authForm(),
    },
  };
}

/** The JSON Schema of a target file, from the table the parser reads it by. */
export function targetSchema(): JsonObject {
  return {
    $schema: DIALECT,
    title: "bench target",
    description: "Where a bench run may go, and how hard",
    ...mappingWith(TARGET_KEYS),
  };
}
