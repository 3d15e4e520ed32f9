import {
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/base/values/json.ts";
import type { Draft, DraftSource, DraftStep } from "./draft.ts";
import {
  comments,
  commentsOf,
  fixturePath,
  hasUnshown,
  literalPool,
  quoted,
  stepDocument,
  writtenAs,
} from "./flow_document.ts";
import { LITERAL_POOL } from "./literal_braces.ts";

/** Columns of a line of Python. */
const WIDTH = 100;
const INDENT = "    ";

/** Schemes with a builder in the Python SDK; others are mappings. */
const BUILDERS = ["none", "bearer", "basic", "api_key", "cookie"];

/** The flow in Python, which can say where a flow file cannot take variables from. */
export function flowPython(draft: Draft): string {
  const used = new Set(["Flow"]);
  const head: [string, string][] = [["", literal(draft.name)]];
  if (draft.load) {
    used.add("profile");
    const { vus, hold } = draft.load;
    head.push([
      "profile",
      `profile("load", vus=${vus}, hold=${
        literal(hold)
      }, thresholds=["error_rate < 1%"])`,
    ]);
  }
  if (draft.auth) head.push(["auth", authOf(draft.auth, used)]);
  if (draft.fixture) head.push(["data", literal(fixturePath(draft.name))]);
  const pool = literalPool(draft);
  if (pool) {
    used.add("pool");
    const { path, distribution } = pool;
    head.push([
      "pools",
      `[pool(${literal(LITERAL_POOL)}, ${literal(path!)}, distribution=${
        literal(distribution!)
      })]`,
    ]);
  }
  const steps = draft.steps.map((each) => stepCall(each, used));
  const body = [`flow = ${call("Flow", head)}`, ...steps].join("\n\n");
  return `${writtenAs(draft)}\nfrom bench_sdk import ${
    [...used].sort().join(", ")
  }\n\n${body}\n`;
}

function stepCall(step: DraftStep, used: Set<string>): string {
  const given = Object.entries(stepDocument(step))
    .flatMap(([key, value]) => argumentsOf(key, value, used));
  return comments(commentsOf(step)) +
    call(`flow.${step.graphql ? "graphql" : "call"}`, given);
}

/** A key of a step as arguments of its builder. */
function argumentsOf(
  key: string,
  value: JsonValue,
  used: Set<string>,
): [string, string][] {
  switch (key) {
    case "id":
    case "call":
      return [["", literal(value)]];
    case "graphql": {
      const { query, ...rest } = value as JsonObject;
      return [
        ["", document(String(query))],
        ...Object.entries(rest).map(([name, each]): [string, string] => [
          name,
          literal(each, 1),
        ]),
      ];
    }
    case "auth":
      return [[key, authOf(value as JsonObject, used)]];
    case "extract": {
      const items = Object.entries(value as Record<string, DraftSource>)
        .map(([name, from]) => `${literal(name)}: ${sourceOf(from, used)}`);
      return [[key, bracketed("{", items, "}", 1)]];
    }
    case "assert":
      return [["assert_", literal(value, 1)]];
    default:
      return [[key, literal(value, 1)]];
  }
}

function call(name: string, given: readonly [string, string][]): string {
  const items = given.map(([key, value]) =>
    key === "" ? value : `${key}=${value}`
  );
  const line = `${name}(${items.join(", ")})`;
  if (line.length <= WIDTH && !line.includes("\n")) return line;
  return `${name}(\n${items.map((each) => `${INDENT}${each},\n`).join("")})`;
}

function authOf(auth: JsonObject, used: Set<string>): string {
  const { scheme, in: location, ...fields } = auth;
  if (!BUILDERS.includes(String(scheme))) return literal(auth);
  const builder = scheme === "none" ? "no_auth" : String(scheme);
  used.add(builder);
  const given = Object.values(fields).map((each) => literal(each));
  if (location !== undefined) given.push(`in_=${literal(location)}`);
  return `${builder}(${given.join(", ")})`;
}

function sourceOf(source: DraftSource, used: Set<string>): string {
  if (typeof source === "string") return literal(source);
  used.add(`from_${source.from}`);
  return `from_${source.from}(${literal(source.name)})`;
}

function document(query: string): string {
  return query.includes("\n") && !/"""|"$|\\/.test(query) && !hasUnshown(query)
    ? `"""${query}"""`
    : literal(query);
}

/** A JSON value as Python writes it. */
function literal(value: JsonValue, depth = 0): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "string") return quoted(value);
  if (typeof value !== "object") return String(value);
  if (!isObject(value)) {
    const items = value.map((each) => literal(each, depth + 1));
    return bracketed("[", items, "]", depth);
  }
  const items = Object.entries(value).map(([key, each]) =>
    `${literal(key)}: ${literal(each, depth + 1)}`
  );
  return bracketed("{", items, "}", depth);
}

function bracketed(
  open: string,
  items: readonly string[],
  close: string,
  depth: number,
): string {
  const line = open + items.join(", ") + close;
  if (line.length <= WIDTH - 30 && !line.includes("\n")) return line;
  const inside = INDENT.repeat(depth + 1);
  return `${open}\n${items.map((each) => `${inside}${each},\n`).join("")}${
    INDENT.repeat(depth)
  }${close}`;
}
