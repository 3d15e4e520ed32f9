import {
  type AnyNode,
  type Expression,
  type IfStatement,
  parse,
  type Statement,
  type VariableDeclaration,
} from "acorn";
import { parseAssertion } from "../../../lib/language/expressions/assertion.ts";
import type { ScriptValue } from "./assertion_text.ts";
import { assertionsOf } from "./expectation.ts";
import {
  dottedName,
  literalOf,
  partOf,
  type ScriptNames,
  unchained,
  valueOf,
} from "./script_values.ts";

/** The parts of a script behind a response that a flow can say. */
export interface TestScript {
  /** Postman's variables, and the part of the response that each is set to. */
  readonly extract: ReadonlyMap<string, string>;
  /** Each once. */
  readonly assert: readonly string[];
  /** Lines of the statements that say something else, each once, from 1; all of a script that cannot be read. */
  readonly left: readonly number[];
}

const SETTERS = new Set([
  ...["environment", "collectionVariables", "globals", "variables"]
    .map((each) => `pm.${each}.set`),
  "postman.setEnvironmentVariable",
  "postman.setGlobalVariable",
]);

/**
 * Reads a test script by its syntax alone: nothing of it is carried out. A variable that is
 * set where the response is good (`if (pm.response.code === 200)`) is set; other statements in
 * a condition or a loop are left.
 *
 * @param isShared it is that of several requests: not each response has the variables it sets
 */
export function readTestScript(code: string, isShared = false): TestScript {
  const reader = new ScriptReader(isShared);
  try {
    if (code.length > LONGEST) throw new RangeError("too long");
    const { body } = parse(code, {
      ecmaVersion: "latest",
      locations: true,
      allowAwaitOutsideFunction: true,
      allowReturnOutsideFunction: true,
    });
    reader.readAll(body);
  } catch (error) {
    // It is too long, nests too deep, or is none.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) {
      throw error;
    }
    const lines = code.split("\n").map((_, index) => index + 1);
    return { extract: new Map(), assert: [], left: lines };
  }
  const { extract, assert, left } = reader;
  return { extract, assert: [...assert], left: [...left] };
}

/** Characters of a script: the time that its names take grows with their square. */
const LONGEST = 100_000;

/** Names that a scope declares, and the values that they have outside of it. */
type Outside = Map<
  string,
  { readonly value: ScriptValue | undefined; readonly changes: boolean }
>;

/** Where `let` and `const` declare, and where `var` does. */
type Scopes = Readonly<Record<"block" | "function", Outside>>;

class ScriptReader {
  readonly extract = new Map<string, string>();
  readonly assert = new Set<string>();
  readonly left = new Set<number>();
  readonly #names = new Map<string, ScriptValue>();
  /** Those of them that a statement which is left may have changed. */
  readonly #changing = new Set<string>();
  #scopes: Scopes = { block: new Map(), function: new Map() };
  /** In a condition: only variables of Postman may be set there. */
  #guarded = false;
  /** In a `try`: what is not in a test of its own does not fail. */
  #caught = false;
  /** How the rest of the function is carried out, behind a `return` in a condition. */
  #rest: "always" | "guarded" | "unknown" = "always";

  constructor(readonly isShared: boolean) {}

