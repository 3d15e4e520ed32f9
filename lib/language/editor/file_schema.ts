import type { JsonObject } from "../../base/values/json.ts";
import { ASSERTION_PATTERN } from "../expressions/assertion_ir.ts";
import { THRESHOLD_PATTERN } from "../expressions/threshold.ts";
import { formOf } from "../fields/form.ts";
import type { Form } from "../fields/value.ts";
import { authForm } from "../flow/auth.ts";
import { flowFields } from "../flow/flow.ts";
import type { Registry } from "../flow/registry.ts";
import { target } from "../flow/target.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Any JSON value; its keys hold no templates. */
const PAYLOAD: Form = {
  type: ["null", "boolean", "number", "string", "array", "object"],
  items: { $ref: "#/$defs/payload" },
  propertyNames: { not: { pattern: "\\{\\{|^\\{ .* \\}$" } },
  additionalProperties: { $ref: "#/$defs/payload" },
};

/** The JSON Schema of a flow file, from the tables the reader reads it by. */
export function flowSchema(registry: Registry): JsonObject {
  return {
    $schema: DIALECT,
    title: "bench flow",
    description: "A scripted flow of requests, run by bench",
    ...formOf(flowFields(registry)),
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
      auth: authForm(registry.schemes),
    },
  };
}

/** The JSON Schema of a target file, from the table the reader reads it by. */
export function targetSchema(): JsonObject {
  return {
    $schema: DIALECT,
    title: "bench target",
    description: "Where a bench run may go, and how hard",
    ...target.form,
  };
}
