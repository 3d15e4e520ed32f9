import type { AnyNode } from "acorn";
import type { JsonValue } from "../../../lib/base/values/json.ts";
import {
  assertion,
  existence,
  keyed,
  type ScriptValue,
} from "./assertion_text.ts";
import {
  dottedName,
  lengthOf,
  literalOf,
  partOf,
  type ScriptNames,
  valueOf,
} from "./script_values.ts";

/** The words of Chai that say nothing by themselves. */
const FILLERS = new Set(
  "to be been is that which and has have with at of same but does deep"
    .split(" "),
);

/** Words of Chai with one argument, and the operators of an assertion. */
const OPERATORS: ReadonlyMap<string, string> = new Map(Object.entries({
  ...{ eql: "==", eqls: "==", equal: "==", equals: "==", eq: "==" },
  ...{ above: ">", gt: ">", greaterThan: ">", least: ">=", gte: ">=" },
  ...{ below: "<", lt: "<", lessThan: "<", most: "<=", lte: "<=" },
  ...{ include: "contains", includes: "contains", contain: "contains" },
  ...{ contains: "contains", oneOf: "in", string: "contains" },
}));
const NEGATED: ReadonlyMap<string, string> = new Map(Object.entries({
  "==": "!=",
  "!=": "==",
  contains: "not_contains",
}));
/** Words without an argument. */
const VALUES: ReadonlyMap<string, JsonValue> = new Map(Object.entries({
  true: true,
  false: false,
  null: null,
}));

/** `pm.response.to.be.notFound` */
const STATUS_WORDS: ReadonlyMap<string, number> = new Map(Object.entries({
  ...{ accepted: 202, badRequest: 400, unauthorized: 401, unauthorised: 401 },
  ...{ forbidden: 403, notFound: 404, rateLimited: 429 },
}));

/** `pm.response.to.have.status("Created")` */
const STATUS_NAMES: ReadonlyMap<string, number> = new Map(Object.entries({
  ...{ OK: 200, Created: 201, Accepted: 202, "No Content": 204 },
  ...{ "Moved Permanently": 301, Found: 302, "See Other": 303 },
  ...{ "Not Modified": 304, "Bad Request": 400, Unauthorized: 401 },
  ...{ Forbidden: 403, "Not Found": 404, "Method Not Allowed": 405 },
  ...{ Conflict: 409, Gone: 410, "Unprocessable Entity": 422 },
  ...{ "Too Many Requests": 429, "Internal Server Error": 500 },
  ...{ "Bad Gateway": 502, "Service Unavailable": 503 },
}));

/** `pm.expect(subject).to.not.eql(value)`, taken apart. */
interface Chain {
  /** Undefined for `pm.response` itself. */
  readonly subject: ScriptValue | undefined;
  readonly word: string;
  readonly negated: boolean;
  /** Undefined where nothing is called. */
  readonly args: readonly AnyNode[] | undefined;
}

/** The assertions that say the same as an expectation; undefined where a flow cannot say it. */
export function assertionsOf(
  node: AnyNode,
  names: ScriptNames,
): string[] | undefined {
  const chain = chainOf(node, names);
  if (!chain) return undefined;
  const { subject, word, negated } = chain;
  if (subject && "holds" in subject) {
    return word === "true" && !negated ? [...subject.holds] : undefined;
  }
  const made = chain.subject
    ? chain.word === "within" && !negated
      ? withinBounds(chain.subject, chain.args, names)
      : [ofSubject(chain, chain.subject, names)]
    : ofResponse(chain, names);
  return made.every((each) => each !== undefined) ? made : undefined;
}

