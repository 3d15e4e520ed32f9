import type {
  DocumentNode,
  OperationDefinitionNode,
  VariableDefinitionNode,
} from "graphql/language/ast";
import type {
  Diagnostic,
  IrLocation,
  Report,
} from "../../base/text/diagnostic.ts";
import { didYouMean, nearest } from "../../base/text/suggest.ts";
import type { TextPosition } from "../../base/text/within.ts";
import { canonical } from "../../base/values/canonical.ts";
import { child, type JsonObject } from "../../base/values/json.ts";
import { compilePayload } from "../../language/expressions/payload.ts";
import {
  joinedText,
  partOf,
  type TextTemplate,
} from "../../language/expressions/template.ts";
import {
  type IsSoundKey,
  type KindStep,
  STEP_KEYS,
} from "../../language/flow/registry.ts";
import { openHttp } from "../http/attempt.ts";
import type { HttpBlock } from "../http/block.ts";
import { jsonBody } from "../http/body.ts";
import { checkBodies } from "../http/body_warnings.ts";
import type { OpenTools, Protocol } from "../protocol.ts";
import {
  type GraphqlBlock,
  graphqlBlock,
  judgeGraphql,
  TEMPLATE,
  templateInDocument,
} from "./block.ts";
import { inQuery } from "./query_place.ts";
import { valueProblems } from "./variable_values.ts";

type Found = Diagnostic<IrLocation>;

/**
 * Errors in a document that can be seen without the server's schema. The
 * library takes 40 ms to load, so it is loaded only for a flow that has such a
 * step, and never by the threads that carry out the run.
 */
export async function documentProblems(
  operation: Operation,
  isSound?: IsSoundKey,
): Promise<readonly Found[]> {
  return problemsOf(operation, await import("./document_rules.ts"), isSound);
}

type Operation = Pick<GraphqlBlock, "query" | "variables" | "operation_name">;

/**
 * Finds the problems of an operation with the library that the caller has loaded.
 *
 * @param isSound whether a key was read; what is said of `variables` needs them all
 */
export function problemsOf(
  operation: Operation,
  { parse, usageProblems }: typeof import("./document_rules.ts"),
  isSound: IsSoundKey = () => true,
): readonly Found[] {
  let document: DocumentNode;
  try {
    document = parse(operation.query);
  } catch (error) {
    // The parser goes as deep as the document does.
    return [
      error instanceof RangeError
        ? TOO_DEEP
        : syntaxProblem(operation.query, error as DocumentError),
    ];
  }
  const operations = document.definitions.filter((each) =>
    each.kind === "OperationDefinition"
  );
  const usage = usageProblems(document);
  // Without its name, the operation that was meant is not known.
  if (!isSound("operation_name")) return usage;
  const chosen = choose(operations, operation.operation_name);
  if ("code" in chosen) return [chosen, ...usage];
  const { variables = {} } = operation;
  const found = !isSound("variables") ? usage : [
    ...usage,
    ...variableProblems(chosen, variables),
    ...valueProblems(chosen.variableDefinitions ?? [], variables),
  ];
  return chosen.operation !== "subscription" ? found : [
    operationProblem(
      inQuery(chosen, "subscription".length),
      "a subscription returns a stream, and a `graphql` step takes one response",
      "for GraphQL over WebSocket use `ws` steps",
    ),
    ...found,
  ];
}

const TOO_DEEP: Found = {
  at: "/query",
  code: "graphql-syntax",
  message: "the document is nested too deep to be read",
};

/** The names of a document's operations; none of a document with errors. */
async function operationNames(query: unknown): Promise<string[]> {
  const { parse } = await import("graphql/language/parser");
  try {
    return parse(String(query)).definitions.flatMap((each) =>
      each.kind === "OperationDefinition" ? each.name?.value ?? [] : []
    );
  } catch {
    return [];
  }
}

interface DocumentError extends Error {
  readonly locations?: readonly { line: number; column: number }[];
}

function syntaxProblem(query: string, error: DocumentError): Found {
  const [at = { line: 1, column: 1 }] = error.locations ?? [];
  return {
    at: { pointer: "/query", inside: withinText(query, at) },
    code: "graphql-syntax",
    message: `the document is not GraphQL: ${
      error.message.replace(/^Syntax Error: |\.$/g, "")
    } (its line ${at.line})`,
    ...(FILE.test(query) && {
      hint: "the document is written here: no file is read",
    }),
  };
}