  readAll(statements: readonly (Statement | AnyNode)[]): void {
    for (const each of statements) {
      const isTaken = this.#rest !== "unknown" && this.#read(each);
      if (!isTaken) {
        this.left.add(each.loc!.start.line);
        for (const name of this.#changing) this.#names.delete(name);
        this.#changing.clear();
        if (mayReturn(each, this.#names)) this.#rest = "unknown";
        // It may end the block of a `try`.
        else if (this.#caught) this.#rest = "guarded";
      }
      if (/^(?:Return|Throw)Statement$/.test(each.type)) {
        this.#rest = "unknown";
        return;
      }
    }
  }

  /**
   * Reads statements whose variables end with them, where they are not those of the function.
   *
   * @param parameters of a function
   */
  #readBlock(
    statements: readonly AnyNode[],
    parameters?: readonly AnyNode[],
  ): void {
    const outer = this.#scopes;
    const own: Outside = new Map();
    this.#scopes = { block: own, function: parameters ? own : outer.function };
    for (const each of parameters ?? []) this.#declare(each, undefined, "let");
    this.readAll(statements);
    this.#scopes = outer;
    for (const [name, { value, changes }] of own) {
      this.#name(name, value, changes);
    }
  }

  #name(
    name: string,
    value: ScriptValue | undefined,
    changes: boolean,
  ): void {
    if (value) this.#names.set(name, value);
    else this.#names.delete(name);
    if (changes) this.#changing.add(name);
    else this.#changing.delete(name);
  }

  /** Whether all of the statement is taken over, or has no effect by itself. */
  #read(statement: AnyNode): boolean {
    if (statement.type === "BlockStatement") {
      this.#readBlock(statement.body);
      return true;
    }
    if (statement.type === "VariableDeclaration") {
      for (const { id, init } of statement.declarations) {
        const value = init ? valueOf(init, this.#names) : undefined;
        this.#declare(id, value, statement.kind);
      }
      return true;
    }
    if (statement.type === "IfStatement") return this.#readIf(statement);
    if (statement.type === "TryStatement" && !statement.finalizer) {
      const [caught, rest] = [this.#caught, this.#rest];
      this.#caught = statement.handler !== null;
      this.#readBlock(statement.block.body);
      this.#caught = caught;
      if (!mayReturn(statement.block, this.#names)) this.#rest = rest;
      return !statement.handler || onlyLogs(statement.handler.body);
    }
    if (statement.type === "ReturnStatement") {
      return !statement.argument ||
        this.#carry(unchained(statement.argument));
    }
    return statement.type === "ExpressionStatement"
      ? this.#carry(unchained(statement.expression))
      : statement.type === "EmptyStatement";
  }

  #readIf({ test, consequent, alternate }: IfStatement): boolean {
    if (!alternate && onlyReturns(consequent) && isBad(test, this.#names)) {
      this.#rest = "guarded";
      return true;
    }
    if (!isGuard(test, this.#names)) return false;
    this.#readGuarded(consequent);
    if (mayReturn(consequent, this.#names)) this.#rest = "unknown";
    return !alternate || onlyLogs(alternate);
  }

  #readGuarded(statement: Statement): void {
    const before = this.#guarded;
    this.#guarded = true;
    this.readAll([statement]);
    this.#guarded = before;
  }

  #declare(
    to: AnyNode,
    value: ScriptValue | undefined,
    kind?: VariableDeclaration["kind"],
  ): void {
    if (to.type === "Identifier") {
      const { name } = to;
      const scope = this.#scopes[kind === "var" ? "function" : "block"];
      if (kind && !scope.has(name)) {
        const changes = this.#changing.has(name);
        scope.set(name, { value: this.#names.get(name), changes });
      }
      this.#name(name, value, kind !== "const");
    } else if (to.type === "ObjectPattern") {
      for (const each of to.properties) {
        if (each.type !== "Property") continue;
        const { key, value: local } = each;
        const part = key.type === "Identifier" && !each.computed
          ? partOf(value, key.name)
          : undefined;
        this.#declare(local, part, kind);
      }
    }
  }

  #carry(node: Expression): boolean {
    if (node.type === "Literal") return true;
    if (node.type === "AssignmentExpression") {
      const { left, right } = node;
      if (left.type === "Identifier" && node.operator === "=") {
        if (this.#isConditional()) return false;
        this.#declare(left, valueOf(right, this.#names));
        return true;
      }
      const condition = isTest(left) ? valueOf(right, this.#names) : undefined;
      return condition !== undefined && "holds" in condition &&
        !this.#isConditional() && this.#add(condition.holds);
    }
    if (node.type !== "CallExpression") return this.#expects(node);
    const name = dottedName(node.callee) ?? "";
    if (name.startsWith("console.")) return true;
    if (SETTERS.has(name)) return this.#extracts(node.arguments);
    if (name !== "pm.test") return this.#expects(node);
    const [, check] = node.arguments;
    if (
      check?.type !== "FunctionExpression" &&
      check?.type !== "ArrowFunctionExpression"
    ) return false;
    const { body } = check;
    // A test fails by itself, and returns from itself.
    const [caught, rest] = [this.#caught, this.#rest];
    this.#caught = false;
    const isTaken = body.type !== "BlockStatement" &&
      this.#carry(unchained(body));
    if (body.type === "BlockStatement") {
      this.#readBlock(body.body, check.params);
    }
    [this.#caught, this.#rest] = [caught, rest];
    return isTaken || body.type === "BlockStatement";
  }

  #extracts([name, value]: readonly AnyNode[]): boolean {
    const variable = literalOf(name, this.#names);
    const source = value && valueOf(asText(value), this.#names);
    if (
      this.isShared || typeof variable !== "string" || !source ||
      !("subject" in source)
    ) return false;
    if (!/^(?:\$[.[]|header\.|cookie\.)/.test(source.subject)) return false;
    this.extract.set(variable, source.subject);
    return true;
  }

  /** Whether what follows is looked at for some responses alone. */
  #isConditional(): boolean {
    return this.#guarded || this.#rest !== "always";
  }

  #expects(node: AnyNode): boolean {
    return !this.#isConditional() && !this.#caught &&
      this.#add(assertionsOf(node, this.#names));
  }

  #add(texts: readonly string[] | undefined): boolean {
    if (!texts?.every(isAssertion)) return false;
    for (const each of texts) this.assert.add(each);
    return true;
  }
}

/** The value in `String(json.id)` or `json.id.toString()`: variables are texts anyway. */
function asText(node: AnyNode): AnyNode {
  if (node.type !== "CallExpression") return node;
  const { callee, arguments: [first, ...others] } = node;
  if (dottedName(callee) === "String" && first && others.length === 0) {
    return first;
  }
  const isText = callee.type === "MemberExpression" && !callee.computed &&
    callee.property.type === "Identifier" &&
    callee.property.name === "toString" && !first;
  return isText ? callee.object : node;
}

/** Statuses of responses that a step goes on from. */
const GOOD = [200, 201, 202, 203, 204, 206, 301, 302, 303, 304, 307, 308];

/** Whether a condition of a script holds for good responses; undefined where both may be. */
function holdsForGood(assertion: string): boolean | undefined {
  const [, operator = "", text] = /^status (\S+) (\d+)$/.exec(assertion) ?? [];
  if (text !== undefined) {
    const status = Number(text);
    switch (operator) {
      case "==":
        return GOOD.includes(status);
      case "!=":
        return !GOOD.includes(status);
      default:
        return GOOD.some((each) =>
          operator.startsWith("<")
            ? each < status || operator === "<=" && each === status
            : each > status || operator === ">=" && each === status
        );
    }
  }
  if (/ (?:not_exists|== (?:null|false))$/.test(assertion)) return false;
  return / != (?!null$)/.test(assertion) ? undefined : true;
}

/** Whether a condition holds for no good response: `pm.response.code !== 200`, `!json.token`. */
function isBad(node: AnyNode, names: ScriptNames): boolean {
  if (node.type === "LogicalExpression") {
    return isBad(node.left, names) && isBad(node.right, names);
  }
  if (node.type === "UnaryExpression" && node.operator === "!") {
    return isGuard(node.argument, names);
  }
  const value = valueOf(node, names);
  return value !== undefined && "holds" in value &&
    value.holds.every((each) => holdsForGood(each) === false);
}

/** Whether a condition holds for good responses: `json.token`, `responseCode.code === 200 && json`. */
function isGuard(node: AnyNode, names: ScriptNames): boolean {
  if (node.type === "LogicalExpression") {
    return isGuard(node.left, names) && isGuard(node.right, names);
  }
  if (isTest(node)) return true;
  const value = valueOf(node, names);
  return value !== undefined &&
    ("subject" in value ||
      "holds" in value && value.holds.every(holdsForGood));
}

/** `tests["..."]` of the old sandbox. */
function isTest(node: AnyNode): boolean {
  return node.type === "MemberExpression" &&
    dottedName(node.object) === "tests";
}

/** Whether a statement may end its function, but for bad responses, for which it fails. */
function mayReturn(node: AnyNode, names: ScriptNames): boolean {
  if (/^(?:Return|Throw)Statement$/.test(node.type)) return true;
  if (!/Statement$|^(?:SwitchCase|CatchClause)$/.test(node.type)) return false;
  if (
    node.type === "IfStatement" && !node.alternate &&
    onlyThrows(node.consequent) && isBad(node.test, names)
  ) return false;
  return Object.values(node).flat().some((each) =>
    typeof each?.type === "string" && mayReturn(each, names)
  );
}

function onlyThrows(statement: Statement): boolean {
  return statement.type === "BlockStatement"
    ? statement.body.length === 1 && onlyThrows(statement.body[0]!)
    : statement.type === "ThrowStatement";
}

function onlyReturns(statement: Statement): boolean {
  return statement.type === "BlockStatement"
    ? statement.body.every((each) => onlyReturns(each) || onlyLogs(each)) &&
      statement.body.some(onlyReturns)
    : statement.type === "ReturnStatement" && !statement.argument;
}

function onlyLogs(statement: AnyNode): boolean {
  if (statement.type === "BlockStatement") {
    return statement.body.every(onlyLogs);
  }
  return statement.type === "ExpressionStatement" &&
    statement.expression.type === "CallExpression" &&
    dottedName(statement.expression.callee)?.startsWith("console.") === true;
}

/** A text with braces would be a template. */
function isAssertion(text: string): boolean {
  if (text.includes("{{")) return false;
  try {
    parseAssertion(text);
    return true;
  } catch {
    return false;
  }
}
