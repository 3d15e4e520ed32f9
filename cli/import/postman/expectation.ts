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
  "to be been is a an that which and has have with at of same but does still also deep own"
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

/** Assertions that hold for each value of a type, and for no other one. */
const TYPES: ReadonlyMap<string, string> = new Map(Object.entries({
  string: "matches .*",
  number: "> -1e308",
  boolean: "in [true,false]",
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

/** A word of an expectation. */
interface Link {
  readonly word: string;
  readonly negated: boolean;
  /** Undefined where nothing is called. */
  readonly args: readonly AnyNode[] | undefined;
}

/** `pm.expect(subject).to.not.eql(value)`, taken apart. */
interface Chain {
  /** Undefined for `pm.response` itself. */
  readonly subject?: ScriptValue;
  /** Without fillers. */
  readonly links: readonly Link[];
}

/** The assertions that say the same as an expectation; undefined where a flow cannot say it. */
export function assertionsOf(
  node: AnyNode,
  names: ScriptNames,
): string[] | undefined {
  const { subject, links } = chainOf(node, names) ?? { links: [] };
  const made = !subject
    ? links.flatMap((each) => ofResponse(each, names))
    : "holds" in subject
    ? ofCondition(subject.holds, links, names)
    : ofValue(subject, links, names);
  return made.length > 0 && made.every((each) => each !== undefined)
    ? [...made]
    : undefined;
}

function chainOf(node: AnyNode, names: ScriptNames): Chain | undefined {
  const words: Omit<Link, "negated">[] = [];
  for (let at = node; words.length < MOST_WORDS;) {
    const args = at.type === "CallExpression" ? at.arguments : undefined;
    if (at.type === "CallExpression") at = at.callee;
    if (at.type !== "MemberExpression" || at.computed) return undefined;
    if (at.property.type !== "Identifier") return undefined;
    words.unshift({ word: at.property.name, args });
    at = at.object;
    const expected = at.type === "CallExpression" &&
        dottedName(at.callee) === "pm.expect"
      ? at.arguments[0]
      : undefined;
    if (dottedName(expected ?? at) === "pm.response") {
      return { links: telling(words) };
    }
    if (!expected) continue;
    const subject = valueOf(expected, names);
    return subject && { subject, links: telling(words) };
  }
  return undefined;
}

/** Of one expectation: the time that they take grows with their square. */
const MOST_WORDS = 100;

/** A `not` is about all that follows. */
function telling(words: readonly Omit<Link, "negated">[]): Link[] {
  let negated = false;
  return words.flatMap((each) => {
    if (each.args) return [{ ...each, negated }];
    negated ||= each.word === "not";
    return each.word === "not" || FILLERS.has(each.word)
      ? []
      : [{ ...each, negated }];
  });
}

/** `pm.expect(pm.response.headers.has("ETag")).to.be.true` */
function ofCondition(
  holds: readonly string[],
  [link, ...more]: readonly Link[],
  names: ScriptNames,
): readonly (string | undefined)[] {
  if (!link || more.length > 0) return [undefined];
  const { word, args, negated } = link;
  const isEquality = OPERATORS.get(word) === "==";
  const value = args
    ? isEquality && literalOf(args[0], names)
    : VALUES.get(word);
  if ((args && !isEquality) || typeof value !== "boolean") return [undefined];
  if (value !== negated) return holds;
  const [only = ""] = holds;
  return holds.length === 1 && only.endsWith(" exists")
    ? [only.replace(/exists$/, "not_exists")]
    : [undefined];
}

/** `pm.expect(json).to.have.property("id").that.is.a("string")` */
function ofValue(
  subject: ScriptValue | undefined,
  links: readonly Link[],
  names: ScriptNames,
): (string | undefined)[] {
  const [link, ...rest] = links;
  if (!link) return [];
  const { word, args, negated } = link;
  if (!args && /^length(?:Of)?$/.test(word)) {
    return ofValue(lengthOf(subject), rest, names);
  }
  if (!subject) return [undefined];
  if (word === "property") {
    return ofProperty(subject, link, rest, names, [
      literalOf(args?.[0], names),
    ]);
  }
  if (word === "nested" && !args && rest[0]?.word === "property") {
    const [property, ...more] = rest;
    const keys = keysOf(literalOf(property.args?.[0], names));
    return ofProperty(subject, property, more, names, keys);
  }
  if (/^an?$/.test(word)) {
    const type = String(literalOf(args?.[0], names)).toLowerCase();
    if (negated) return [undefined];
    if (type === "array") return ofList(subject, rest, names);
    // What has a property is an object.
    if (type !== "object") {
      return [typed(subject, type), ...ofValue(subject, rest, names)];
    }
    return rest[0]?.negated === false &&
        /^(?:property|nested)$/.test(rest[0].word)
      ? ofValue(subject, rest, names)
      : [undefined];
  }
  const made = word === "within" && !negated
    ? withinBounds(subject, args, names)
    : [ofSubject(link, subject, names)];
  return [...made, ...ofValue(subject, rest, names)];
}

function typed(subject: ScriptValue, type: string): string | undefined {
  const holds = TYPES.get(type);
  return holds !== undefined && "subject" in subject &&
      subject.subject.startsWith("$") && !subject.hasDefault
    ? `${subject.subject} ${holds}`
    : undefined;
}

/**
 * `.property("id")`: its value is the subject of the words behind it.
 *
 * @param keys lead to it
 */
function ofProperty(
  subject: ScriptValue,
  { args: [, value] = [], negated }: Link,
  rest: readonly Link[],
  names: ScriptNames,
  keys: readonly (JsonValue | undefined)[],
): (string | undefined)[] {
  const key = keys.at(-1);
  const owner = keys.slice(0, -1)
    .reduce<ScriptValue | undefined>(partOf, subject);
  const part = partOf(owner, key);
  if (!part || negated && (value || rest.length > 0)) return [undefined];
  const after = ofValue(part, rest, names);
  if (value) return [assertion(part, "==", literalOf(value, names)), ...after];
  // Any other assertion on the value fails where it is not there.
  const isThere = after.some((each) =>
    each !== undefined && !/ (?:== null|not_exists)$/.test(each)
  );
  return [...isThere ? [] : [keyed(owner, key, negated)], ...after];
}

/** `a.b[0]` */
function keysOf(path: JsonValue | undefined): (string | number | undefined)[] {
  const keys = String(path).match(/[^.[\]]+/g);
  return keys && /^[^.[\]\\]+(?:\.[^.[\]\\]+|\[\d+\])*$/.test(String(path))
    ? keys.map((each) => /^\d+$/.test(each) ? Number(each) : each)
    : [undefined];
}

/**
 * `.that.is.not.empty` of what has to be a list: `[:]` has the items of a list alone, so that
 * one of them has to be there.
 */
function ofList(
  list: ScriptValue,
  links: readonly Link[],
  names: ScriptNames,
): (string | undefined)[] {
  if (!("subject" in list) || links.length === 0) return [undefined];
  if (links.some(({ word }) => word === "property")) return [undefined];
  const items = `${list.subject}[:]`;
  return ofValue({ ...list, subject: items }, links, names).map((each) => {
    const said = each?.replace(`length(${items})`, "length")
      .replace(items, "items");
    if (said === "length == 0") return `${list.subject} == []`;
    return SOME_ITEMS.test(said ?? "") ? each : undefined;
  });
}

const SOME_ITEMS = /^(?:length (?:(?:==|>=) [1-9]|> \d)|items contains )/;

/** `pm.expect(json.price).to.be.within(9, 10)` */
function withinBounds(
  subject: ScriptValue,
  args: Link["args"] = [],
  names: ScriptNames,
): (string | undefined)[] {
  const [least, most] = args.map((each) => literalOf(each, names));
  return [
    assertion(subject, ">=", least),
    assertion(subject, "<=", most),
  ];
}

function ofSubject(
  { word, negated, args }: Link,
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
  const [first] = args;
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
  { word, negated, args = [] }: Link,
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
  if (!regex || negated || !("subject" in side) || side.hasDefault) return;
  // Whether there is a match: where it is, `d` and `g` ask for.
  const flags = regex.flags.replaceAll(/[dg]/g, "");
  if (!/^[ims]*$/.test(flags)) return undefined;
  const text = patternText(regex.pattern);
  return `${side.subject} matches ${
    flags === "" ? text : `(?${flags}:${regex.pattern.replaceAll("\\/", "/")})`
  }`;
}

/** A pattern as an assertion has it: in quotes where it would lose its own, or be a word of JSON. */
function patternText(source: string): string {
  const pattern = source.replaceAll("\\/", "/");
  return /^(?:["'\s]|\w+$)|["'\s]$/.test(pattern)
    ? JSON.stringify(pattern)
    : pattern;
}