function chainOf(node: AnyNode, names: ScriptNames): Chain | undefined {
  let at = node.type === "CallExpression" ? node.callee : node;
  const args = node.type === "CallExpression" ? node.arguments : undefined;
  const words: string[] = [];
  while (at.type === "MemberExpression") {
    if (at.computed || at.property.type !== "Identifier") return undefined;
    words.unshift(at.property.name);
    at = at.object;
    const isResponse = dottedName(at) === "pm.response";
    const isExpect = at.type === "CallExpression" &&
      dottedName(at.callee) === "pm.expect";
    if (!isResponse && !isExpect) continue;
    const subject = isExpect && at.type === "CallExpression"
      ? at.arguments[0] && valueOf(at.arguments[0], names)
      : undefined;
    if (isExpect && !subject) return undefined;
    const telling = words.filter((each) => !FILLERS.has(each));
    const [word, ...more] = telling.filter((each) => each !== "not");
    if (word === undefined || more.length > 0) return undefined;
    return { subject, word, negated: telling.includes("not"), args };
  }
  return undefined;
}

/** `pm.expect(json.price).to.be.within(9, 10)` */
function withinBounds(
  subject: ScriptValue,
  args: Chain["args"] = [],
  names: ScriptNames,
): (string | undefined)[] {
  const [least, most] = args.map((each) => literalOf(each, names));
  return [
    assertion(subject, ">=", least),
    assertion(subject, "<=", most),
  ];
}

function ofSubject(
  { word, negated, args }: Chain,
  subject: ScriptValue,
  names: ScriptNames,
): string | undefined {
  if (word === "exist") return existence(subject, negated);
  if (word === "empty" && !args) {
    return assertion(lengthOf(subject), negated ? ">" : "==", 0);
  }
  if (!args) {
    const value = VALUES.get(word);
    return assertion(subject, negated ? "!=" : "==", value);
  }
  const [first, second] = args;
  if (word === "property") {
    const key = literalOf(first, names);
    const part = partOf(subject, key);
    if (!second) return part && keyed(subject, key, negated);
    return assertion(
      part,
      negated ? undefined : "==",
      literalOf(second, names),
    );
  }
  if (word === "lengthOf" || word === "length") {
    const value = literalOf(first, names);
    return assertion(lengthOf(subject), negated ? "!=" : "==", value);
  }
  if (word === "match") return matching(subject, first, negated);
  const operator = OPERATORS.get(word);
  return assertion(
    subject,
    negated ? NEGATED.get(operator ?? "") : operator,
    literalOf(first, names),
  );
}

/** Of `pm.response.to.have.status(200)` and the like. */
function ofResponse(
  { word, negated, args = [] }: Chain,
  names: ScriptNames,
): (string | undefined)[] {
  const status = { subject: "status" };
  const equality = negated ? "!=" : "==";
  const [first, second] = args.map((each) => literalOf(each, names));
  const code = STATUS_WORDS.get(word);
  if (code !== undefined) return [assertion(status, equality, code)];
  switch (word) {
    case "status":
      return [
        assertion(
          status,
          equality,
          STATUS_NAMES.get(String(first)) ??
            (typeof first === "number" ? first : undefined),
        ),
      ];
    case "error":
      return [assertion(status, negated ? "<" : ">=", 400)];
    case "body":
      return typeof first === "string" && !negated
        ? [assertion({ subject: "body" }, "==", first)]
        : [undefined];
    case "ok":
    case "success":
      return negated
        ? [undefined]
        : [assertion(status, ">=", 200), assertion(status, "<", 300)];
    case "header": {
      if (typeof first !== "string") return [undefined];
      const field = { subject: `header.${first}` };
      return [
        args.length > 1
          ? assertion(field, equality, second)
          : existence(field, negated),
      ];
    }
    default:
      return [undefined];
  }
}

function matching(
  side: ScriptValue,
  pattern: AnyNode | undefined,
  negated: boolean,
): string | undefined {
  const regex = pattern?.type === "Literal" ? pattern.regex : undefined;
  return regex?.flags === "" && !negated && "subject" in side
    ? `${side.subject} matches ${patternText(regex.pattern)}`
    : undefined;
}

/** A pattern as an assertion has it: in quotes where it would lose its own, or be a word of JSON. */
function patternText(source: string): string {
  const pattern = source.replaceAll("\\/", "/");
  return /^(?:["'\s]|\w+$)|["'\s]$/.test(pattern)
    ? JSON.stringify(pattern)
    : pattern;
}
