import { ExpressionError } from "../../base/errors/bench_error.ts";
import { parseQuery } from "./path_reader.ts";
import { isShorthand } from "./scanner.ts";
import type {
  Comparable,
  Condition,
  Query,
  Segment,
  Selector,
} from "./syntax.ts";

/**
 * A path in the one spelling of all that mean the same: without white space
 * that says nothing, names in quotes as in a normalized path (RFC 9535 section
 * 2.7), and behind a dot where they can be, as people write them. What is no
 * path stays as it is.
 */
export function oneSpelling(path: string): string {
  try {
    return spellQuery(parseQuery(path));
  } catch (error) {
    if (error instanceof ExpressionError) return path;
    throw error;
  }
}

/** A query in its one spelling. */
export function spellQuery({ root, segments }: Query): string {
  return root + segments.map(spellSegment).join("");
}

function spellSegment({ descendant, selectors }: Segment): string {
  const [first] = selectors;
  const before = descendant ? ".." : "";
  if (
    selectors.length === 1 && first?.kind === "name" && isShorthand(first.name)
  ) {
    return `${before || "."}${first.name}`;
  }
  return `${before}[${selectors.map(spellSelector).join(",")}]`;
}

function spellSelector(selector: Selector): string {
  switch (selector.kind) {
    case "name":
      return quoted(selector.name);
    case "index":
      return String(selector.index);
    case "wildcard":
      return "*";
    case "slice": {
      const { start = "", end = "", step } = selector;
      return `${start}:${end}${step === 1 ? "" : `:${step}`}`;
    }
    case "filter":
      return `?${spellCondition(selector.condition)}`;
  }
}

/** `&&` binds more tightly than `||`, and `!` than both. */
function spellCondition(condition: Condition, inside?: "and"): string {
  switch (condition.kind) {
    case "or": {
      const text = condition.parts.map((each) => spellCondition(each))
        .join(" || ");
      return inside ? `(${text})` : text;
    }
    case "and":
      return condition.parts.map((each) => spellCondition(each, "and"))
        .join(" && ");
    case "not": {
      const { part } = condition;
      const text = spellCondition(part);
      return part.kind === "exists" || part.kind === "call"
        ? `!${text}`
        : `!(${text})`;
    }
    case "exists":
      return spellQuery(condition.query);
    case "compare": {
      const { left, operator, right } = condition;
      return `${spellOperand(left)} ${operator} ${spellOperand(right)}`;
    }
    case "call":
      return spellOperand(condition);
  }
}

function spellOperand(operand: Comparable): string {
  switch (operand.kind) {
    case "literal": {
      const { value } = operand;
      if (typeof value === "string") return quoted(value);
      // As large as it is written, a number is larger than every other.
      return String(value).replace("Infinity", "1e999");
    }
    case "query":
      return spellQuery(operand.query);
    case "call":
      return `${operand.name}(${operand.args.map(spellOperand).join(", ")})`;
  }
}

/** RFC 9535 section 2.7: single quotes, and the short escapes there are. */
function quoted(text: string): string {
  const inside = JSON.stringify(text).slice(1, -1)
    .replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inside}'`;
}
