import type protobuf from "protobufjs";
import { describeField } from "./field_words.ts";
import { nameOf, writtenNameOf } from "./json_names.ts";
import type { Decoded } from "./json_writer.ts";
import type { Library } from "./library.ts";
import type { Diagnostic, IrLocation } from "../../../base/text/diagnostic.ts";

/** The first required field that a message leaves out, such as `p.Item.id`. */
type FindMissing = (message: protobuf.Message) => string | undefined;

/**
 * Looks for required fields (proto2) that have no value, in messages inside the
 * message, too. The library would send them with their defaults.
 *
 * @returns undefined when no message of the type can have one
 */
export function compileRequired(
  type: protobuf.Type,
  library: Library,
): FindMissing | undefined {
  return typesWithin(type, library).some(hasRequired)
    ? (message) => missingIn(type, message as unknown as Decoded, library)
    : undefined;
}

/** The type and all that its fields lead to. */
export function typesWithin(
  type: protobuf.Type,
  library: Library,
): readonly protobuf.Type[] {
  const found = new Set([type]);
  // What is added while the set is walked is walked as well.
  for (const each of found) {
    for (const field of each.fieldsArray) {
      const { resolvedType } = field.resolve();
      if (resolvedType instanceof library.protobuf.Type) {
        found.add(resolvedType);
      }
    }
  }
  return [...found];
}

function hasRequired({ fieldsArray }: protobuf.Type): boolean {
  return fieldsArray.some(({ required }) => required);
}

function missingIn(
  type: protobuf.Type,
  message: Decoded,
  library: Library,
): string | undefined {
  for (const field of type.fieldsArray) {
    // Defaults are properties of the prototype.
    const value = Object.hasOwn(message, field.name)
      ? message[field.name]
      : undefined;
    if (value === undefined || value === null) {
      if (field.required) return `${nameOf(type)}.${writtenNameOf(field)}`;
      continue;
    }
    const { resolvedType } = field;
    if (!(resolvedType instanceof library.protobuf.Type)) continue;
    const inner = field.map || field.repeated ? Object.values(value) : [value];
    for (const each of inner) {
      const missing = missingIn(resolvedType, each, library);
      if (missing !== undefined) return missing;
    }
  }
  return undefined;
}

/** The required fields of a type that a message as it is written leaves out. */
export function missingFields(
  type: protobuf.Type,
  given: ReadonlySet<protobuf.Field>,
  pointer: string,
  library: Library,
): Diagnostic<IrLocation>[] {
  return type.fieldsArray
    .filter((field) => field.required && !given.has(field))
    .map((field) => {
      const name = writtenNameOf(field.resolve());
      return {
        at: pointer,
        code: "missing-field",
        message: `\`${nameOf(type)}\` needs \`${name}\`, a required field`,
        hint: `\`${name}\`: ${describeField(field, library)}`,
      };
    });
}
