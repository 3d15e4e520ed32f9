import { didYouMean } from "../../base/text/suggest.ts";
import { PathScanner } from "./scanner.ts";
import {
  type Comparable,
  COMPARE_OPERATORS,
  type CompareOperator,
  type Condition,
  type FunctionCall,
  type FunctionName,
  FUNCTIONS,
  type Query,
} from "./syntax.ts";

/** Reads the condition of a filter (RFC 9535 section 2.3.5.1). */
export abstract class ConditionReader extends PathScanner {
  /** Reads a query, which may be a part of a condition. */
  abstract query(root: "$" | "@"): Query;

  condition(): Condition {
    const condition = this.#chain(
      "or",
      "||",
      () => this.#chain("and", "&&", () => this.#basic()),
    );
    const brought = BROUGHT.find(([token]) => this.sees(token));
    if (!brought) return condition;
    throw this.error(
      `\`${brought[0]}\` is not an operator`,
      this.at,
      brought[1],
    );
  }

  #chain(
    kind: "or" | "and",
    operator: string,
    read: () => Condition,
  ): Condition {
    const parts = [read()];
    for (this.skipBlank(); this.take(operator); this.skipBlank()) {
      this.skipBlank();
      parts.push(read());
    }
    return parts.length === 1 ? parts[0]! : { kind, parts };
  }

  #basic(): Condition {
    const negated = this.take("!");
    if (negated) this.skipBlank();
    if (this.sees("(")) {
      const part = this.#parentheses();
      this.#refuseOperator(
        "a condition in parentheses cannot be compared",
        "a value is compared without parentheses",
      );
      return negated ? { kind: "not", part } : part;
    }
    const start = this.at;
    const left = this.#operand();
    this.skipBlank();
    if (negated) {
      this.#refuseOperator(
        "`!` negates one condition, not the side of a comparison",
        "put the comparison in parentheses: !(...)",
      );
      return { kind: "not", part: this.#test(left, start) };
    }
    const operator = this.#operator();
    if (operator === undefined) return this.#test(left, start);
    this.#checkComparable(left, start);
    this.skipBlank();
    const at = this.at;
    const right = this.#operand();
    this.#checkComparable(right, at);
    return { kind: "compare", operator, left, right };
  }

  #parentheses(): Condition {
    return this.nested(() => {
      const start = this.at++;
      this.skipBlank();
      const condition = this.condition();
      if (this.take(")")) return condition;
      throw this.next === "" ? this.error("no closing `)`", start) : this.error(
        `expected \`)\`, \`&&\` or \`||\`, but ${this.found}`,
      );
    });
  }

  #operator(): CompareOperator | undefined {
    return COMPARE_OPERATORS.find((each) => this.take(each));
  }

  #refuseOperator(message: string, hint: string): void {
    const before = this.at;
    this.skipBlank();
    const at = this.at;
    if (this.#operator()) throw this.error(message, at, hint);
    this.at = before;
  }

  /** A path or a call, standing alone as a condition. */
  #test(operand: Comparable, start: number): Condition {
    if (operand.kind === "query") {
      return { kind: "exists", query: operand.query };
    }
    if (
      operand.kind === "call" && FUNCTIONS[operand.name].gives === "logical"
    ) {
      return operand;
    }
    throw this.error(
      operand.kind === "call"
        ? `\`${operand.name}()\` gives a value, which alone is not a condition`
        : "a value alone is not a condition",
      start,
      "compare it: ==, !=, <, <=, >, >=",
    );
  }

  #checkComparable(operand: Comparable, start: number): void {
    if (operand.kind === "query" && !operand.query.singular) {
      throw this.error(
        "a path that may match several values cannot be compared",
        start,
        "compare each with a filter of its own, or use count() or value()",
      );
    }
    if (operand.kind === "call" && FUNCTIONS[operand.name].gives !== "value") {
      throw this.error(
        `\`${operand.name}()\` is a condition already and cannot be compared`,
        start,
      );
    }
  }

  #operand(): Comparable {
    if (this.sees("$") || this.sees("@")) {
      const query = this.query(this.sees("$") ? "$" : "@");
      return { kind: "query", query };
    }
    const value = this.quoted() ?? this.number();
    if (value !== undefined) return { kind: "literal", value };
    const start = this.at;
    const word = this.word();
    if (word === undefined) {
      throw this.error(
        `expected a path, a value or a function, but ${this.found}`,
      );
    }
    if (this.sees("(")) return this.#call(word, start);
    if (word in LITERALS) return { kind: "literal", value: LITERALS[word]! };
    throw this.error(
      `\`${word}\` is neither a path nor a value`,
      start,
      didYouMean(word.toLowerCase(), WORDS) ??
        `a value of the item is \`@.${word}\`, a text '${word}'`,
    );
  }

  #call(name: string, start: number): FunctionCall {
    if (!isFunction(name)) {
      const called = (each: string) => `${each}()`;
      throw this.error(
        `there is no function \`${name}()\``,
        start,
        didYouMean(name, FUNCTION_NAMES, called) ??
          `functions: ${FUNCTION_NAMES.map(called).join(", ")}`,
      );
    }
    const { takes } = FUNCTIONS[name];
    const args = this.nested(() => this.#arguments(name, takes));
    if (args.length === takes.length) return { kind: "call", name, args };
    throw this.error(
      `\`${name}()\` takes ${
        takes.length === 1 ? "one argument" : `${takes.length} arguments`
      }, not ${args.length}`,
      start,
    );
  }

  #arguments(
    name: string,
    takes: readonly ("value" | "nodes")[],
  ): Comparable[] {
    const args: Comparable[] = [];
    this.take("(");
    this.skipBlank();
    if (this.take(")")) return args;
    do {
      this.skipBlank();
      const at = this.at;
      const operand = this.#operand();
      this.#checkArgument(operand, takes[args.length], name, at);
      args.push(operand);
      this.skipBlank();
    } while (this.take(","));
    if (this.take(")")) return args;
    throw this.error(`expected \`,\` or \`)\`, but ${this.found}`);
  }

  #checkArgument(
    operand: Comparable,
    type: "value" | "nodes" | undefined,
    name: string,
    at: number,
  ): void {
    if (type === "nodes" && operand.kind !== "query") {
      throw this.error(`\`${name}()\` takes a path`, at);
    }
    if (type === "value") this.#checkComparable(operand, at);
  }
}

/** Operators of other languages, and the ones to write instead. */
const BROUGHT: readonly (readonly [token: string, hint: string])[] = [
  ["=~", "search(@.a, 'pattern') tries a regular expression"],
  ["=", "equality is `==`"],
  ["matches", "search(@.a, 'pattern') tries a regular expression"],
  ["contains", "search(@.a, 'text') looks for a text"],
  ["<>", "inequality is `!=`"],
  ["and", "conditions are joined with `&&`"],
  ["or", "conditions are joined with `||`"],
  ["in", "compare with each value, joined with `||`"],
];

const LITERALS: Readonly<Record<string, boolean | null>> = Object.assign(
  Object.create(null),
  { true: true, false: false, null: null },
);
const FUNCTION_NAMES = Object.keys(FUNCTIONS);
const WORDS = ["true", "false", "null"];

function isFunction(name: string): name is FunctionName {
  return Object.hasOwn(FUNCTIONS, name);
}
