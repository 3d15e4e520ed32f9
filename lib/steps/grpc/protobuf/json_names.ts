import type protobuf from "protobufjs";

/** The full name of a message, service or field, without its leading dot. */
export function nameOf({ fullName }: protobuf.ReflectionObject): string {
  return fullName.replace(/^\./, "");
}

/**
 * Gives a group the name protoc gives it: the group's name in lower case
 * (`MultiWord` is `multiword`), where the library's begins with a small letter.
 */
export function nameGroup(field: protobuf.Field): void {
  const type = field.resolvedType as (protobuf.Type & { group?: true }) | null;
  if (!type?.group) return;
  const name = type.name.toLowerCase();
  Object.assign(field, { protoName: name, jsonName: name });
}

/** The key of a field in JSON; that of an extension is its full name in brackets. */
export function jsonNameOf(field: protobuf.Field): string {
  const { declaringField } = field;
  if (!declaringField) return field.jsonName ?? field.name;
  const { protoName = "" } = declaringField;
  return `[${nameOf(declaringField).replace(/[^.]+$/, protoName)}]`;
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
