import type { TypeNode, VariableDefinitionNode } from "graphql/language/ast";
import type { Diagnostic, IrLocation } from "../../base/text/diagnostic.ts";
import { shortened } from "../../base/text/display.ts";
import {
  child,
  isObject,
  type JsonObject,
  jsonType,
  type JsonValue,
} from "../../base/values/json.ts";
import { isNumber } from "../../base/values/numbers.ts";
import { typedValue } from "../../language/expressions/mismatch.ts";

type Found = Diagnostic<IrLocation>;

/**
 * Values of a built-in type that are of another one (GraphQL section 3.5). Some servers
 * convert them, so that these are warnings. What has a template in it is not known yet, and
 * null is sent on purpose.
 */
export function valueProblems(
  definitions: readonly VariableDefinitionNode[],
  variables: JsonObject,
): Found[] {
  return definitions.flatMap(({ variable, type }) => {
    const name = variable.name.value;
    if (!Object.hasOwn(variables, name)) return [];
    return misfits(type, variables[name]!, child("/variables", name))
      .map(({ at, scalar, value }): Found => ({
        at,
        code: "graphql-value",
        severity: "warning",
        message: `the operation declares \`$${name}: ${
          typeText(type)
        }\`, but this is ${describe(value)}`,
        hint: wayOut(scalar, value),
      }));
  });
}

interface Misfit {
  readonly at: string;
  readonly scalar: string;
  readonly value: JsonValue;
}

function misfits(type: TypeNode, value: JsonValue, at: string): Misfit[] {
  if (type.kind === "NonNullType") return misfits(type.type, value, at);
  if (type.kind === "ListType") {
    // A value that is no list stands for a list of it.
    return Array.isArray(value)
      ? value.flatMap((each, index) =>
        misfits(type.type, each, child(at, index))
      )
      : misfits(type.type, value, at);
  }
  const scalar = type.name.value;
  const fits = Object.hasOwn(SCALARS, scalar) ? SCALARS[scalar] : undefined;
  const isKnown = value !== null &&
    !(typeof value === "string" && value.includes("{{"));
  return fits && isKnown && !fits(value) ? [{ at, scalar, value }] : [];
}

const SCALARS: Readonly<Record<string, (value: JsonValue) => boolean>> = {
  Int: (value) => typeof value === "number" && (value | 0) === value,
  Float: isNumber,
  String: (value) => typeof value === "string",
  Boolean: (value) => typeof value === "boolean",
  ID: (value) => typeof value === "string" || jsonType(value) === "integer",
};

/** The value in the words of the message. */
function describe(value: JsonValue): string {
  if (Array.isArray(value)) return "a list";
  if (isObject(value)) return "a mapping";
  const { type, text } = typedValue(value);
  return `the ${type} ${
    type === "string" ? JSON.stringify(shortened(text)) : text
  }`;
}

function wayOut(scalar: string, value: JsonValue): string | undefined {
  if (scalar === "String" && typeof value !== "object") {
    return `in quotes it is a string: "${value}"`;
  }
  if (scalar === "Int" && jsonType(value) === "integer") {
    return "an Int has 32 bits";
  }
  if (typeof value !== "string") return undefined;
  const isBare = scalar === "Boolean"
    ? /^(?:true|false)$/.test(value)
    : /^-?\d+$/.test(value) ||
      (scalar === "Float" && /^-?\d+\.\d+$/.test(value));
  return isBare ? `without quotes it is one: ${value}` : undefined;
}

function typeText(type: TypeNode): string {
  if (type.kind === "NonNullType") return `${typeText(type.type)}!`;
  return type.kind === "ListType"
    ? `[${typeText(type.type)}]`
    : type.name.value;
}