const FILE = /^\s*\S+\.(?:graphqls?|gql)\s*$/;

/** The end of a text is shown behind its last line that has something in it. */
function withinText(query: string, at: TextPosition): TextPosition {
  const lines = query.split(/\r\n|[\r\n]/);
  if (lines.slice(at.line - 1).some((line) => line.trim() !== "")) return at;
  const last = lines.findLastIndex((line) => line.trim() !== "");
  return last < 0
    ? { line: 1, column: 1 }
    : { line: last + 1, column: lines[last]!.trimEnd().length };
}

function choose(
  operations: readonly OperationDefinitionNode[],
  expected: string | undefined,
): OperationDefinitionNode | Found {
  const [first, second] = operations;
  if (!first) {
    return operationProblem(
      "/query",
      "the document has no operation to run",
      "it needs a `query` or a `mutation`",
    );
  }
  const names = operations.flatMap(({ name }) => name?.value ?? []);
  if (expected === undefined) {
    if (!second) return first;
    return operationProblem(
      "/query",
      `the document has ${operations.length} operations, and nothing says which one to run`,
      `add \`operation_name\`: ${names.join(" or ")}`,
    );
  }
  const found = operations.find(({ name }) => name?.value === expected);
  if (found) return found;
  return operationProblem(
    "/operation_name",
    `the document has no operation \`${expected}\``,
    didYouMean(expected, names) ??
      (names.length > 0
        ? `it has: ${names.join(", ")}`
        : "its operation has no name: remove `operation_name`"),
  );
}

function operationProblem(
  at: IrLocation,
  message: string,
  hint: string,
): Found {
  return { at, code: "graphql-operation", message, hint };
}

/**
 * Variables that the server is sure to refuse, and those it would ignore. A misspelt name of
 * a variable that needs a value is one error, not also a missing value.
 */
function variableProblems(
  operation: OperationDefinitionNode,
  variables: JsonObject,
): Found[] {
  const declared = operation.variableDefinitions ?? [];
  const names = declared.map(({ variable }) => variable.name.value);
  const unknown = Object.keys(variables).filter((name) =>
    !names.includes(name)
  );
  const meant = new Set(unknown.map((name) => nearest(name, names)));
  const needed = declared.filter((each) => needsValue(each, variables));
  const nameOf = ({ variable }: VariableDefinitionNode) => variable.name.value;
  const neededNames = new Set(needed.map(nameOf));
  return [
    ...needed.filter((each) => !meant.has(nameOf(each))).map(missing),
    ...unknown.map((name) => undeclared(name, names, neededNames)),
  ];
}

function needsValue(
  { variable: { name }, type, defaultValue }: VariableDefinitionNode,
  variables: JsonObject,
): boolean {
  return type.kind === "NonNullType" && !defaultValue &&
    !Object.hasOwn(variables, name.value);
}

function missing(definition: VariableDefinitionNode): Found {
  const name = definition.variable.name.value;
  return {
    at: inQuery(definition, name.length + 1),
    code: "graphql-variable",
    message:
      `the operation needs a value for \`$${name}\`, but \`variables\` has none`,
    hint: `add \`${name}\` to \`variables\``,
  };
}

/** A server ignores it, or reads it for a purpose of its own: that is no error. */
function undeclared(
  name: string,
  names: readonly string[],
  needed: ReadonlySet<string>,
): Found {
  const near = nearest(name, names);
  const isNeeded = near !== undefined && needed.has(near);
  return {
    at: { pointer: child("/variables", name), key: name },
    code: "graphql-variable",
    ...(!isNeeded && { severity: "warning" }),
    message: `the operation declares no variable \`$${name}\``,
    hint: didYouMean(name, names) ??
      (names.length > 0
        ? `it declares: ${names.map((each) => `$${each}`).join(", ")}`
        : "declare it: `query ($" + name + ": ...) { ... }`"),
  };
}

