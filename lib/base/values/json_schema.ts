import * as v from "valibot";
import { isObject, type JsonObject, type JsonValue } from "./json.ts";

/** Any JSON value; its deep shape is checked by its owner. */
export const anyJson: v.GenericSchema<JsonValue> = v.custom<JsonValue>(
  (value) => value !== undefined,
);

/** A JSON object, likewise. */
export const anyObject: v.GenericSchema<JsonObject> = v.custom<JsonObject>(
  isObject,
  "Invalid type: Expected object",
);
