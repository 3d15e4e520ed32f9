import type {
  ASTNode,
  DocumentNode,
  OperationDefinitionNode,
  TypeNode,
  VariableDefinitionNode,
} from "graphql/language/ast";
import type { Diagnostic, IrLocation } from "../../base/text/diagnostic.ts";
import { shortened } from "../../base/text/display.ts";
import { didYouMean } from "../../base/text/suggest.ts";
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
 * The errors that every server finds in a document, whatever its schema is: fragments that
 * are not there, and variables that are used without being declared (GraphQL sections
 * 5.5.2.1 and 5.8.3); and with a warning, variables that are never used (5.8.4).
 */
export function usageProblems(document: DocumentNode): Found[] {
  const fragments = new Map<string, ASTNode>();
  for (const each of document.definitions) {
    if (each.kind === "FragmentDefinition") {
      fragments.set(each.name.value, each);
    }
  }
  const found = document.definitions.flatMap((each) =>
    [...nodesIn(each)].flatMap((node) =>
      node.kind === "FragmentSpread" && !fragments.has(node.name.value)
        ? [missingFragment(node.name, [...fragments.keys()])]
        : []
    )
  );
  const operations = document.definitions.flatMap((each) =>
    each.kind === "OperationDefinition" ? variableUses(each, fragments) : []
  );
  // A fragment of several operations is looked at by each of them.
  return [
    ...new Map(
      [...found, ...operations].map((each) =>
        [JSON.stringify(each), each] as const
      ),
    ).values(),
  ];
}

function variableUses(
  operation: OperationDefinitionNode,
  fragments: ReadonlyMap<string, ASTNode>,
): Found[] {
  const declared = (operation.variableDefinitions ?? [])
    .map(({ variable }) => variable);
  const names = declared.map(({ name }) => name.value);
  const used = new Set<string>();
  const found: Found[] = [];
  const entered = new Set<string>();
  const waiting: ASTNode[] = [operation];
  for (const start of waiting) {
    for (const node of nodesIn(start)) {
      if (node.kind === "FragmentSpread" && !entered.has(node.name.value)) {
        entered.add(node.name.value);
        const fragment = fragments.get(node.name.value);
        if (fragment) waiting.push(fragment);
      }
      if (node.kind !== "Variable" || declared.includes(node)) continue;
      const name = node.name.value;
      used.add(name);
      if (!names.includes(name)) found.push(undeclaredUse(node, name, names));
    }
  }
  return [
    ...found,
    ...declared.filter(({ name }) => !used.has(name.value)).map(unused),
  ];
}

/** A node and all that is in it, in the order of the document. */
function* nodesIn(root: ASTNode): Generator<ASTNode> {
  const waiting: unknown[] = [root];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    if (typeof at !== "object" || at === null) continue;
    if ("kind" in at) yield at as ASTNode;
    for (const [key, value] of Object.entries(at).reverse()) {
      if (key !== "loc" && typeof value === "object") waiting.push(value);
    }
  }
}

function missingFragment(
  name: Extract<ASTNode, { kind: "Name" }>,
  names: readonly string[],
): Found {
  return {
    at: inQuery(name, name.value.length),
    code: "graphql-fragment",
    message: `the document has no fragment \`${name.value}\``,
    hint: didYouMean(name.value, names) ??
      `declare it: \`fragment ${name.value} on ... { ... }\``,
  };
}

function undeclaredUse(
  node: ASTNode,
  name: string,
  names: readonly string[],
): Found {
  return {
    at: inQuery(node, name.length + 1),
    code: "graphql-variable",
    message: `the operation uses \`$${name}\` without declaring it`,
    hint: didYouMean(`$${name}`, names.map((each) => `$${each}`)) ??
      "declare it: `query ($" + name + ": ...) { ... }`",
  };
}

function unused(node: Extract<ASTNode, { kind: "Variable" }>): Found {
  const name = node.name.value;
  return {
    at: inQuery(node, name.length + 1),
    code: "graphql-variable",
    severity: "warning",
    message:
      `the operation declares \`$${name}\` and does not use it, which servers refuse`,
  };
}

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

/** The part of the document that `node` begins with. */
export function inQuery(
  { loc }: { readonly loc?: DocumentNode["loc"] },
  length: number,
): IrLocation {
  if (!loc) return "/query";
  const { line, column } = loc.startToken;
  return { pointer: "/query", inside: { line, column, length } };
}
