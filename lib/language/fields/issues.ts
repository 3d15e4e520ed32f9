import { shortened } from "../../base/text/display.ts";
import type { Diagnostic } from "../../base/text/diagnostic.ts";
import type { BaseIssue } from "valibot";
import { child, jsonType } from "../../base/values/json.ts";

/** Turns what the schema library found into the words of the other messages. */
export function describeIssues(
  issues: readonly BaseIssue<unknown>[],
): Diagnostic<string>[] {
  return issues.flatMap(flatten).map(describeIssue);
}

/**
 * A union reports one issue with those of its options inside. When the options
 * that got furthest all fail deeper down, those are the ones to report.
 */
function flatten(issue: BaseIssue<unknown>): BaseIssue<unknown>[] {
  const inner = issue.issues?.filter(({ path }) => path !== undefined) ?? [];
  if (issue.type !== "union" || inner.length === 0) return [issue];
  return inner.flatMap(flatten).map((each) => ({
    ...each,
    path: [...(issue.path ?? []), ...(each.path ?? [])],
  } as BaseIssue<unknown>));
}

function describeIssue(issue: BaseIssue<unknown>): Diagnostic<string> {
  const keys = (issue.path ?? []).map(({ key }) => key as string | number);
  const pointer = keys.reduce<string>(child, "");
  const name = keys.length === 0 ? "the value" : `\`${keys.at(-1)}\``;
  if (issue.expected === "never") {
    const message = `unknown key ${name}`;
    return { at: pointer, code: "unknown-key", message };
  }
  if (issue.input === undefined) {
    return {
      at: pointer.slice(0, pointer.lastIndexOf("/")),
      code: "missing-key",
      message: `${name} is missing`,
    };
  }
  return { at: pointer, ...describeValue(issue, name) };
}

function describeValue(
  issue: BaseIssue<unknown>,
  name: string,
): Pick<Diagnostic, "code" | "message"> {
  const { input, type, expected, requirement } = issue;
  const wrong = (what: string, code = "wrong-type") => ({
    code,
    message: `${name} must be ${what}, but it is ${describeInput(input)}`,
  });
  switch (type) {
    case "picklist":
    case "literal":
      return wrong(words(expected), "unknown-value");
    case "variant": {
      const isWord = typeof input === "string" && !expected?.includes("Object");
      return wrong(words(expected), isWord ? "unknown-value" : "wrong-type");
    }
    case "union":
      return wrong(words(expected));
    case "number":
      // Integers that no number holds exactly come as they are.
      return typeof input === "bigint"
        ? wrong(
          `${input > 0 ? "at most " : "at least -"}${Number.MAX_SAFE_INTEGER}`,
          "out-of-range",
        )
        : wrong("a number");
    case "integer":
    case "safe_integer":
      return wrong("a whole number", "out-of-range");
    case "min_value":
      return wrong(`at least ${requirement}`, "out-of-range");
    case "gt_value":
      return wrong(`above ${requirement}`, "out-of-range");
    case "max_value":
      return wrong(`at most ${requirement}`, "out-of-range");
    case "min_length":
      return { code: "empty", message: `${name} must not be empty` };
    case "regex":
      return wrong(`text of the form ${requirement}`, "bad-name");
    case "check":
      return { code: "invalid", message: issue.message };
    case "object":
    case "record":
    case "strict_object":
    case "custom":
      return wrong("an object");
    case "array":
      return wrong("a list");
    default:
      return wrong(`a ${type}`);
  }
}

const NOUNS: Readonly<Record<string, string>> = {
  Array: "a list",
  Object: "an object",
  boolean: "a boolean",
  number: "a number",
  string: "a string",
};

/** `("a" | "b")` as `a or b`. */
function words(expected: string | null): string {
  const options = (expected ?? "something else").replaceAll(/[()"]/g, "")
    .split(" | ").map((option) => NOUNS[option] ?? option);
  const last = options.pop()!;
  return options.length > 0 ? `${options.join(", ")} or ${last}` : last;
}

function describeInput(input: unknown): string {
  if (Array.isArray(input)) return "a list";
  if (typeof input === "object" && input !== null) return "an object";
  if (input === null) return "null";
  const text = JSON.stringify(input) ?? String(input);
  return `the ${jsonType(input)} ${shortened(text, 61)}`;
}
