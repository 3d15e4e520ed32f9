import type protobuf from "protobufjs";
import type { Library } from "./library.ts";

/**
 * Gives groups the names protoc gives them: the group's name in lower case
 * (`MultiWord` is `multiword`), where the library's begin with a small letter.
 */
export function nameGroups(
  space: protobuf.NamespaceBase,
  library: Library,
): void {
  const { Field, Namespace, Type } = library.protobuf;
  if (space instanceof Type) space.fieldsArray.forEach(nameGroup);
  for (const each of space.nestedArray) {
    if (each instanceof Field) nameGroup(each);
    else if (each instanceof Namespace) nameGroups(each, library);
  }
}

function nameGroup(field: protobuf.Field): void {
  const type = field.resolvedType as (protobuf.Type & { group?: true }) | null;
  if (!type?.group) return;
  const name = type.name.toLowerCase();
  Object.assign(field, { protoName: name, jsonName: name });
}

/** The key of a field in JSON; that of an extension is its full name in brackets. */
export function jsonNameOf(field: protobuf.Field): string {
  const { declaringField } = field;
  if (!declaringField) return field.jsonName ?? field.name;
  const { fullName, protoName = "" } = declaringField;
  return `[${fullName.replace(/^\./, "").replace(/[^.]+$/, protoName)}]`;
}

/** What a field is called in messages: as its schema spells it. */
export function writtenNameOf(field: protobuf.Field): string {
  return field.declaringField
    ? jsonNameOf(field)
    : field.protoName ?? field.name;
}

/** The field of a JSON key: by its JSON name or as the schema spells it. */
export function fieldOf(
  type: protobuf.Type,
  key: string,
): protobuf.Field | undefined {
  return type.fieldsArray.find((each) =>
    jsonNameOf(each) === key || writtenNameOf(each) === key
  );
}
