import * as v from "valibot";
import type { JsonObject } from "../../base/values/json.ts";
import { anyObject } from "../../base/values/json_schema.ts";
import {
  defaulted,
  type ObjectOf,
  optional,
  required,
} from "../fields/field.ts";
import { entriesOf } from "../fields/read_fields.ts";
import { matching, oneOf } from "../fields/scalars.ts";
import { assertions } from "./assertions.ts";
import { extract } from "./extract.ts";
import { retry } from "./retry.ts";
import { throttle } from "./throttle.ts";

const ON_FAILURE = ["abort_flow", "abort_run", "record"] as const;
export type OnFailure = (typeof ON_FAILURE)[number];

const CAPTURES = ["full", "headers", "none"] as const;
/** How much of a request and its response a kept trace holds. Not in YAML. */
export type Capture = (typeof CAPTURES)[number];

/** The name of a step; `.` and `@` are those of spans. */
const id = matching(/^[^.@]*[^.@\s][^.@]*$/, (text) => {
  const reserved = /[.@]/.exec(text)?.[0];
  return {
    code: "bad-id",
    message: reserved
      ? `the id "${text}" has a \`${reserved}\` in it: \`.\` and \`@\` are reserved for span names`
      : "a step's id cannot be empty",
    hint: reserved && `for example \`${text.replaceAll(/[.@]+/g, "_")}\``,
  };
});

/** The keys of a step that are read the same way for every kind. */
export const STEP = {
  id: required(
    id,
    "the step's name, unique in the flow; `.` and `@` are reserved for span names",
  ),
  extract: optional(
    extract,
    "variables taken from the response, by JSON path",
  ),
  assert: optional(assertions(), "conditions on the response"),
  retry: optional(retry, "when to retry, and how long to wait"),
  throttle: optional(
    throttle,
    "statuses that mean rate limiting, besides 429",
  ),
  on_failure: defaulted(
    oneOf(ON_FAILURE),
    ON_FAILURE[0],
    "what a failure means",
  ),
  capture: optional(
    oneOf(CAPTURES),
    `how much a kept trace holds: ${CAPTURES.join(", ")}`,
    { sdk: true },
  ),
};

/** A step of the IR. */
export type Step = ObjectOf<typeof STEP> & {
  /** The action key: `call`, `poll`, `wait` ... */
  readonly kind: string;
  /** Sealed: only the folder of the kind gives it a type. */
  readonly block: JsonObject;
  /** Sealed: only the scheme named by `scheme` gives it a type. */
  readonly auth?: JsonObject;
};

/** A step of the IR, strictly; the blocks stay sealed. */
export const stepSchema = v.strictObject({
  id: id.schema,
  kind: v.string(),
  block: anyObject,
  ...entriesOf(STEP),
  auth: v.exactOptional(anyObject),
}) as unknown as v.GenericSchema<unknown, Step>;
