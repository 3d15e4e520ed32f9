import type {
  AnyNode,
  CallExpression,
  Expression,
  LogicalExpression,
  MemberExpression,
} from "acorn";
import { TOKEN } from "../../../lib/base/values/headers.ts";
import type { JsonValue } from "../../../lib/base/values/json.ts";
import {
  assertion,
  existence,
  keyed,
  type ScriptValue,
} from "./assertion_text.ts";

/** The values of a script's own variables. */
export type ScriptNames = ReadonlyMap<string, ScriptValue>;

/** By the names of Postman's sandbox, old and new. */
const SUBJECTS: ReadonlyMap<string, string> = new Map(Object.entries({
  "pm.response.code": "status",
  "responseCode.code": "status",
  "pm.response.responseTime": "latency",
  responseTime: "latency",
  responseBody: "body",
}));

/** Calls without arguments. */
const CALLS: ReadonlyMap<string, string> = new Map(Object.entries({
  "pm.response.json": "$",
  "pm.response.text": "body",
}));

/** Whether there is such a header field. */
const HAS_HEADER = "pm.response.headers.has";

/** Calls with the name of a header field, or of a cookie. */
const NAMED: ReadonlyMap<string, string> = new Map(Object.entries({
  [HAS_HEADER]: "header",
  "pm.response.headers.get": "header",
  "postman.getResponseHeader": "header",
  "pm.cookies.get": "cookie",
  "postman.getResponseCookie": "cookie",
}));

/** The value of an expression; undefined where a flow has no word for it. */
export function valueOf(
  node: AnyNode,
  names: ScriptNames,
): ScriptValue | undefined {
  const written = writtenOut(node, names);
  if (written !== undefined) return { value: written };
  if (node.type === "ChainExpression") return valueOf(node.expression, names);
  if (node.type === "Identifier") {
    return names.get(node.name) ?? named(SUBJECTS.get(node.name));
  }
  if (node.type === "MemberExpression") return memberOf(node, names);
  if (node.type === "LogicalExpression") return joined(node, names);
  if (node.type === "BinaryExpression") {
    const left = valueOf(node.left, names);
    const right = literalOf(node.right, names);
    // A number is equal to its text.
    const isLoose = /^[!=]=$/.test(node.operator);
    if (isLoose && typeof right === "string" && !isNaN(Number(right))) return;
    return holding(assertion(left, COMPARED.get(node.operator), right));
  }
  return node.type === "CallExpression"
    ? resultOf(dottedName(node.callee), node.arguments, names) ??
      tested(node, names)
    : undefined;
}

/** `json.hasOwnProperty("id")`, `responseBody.has("text")` */
function tested(
  { callee, arguments: [first] }: CallExpression,
  names: ScriptNames,
): ScriptValue | undefined {
  if (callee.type !== "MemberExpression" || callee.computed) return undefined;
  if (callee.property.type !== "Identifier") return undefined;
  const owner = valueOf(callee.object, names);
  const asked = literalOf(first, names);
  const { name } = callee.property;
  if (name === "hasOwnProperty") {
    return partOf(owner, asked) && holding(keyed(owner, asked));
  }
  return (name === "has" || name === "includes") && typeof asked === "string"
    ? holding(assertion(owner, "contains", asked))
    : undefined;
}

/** The operators of JavaScript, and those of an assertion. */
const COMPARED: ReadonlyMap<string, string> = new Map(Object.entries({
  ...{ "===": "==", "==": "==", "!==": "!=", "!=": "!=" },
  ...{ "<": "<", "<=": "<=", ">": ">", ">=": ">=" },
}));

/** `a && b` of conditions; `a || {}` is `a`. */
function joined(
  { operator, left, right }: LogicalExpression,
  names: ScriptNames,
): ScriptValue | undefined {
  const first = valueOf(left, names);
  if (operator !== "&&") {
    if (!isEmpty(right)) return undefined;
    return first && "subject" in first && right.type === "Literal"
      ? { ...first, hasDefault: true }
      : first;
  }
  const second = valueOf(right, names);
  return first && "holds" in first && second && "holds" in second
    ? { holds: [...first.holds, ...second.holds] }
    : undefined;
}

