import type protobuf from "protobufjs";
import { jsonNameOf, writtenNameOf } from "./json_names.ts";

/** The field of a JSON key: by its JSON name or as the schema spells it. */
export function fieldOf(
  type: protobuf.Type,
  key: string,
): protobuf.Field | undefined {
  return type.fieldsArray.find((each) =>
    jsonNameOf(each) === key || writtenNameOf(each) === key
  );
}
