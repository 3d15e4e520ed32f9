import type protobuf from "protobufjs";
import { nearest } from "../../../base/text/suggest.ts";
import { oneSpelling } from "../../../language/json_path/one_spelling.ts";
import { searchKeys } from "../../../language/json_path/json_path.ts";
import { isNumber } from "../../../base/values/numbers.ts";
import type { JsonValue } from "../../../base/values/json.ts";
import type {
  BodyCheck,
  BodyProblem,
} from "../../../language/flow/registry.ts";
import { describeField, describeValue } from "./field_words.ts";
import { jsonNameOf, nameOf, SPECIAL } from "./json_writer.ts";
import type { Library } from "./library.ts";

type Found = BodyProblem;

/** The end of a path: a field that is no message, or a wrapper of a scalar. */
interface Leaf {
  readonly name: string;
  readonly field?: protobuf.Field;
  readonly isString: boolean;
}

/**
 * The error in a check of a response: a path that leads to no field of its type, or a value
 * that the field never has. Types with a JSON form of their own, and paths to several
 * values, are not looked into.
 */
export function checkResponse(
  type: protobuf.Type,
  { path, op, value }: BodyCheck,
  library: Library,
): Found | undefined {
  const keys = searchKeys(path);
  if (!keys) return undefined;
  const end = follow(type, keys, library);
  if (!end || "code" in end) return end;
  return op === undefined || value === undefined
    ? undefined
    : valueProblem(end, op, value, library);
}

/** Undefined where the way ends in something that is not known, or a whole message. */
function follow(
  start: protobuf.Type,
  keys: readonly (string | number)[],
  library: Library,
): Leaf | Found | undefined {
  let type = start;
  for (let index = 0; index < keys.length; index++) {
    const key = keys[index]!;
    if (typeof key === "number") return undefined;
    const field = type.fieldsArray.find((each) => jsonNameOf(each) === key);
    if (!field) return unknownField(type, keys, index);
    const { resolvedType } = field.resolve();
    if (field.map || field.repeated) {
      const next = keys[++index];
      if (next === undefined) return undefined;
      if (field.repeated && typeof next === "string") {
        return inList(key, keys, index);
      }
    }
    const last = index === keys.length - 1;
    if (!(resolvedType instanceof library.protobuf.Type)) {
      const isString = field.type === "string";
      return last
        ? { name: key, field, isString }
        : inScalar(field, key, library);
    }
    if (SPECIAL.test(resolvedType.fullName)) {
      const isString = resolvedType.fullName === ".google.protobuf.StringValue";
      return last ? { name: key, isString } : undefined;
    }
    type = resolvedType;
  }
  return undefined;
}

function unknownField(
  type: protobuf.Type,
  keys: readonly (string | number)[],
  index: number,
): Found {
  const key = String(keys[index]);
  const names = type.fieldsArray.map(jsonNameOf);
  // As the schema spells it, a name is not in JSON.
  const meant = type.fieldsArray.find(({ name, protoName }) =>
    name === key || protoName === key
  );
  const near = meant ? jsonNameOf(meant) : nearest(key, names);
  return {
    of: "path",
    code: "unknown-field",
    message: `\`${nameOf(type)}\` has no field \`${key}\` in JSON`,
    hint: near !== undefined
      ? didYouMean(keys.with(index, near))
      : names.length > 0
      ? `its fields: ${names.join(", ")}`
      : "it has no fields at all",
  };
}

function inList(
  name: string,
  keys: readonly (string | number)[],
  index: number,
): Found {
  return {
    of: "path",
    code: "list-field",
    message: `\`${name}\` is a list, so \`${keys[index]}\` finds nothing in it`,
    hint: didYouMean(keys.toSpliced(index, 0, 0)),
  };
}

function inScalar(
  field: protobuf.Field,
  name: string,
  library: Library,
): Found {
  return {
    of: "path",
    code: "scalar-field",
    message: `\`${name}\` is ${
      describeField(field, library)
    }, so the path goes too far`,
  };
}

function didYouMean(keys: readonly (string | number)[]): string {
  const path = `$${keys.map((each) => `[${JSON.stringify(each)}]`).join("")}`;
  return `did you mean \`${oneSpelling(path)}\`?`;
}

function valueProblem(
  { name, field, isString }: Leaf,
  op: string,
  value: JsonValue,
  library: Library,
): Found | undefined {
  if (isString && /^(?:[=!]=|[<>]=?)$/.test(op) && isNumber(value)) {
    return {
      of: "value",
      code: "string-as-number",
      message: `\`${name}\` is a string, and this is ${describeValue(value)}`,
      hint: op === "==" || op === "!="
        ? `in quotes it is one: ${op} "${value}"`
        : "a string has no size: compare it with == or !=",
    };
  }
  const { Enum } = library.protobuf;
  const type = field?.resolvedType;
  if (!(type instanceof Enum) || (op !== "==" && op !== "!=")) return;
  if (type.fullName === ".google.protobuf.NullValue") return;
  const isName = typeof value === "string" && !value.includes("{{");
  const number = isName && Object.hasOwn(type.values, value)
    ? type.values[value]
    : value;
  // Of several names for a number, JSON has one.
  const known = typeof number === "number"
    ? type.valuesById[number]
    : undefined;
  if (known === value || (known === undefined && !isName)) return;
  const names = Object.keys(type.values);
  const near = known ?? nearest(String(value), names);
  return {
    of: "value",
    code: "enum-value",
    message: `\`${name}\` is the name of a value of the enum \`${
      nameOf(type)
    }\`, and this is ${describeValue(value)}`,
    hint: near !== undefined
      ? known === undefined
        ? `did you mean \`${near}\`?`
        : `in JSON it is ${near}`
      : `its values: ${names.slice(0, MOST_NAMES).join(", ")}`,
  };
}

const MOST_NAMES = 20;
