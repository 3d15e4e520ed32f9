import { isObject, type JsonValue } from "../../../lib/base/values/json.ts";
import { writtenAs } from "./comments.ts";
import type { Draft, DraftSource, DraftStep } from "./draft.ts";
import { fixturePath } from "./flow_document.ts";

/** Columns of a line of Python. */
const WIDTH = 100;
const INDENT = "    ";

/** Builders of the Python SDK by scheme; what is not one is a mapping. */
const AUTH: Readonly<Record<string, string>> = {
  none: "no_auth",
  bearer: "bearer",
  basic: "basic",
  api_key: "api_key",
  cookie: "cookie",
};

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
  const steps = draft.steps.map((each) => stepCall(each, used));
  const body = [`flow = ${call("Flow", head)}`, ...steps].join("\n\n");
  return `${writtenAs(draft)}\nfrom bench_sdk import ${
    [...used].sort(byName).join(", ")
  }\n\n${body}\n`;
}

/** Classes first, as tools sort imports. */
function byName(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function stepCall(step: DraftStep, used: Set<string>): string {
  const { id, comments, graphql } = step;
  const own: [string, string][] = [["", literal(id)]];
  if (graphql) {
    const { query, ...rest } = graphql;
    own.push(["", document(String(query))]);
    for (const [key, value] of Object.entries(rest)) {
      own.push([key, literal(value, 1)]);
    }
  } else own.push(["", literal(step.call!)]);
  if (step.auth) own.push(["auth", authOf(step.auth, used)]);
  for (const key of ["headers", "query", "body"] as const) {
    const value = step[key];
    const empty = key !== "body" && value && Object.keys(value).length === 0;
    if (value !== undefined && !empty) {
      own.push([key, literal(value as JsonValue, 1)]);
    }
  }
  const extract = Object.entries(step.extract ?? {});
  if (extract.length > 0) {
    const items = extract.map(([name, source]) =>
      `${literal(name)}: ${sourceOf(source, used)}`
    );
    own.push(["extract", bracketed("{", items, "}", 1)]);
  }
  if (step.assert?.length) own.push(["assert_", literal(step.assert, 1)]);
  if (step.onFailure) own.push(["on_failure", literal(step.onFailure)]);
  const comment = comments.map((each) => `# ${each}\n`).join("");
  return comment + call(`flow.${graphql ? "graphql" : "call"}`, own);
}

function call(name: string, given: readonly [string, string][]): string {
  const items = given.map(([key, value]) =>
    key === "" ? value : `${key}=${value}`
  );
  const line = `${name}(${items.join(", ")})`;
  if (line.length <= WIDTH && !line.includes("\n")) return line;
  return `${name}(\n${items.map((each) => `${INDENT}${each},\n`).join("")})`;
}

function authOf(
  auth: Readonly<Record<string, JsonValue>>,
  used: Set<string>,
): string {
  const { scheme, in: location, ...fields } = auth;
  const builder = AUTH[String(scheme)];
  if (builder === undefined) return literal(auth as JsonValue);
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
  return query.includes("\n") && !query.includes('"""') && !query.includes("\\")
    ? `"""${query}"""`
    : literal(query);
}

/** A JSON value as Python writes it. */
function literal(value: JsonValue, depth = 0): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  // The escapes of JSON are escapes of Python, but for half a character.
  if (typeof value === "string") return JSON.stringify(value);
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
