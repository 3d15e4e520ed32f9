import type { ASTNode, DocumentNode } from "graphql/language/ast";
import { GraphQLSchema } from "graphql/type/schema";
import { KnownFragmentNamesRule } from "graphql/validation/rules/KnownFragmentNamesRule";
import { NoUndefinedVariablesRule } from "graphql/validation/rules/NoUndefinedVariablesRule";
import { NoUnusedVariablesRule } from "graphql/validation/rules/NoUnusedVariablesRule";
import { validate } from "graphql/validation/validate";
import type { Diagnostic, IrLocation } from "../../base/text/diagnostic.ts";
import { didYouMean } from "../../base/text/suggest.ts";
import { inQuery } from "./query_place.ts";

export { parse } from "graphql/language/parser";

type Found = Diagnostic<IrLocation>;

/**
 * The errors that every server finds in a document, whatever its schema is: fragments that
 * are not there, and variables that are used without being declared (GraphQL sections
 * 5.5.2.1 and 5.8.3); and with a warning, variables that are never used (5.8.4).
 */
export function usageProblems(document: DocumentNode): Found[] {
  const fragments: string[] = [];
  const variables: string[] = [];
  for (const each of document.definitions) {
    if (each.kind === "FragmentDefinition") fragments.push(each.name.value);
    else if (each.kind === "OperationDefinition") {
      for (const { variable } of each.variableDefinitions ?? []) {
        variables.push(`$${variable.name.value}`);
      }
    }
  }
  return RULES.flatMap(([rule, problem]) => {
    // A fragment of several operations is looked at by each of them.
    const nodes = validate(SCHEMA, document, [rule])
      .flatMap(({ nodes = [] }) => nodes.slice(0, 1));
    return [...new Set(nodes)].map((node) =>
      problem(node, nameIn(node), { fragments, variables })
    );
  });
}

/** None is known: these rules ask for no type. */
const SCHEMA = new GraphQLSchema({ assumeValid: true });

interface Declared {
  readonly fragments: readonly string[];
  /** Each with its `$`. */
  readonly variables: readonly string[];
}

const RULES = [
  [KnownFragmentNamesRule, missingFragment],
  [NoUndefinedVariablesRule, undeclaredUse],
  [NoUnusedVariablesRule, unused],
] as const;

/** Of a name, a variable or its declaration. */
function nameIn(node: ASTNode): string {
  if (node.kind === "VariableDefinition") return node.variable.name.value;
  if (node.kind === "Variable") return node.name.value;
  return node.kind === "Name" ? node.value : "";
}

function missingFragment(
  node: ASTNode,
  name: string,
  { fragments }: Declared,
): Found {
  return {
    at: inQuery(node, name.length),
    code: "graphql-fragment",
    message: `the document has no fragment \`${name}\``,
    hint: didYouMean(name, fragments) ??
      `declare it: \`fragment ${name} on ... { ... }\``,
  };
}

function undeclaredUse(
  node: ASTNode,
  name: string,
  { variables }: Declared,
): Found {
  return {
    at: inQuery(node, name.length + 1),
    code: "graphql-variable",
    message: `the operation uses \`$${name}\` without declaring it`,
    hint: didYouMean(`$${name}`, variables) ??
      "declare it: `query ($" + name + ": ...) { ... }`",
  };
}

function unused(node: ASTNode, name: string): Found {
  return {
    at: inQuery(node, name.length + 1),
    code: "graphql-variable",
    severity: "warning",
    message:
      `the operation declares \`$${name}\` and does not use it, which servers refuse`,
  };
}