function isEmpty(node: Expression): boolean {
  return node.type === "ObjectExpression" && node.properties.length === 0 ||
    node.type === "ArrayExpression" && node.elements.length === 0 ||
    node.type === "Literal" && !node.value;
}

function holding(assertion: string | undefined): ScriptValue | undefined {
  return assertion === undefined ? undefined : { holds: [assertion] };
}

/** `"text"`, `` `text` ``, `-1`, `[1, 2]`; undefined for anything else. */
function writtenOut(node: AnyNode, names: ScriptNames): JsonValue | undefined {
  if (node.type === "Literal") {
    return node.regex || typeof node.value === "bigint"
      ? undefined
      : node.value as JsonValue;
  }
  if (node.type === "TemplateLiteral" && node.expressions.length === 0) {
    return node.quasis[0]!.value.cooked!;
  }
  if (node.type === "UnaryExpression" && node.operator === "-") {
    const number = literalOf(node.argument, names);
    return typeof number === "number" ? -number : undefined;
  }
  if (node.type !== "ArrayExpression") return undefined;
  const items = node.elements.map((each) => each && literalOf(each, names));
  return items.every((each) => each !== undefined) ? items : undefined;
}

/** A value that is written out. */
export function literalOf(
  node: AnyNode | undefined,
  names: ScriptNames,
): JsonValue | undefined {
  const found = node && valueOf(node, names);
  return found && "value" in found ? found.value : undefined;
}

/** `pm.response.code`; undefined for an expression that is no such name. */
export function dottedName(node: AnyNode): string | undefined {
  if (node.type === "Identifier") return node.name;
  if (node.type !== "MemberExpression" || node.computed) return undefined;
  const owner = dottedName(node.object);
  return owner !== undefined && node.property.type === "Identifier"
    ? `${owner}.${node.property.name}`
    : undefined;
}

/** A part of a JSON value; undefined of anything else. */
export function partOf(
  owner: ScriptValue | undefined,
  key: JsonValue | undefined,
): ScriptValue | undefined {
  if (!owner || !("subject" in owner) || !owner.subject.startsWith("$")) return;
  if (typeof key === "number") {
    return Number.isInteger(key) && key >= 0
      ? named(`${owner.subject}[${key}]`)
      : undefined;
  }
  if (typeof key !== "string") return undefined;
  return named(
    /^[A-Za-z_]\w*$/.test(key)
      ? `${owner.subject}.${key}`
      : `${owner.subject}[${JSON.stringify(key)}]`,
  );
}

function memberOf(
  node: MemberExpression,
  names: ScriptNames,
): ScriptValue | undefined {
  const known = SUBJECTS.get(dottedName(node) ?? "");
  if (known !== undefined) return named(known);
  const owner = valueOf(node.object, names);
  const { property } = node;
  if (node.computed) return partOf(owner, literalOf(property, names));
  if (property.type !== "Identifier") return undefined;
  return property.name === "length"
    ? lengthOf(owner)
    : partOf(owner, property.name);
}

/** How long a list or a text of a JSON value is. */
export function lengthOf(
  owner: ScriptValue | undefined,
): ScriptValue | undefined {
  return owner && "subject" in owner && owner.subject.startsWith("$")
    ? named(`length(${owner.subject})`)
    : undefined;
}

function resultOf(
  name: string | undefined,
  args: readonly AnyNode[],
  names: ScriptNames,
): ScriptValue | undefined {
  if (name === undefined) return undefined;
  const [first] = args;
  if (!first) return named(CALLS.get(name));
  if (name === "JSON.parse") {
    const read = valueOf(first, names);
    return read && "subject" in read && read.subject === "body"
      ? named("$")
      : undefined;
  }
  // Looked at by one of its readers alone: calls may nest in calls.
  const kind = NAMED.get(name);
  const field = kind === undefined ? undefined : literalOf(first, names);
  if (typeof field !== "string" || !TOKEN.test(field)) return undefined;
  const subject = { subject: `${kind}.${field}` };
  if (name !== HAS_HEADER) return subject;
  return args.length === 1 ? holding(existence(subject, false)) : undefined;
}

function named(subject: string | undefined): ScriptValue | undefined {
  return subject === undefined ? undefined : { subject };
}

/** An expression without the `?.` around it. */
export function unchained(node: Expression): Expression {
  return node.type === "ChainExpression" ? node.expression : node;
}