/** One GraphQL operation as an HTTP POST, and the `errors` of its response judged. */
export const graphql: Protocol<GraphqlBlock> = {
  kind: "graphql",
  doc: "a GraphQL query or mutation",
  block: graphqlBlock,
  keys: STEP_KEYS,
  requests: true,
  facts: operationOf,
  checkFlow(steps, report) {
    checkBodies(
      steps.map(({ block: { headers = {}, query = "" }, ...step }) => ({
        ...step,
        block: { headers, body: query },
      })),
      report,
    );
    for (const each of steps) checkErrorPaths(each, report);
    for (const { block: { query = "" }, pointer } of steps) {
      for (const { written, position } of templatesIn(query)) {
        const at = { pointer: `${pointer}/block/query`, inside: position };
        report(templateInDocument(written, at));
      }
    }
  },
  checkedKeys: ["query"],
  // A template in a document was reported, and is no GraphQL.
  checkDocument: async (block, isSound) =>
    templatesIn(block.query).length > 0
      ? []
      : await documentProblems(block, isSound),
  suggest: async ([key], { query }) =>
    key === "operation_name" ? { words: await operationNames(query) } : {},
  open: (block, tools) =>
    openHttp(requestOf(block), tools, {
      body: jsonBody(bodyOf(block, tools)),
      judge: judgeGraphql(block.on_errors),
    }),
};

/**
 * Checks on the errors of a response that any error fails before them. An error status may
 * be expected by an assertion: then all of them are looked at.
 */
function checkErrorPaths(
  { step, block, pointer, isSound }: KindStep<GraphqlBlock>,
  report: Report,
): void {
  const { assert = [], extract = {} } = step;
  if (block.on_errors !== "fail" || !isSound("on_errors")) return;
  const expectsError = assert.some(({ subject: { kind }, op, value }) =>
    kind === "status" && !(op === "==" && Number(value) < 400)
  );
  if (expectsError) return;
  const at = [
    ...assert.flatMap(({ subject, op, value }, index) => {
      const isNone = op === "==" &&
        (value === null || (Array.isArray(value) && value.length === 0));
      return subject.kind === "body" && ERRORS.test(subject.path) && !isNone
        ? [`${pointer}/assert/${index}`]
        : [];
    }),
    ...Object.entries(extract).flatMap(([name, each]) =>
      each.from === "body" && ERRORS.test(each.path)
        ? [child(`${pointer}/extract`, name)]
        : []
    ),
  ];
  for (const each of at) {
    report({
      at: each,
      code: "graphql-errors",
      severity: "warning",
      message:
        "this looks into `errors`, but with `on_errors: fail` any error fails the step before",
      hint: "`on_errors: ignore` lets the step's assertions judge",
    });
  }
}

const ERRORS = /^\$\.errors\b/;

/** The operation, as far as the block names it. */
function operationOf(
  { operation_name, query }: GraphqlBlock,
): Readonly<Record<string, string>> {
  const [, named] = /^\s*(?:query|mutation)\s+([_A-Za-z]\w*)/m.exec(query) ??
    [];
  const operation = operation_name ?? named;
  return operation === undefined ? {} : { operation };
}

/** The request without its body. */
function requestOf({ url, headers }: GraphqlBlock): HttpBlock {
  return { method: "POST", url, ...(headers && { headers }) };
}

/**
 * The body: keys in canonical order (RFC 8785), the document verbatim, so that
 * only `variables` have holes.
 */
function bodyOf(block: GraphqlBlock, { names }: OpenTools): TextTemplate {
  const { query, operation_name, variables } = block;
  const name = operation_name === undefined
    ? ""
    : `"operationName":${canonical(operation_name)},`;
  const head = `{${name}"query":${canonical(query)}`;
  if (!variables || Object.keys(variables).length === 0) {
    return joinedText([`${head}}`]);
  }
  const values = compilePayload(variables, names);
  return joinedText([`${head},"variables":`, partOf(values), "}"]);
}

function templatesIn(
  document: string,
): { readonly written: string; readonly position: TextPosition }[] {
  return document.split(/\r\n|[\r\n]/).flatMap((text, index) =>
    [...text.matchAll(new RegExp(TEMPLATE, "g"))].map((
      { 0: written, index: at },
    ) => ({
      written,
      position: { line: index + 1, column: at + 1, length: written.length },
    }))
  );
}
