import {
  type AnyNode,
  type Expression,
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
    const { body } = parse(code, {
      ecmaVersion: "latest",
      locations: true,
      allowAwaitOutsideFunction: true,
      allowReturnOutsideFunction: true,
    });
    reader.readAll(body);
  } catch (error) {
    // It nests too deep, or is none.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) {
      throw error;
    }
    const lines = code.split("\n").map((_, index) => index + 1);
    return { extract: new Map(), assert: [], left: lines };
  }
  const { extract, assert, left } = reader;
  return { extract, assert: [...assert], left: [...left] };
}

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

  constructor(readonly isShared: boolean) {}

  readAll(statements: readonly (Statement | AnyNode)[]): void {
    for (const each of statements) {
      if (this.#read(each)) continue;
      this.left.add(each.loc!.start.line);
      for (const name of this.#changing) this.#names.delete(name);
      this.#changing.clear();
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
    if (statement.type === "IfStatement") {
      if (!isGuard(statement.test, this.#names)) return false;
      this.#readGuarded(statement.consequent);
      return !statement.alternate || onlyLogs(statement.alternate);
    }
    if (statement.type === "TryStatement" && !statement.finalizer) {
      this.#readBlock(statement.block.body);
      return !statement.handler || onlyLogs(statement.handler.body);
    }
    return statement.type === "ExpressionStatement"
      ? this.#carry(unchained(statement.expression))
      : statement.type === "EmptyStatement";
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
        if (this.#guarded) return false;
        this.#declare(left, valueOf(right, this.#names));
        return true;
      }
      const condition = isTest(left) ? valueOf(right, this.#names) : undefined;
      return condition !== undefined && "holds" in condition &&
        this.#add(condition.holds);
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
    if (check.body.type === "BlockStatement") {
      this.#readBlock(check.body.body, check.params);
    } else return this.#carry(unchained(check.body));
    return true;
  }

  #extracts([name, value]: readonly AnyNode[]): boolean {
    const variable = literalOf(name, this.#names);
    const source = value && valueOf(value, this.#names);
    if (
      this.isShared || typeof variable !== "string" || !source ||
      !("subject" in source)
    ) return false;
    if (!/^(?:\$[.[]|header\.|cookie\.)/.test(source.subject)) return false;
    this.extract.set(variable, source.subject);
    return true;
  }

  #expects(node: AnyNode): boolean {
    return this.#add(assertionsOf(node, this.#names));
  }

  #add(texts: readonly string[] | undefined): boolean {
    if (this.#guarded || !texts?.every(isAssertion)) return false;
    for (const each of texts) this.assert.add(each);
    return true;
  }
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
      "holds" in value && !value.holds.some((each) => / != /.test(each)));
}

/** `tests["..."]` of the old sandbox. */
function isTest(node: AnyNode): boolean {
  return node.type === "MemberExpression" &&
    dottedName(node.object) === "tests";
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
