import { nearest } from "../../base/text/suggest.ts";
import type { PathScanner } from "./scanner.ts";
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
export class ConditionReader {
  constructor(
    readonly scanner: PathScanner,
    readonly readQuery: (root: "$" | "@") => Query,
  ) {}

  read(): Condition {
    const condition = this.#chain(
      "or",
      "||",
      () => this.#chain("and", "&&", () => this.#basic()),
    );
    const { scanner } = this;
    const brought = BROUGHT.find(([token]) => scanner.sees(token));
    if (!brought) return condition;
    throw scanner.error(
      `\`${brought[0]}\` is not an operator`,
      scanner.at,
      brought[1],
    );
  }

  #chain(
    kind: "or" | "and",
    operator: string,
    read: () => Condition,
  ): Condition {
    const { scanner } = this;
    const parts = [read()];
    for (scanner.skipBlank(); scanner.take(operator); scanner.skipBlank()) {
      scanner.skipBlank();
      parts.push(read());
    }
    return parts.length === 1 ? parts[0]! : { kind, parts };
  }

  #basic(): Condition {
    const { scanner } = this;
    const negated = scanner.take("!");
    if (negated) scanner.skipBlank();
    if (scanner.sees("(")) {
      const part = this.#parentheses();
      this.#refuseOperator(
        "a condition in parentheses cannot be compared",
        "a value is compared without parentheses",
      );
      return negated ? { kind: "not", part } : part;
    }
    const start = scanner.at;
    const left = this.#operand();
    scanner.skipBlank();
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
    scanner.skipBlank();
    const at = scanner.at;
    const right = this.#operand();
    this.#checkComparable(right, at);
    return { kind: "compare", operator, left, right };
  }

  #parentheses(): Condition {
    const { scanner } = this;
    return scanner.nested(() => {
      const start = scanner.at++;
      scanner.skipBlank();
      const condition = this.read();
      if (scanner.take(")")) return condition;
      throw scanner.next === ""
        ? scanner.error("no closing `)`", start)
        : scanner.error(
          `expected \`)\`, \`&&\` or \`||\`, but ${scanner.found}`,
        );
    });
  }

  #operator(): CompareOperator | undefined {
    return COMPARE_OPERATORS.find((each) => this.scanner.take(each));
  }

  #refuseOperator(message: string, hint: string): void {
    const { scanner } = this;
    const before = scanner.at;
    scanner.skipBlank();
    const at = scanner.at;
    if (this.#operator()) throw scanner.error(message, at, hint);
    scanner.at = before;
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
    throw this.scanner.error(
      operand.kind === "call"
        ? `\`${operand.name}()\` gives a value, which alone is not a condition`
        : "a value alone is not a condition",
      start,
      "compare it: ==, !=, <, <=, >, >=",
    );
  }

  #checkComparable(operand: Comparable, start: number): void {
    const { scanner } = this;
    if (operand.kind === "query" && !operand.query.singular) {
      throw scanner.error(
        "a path that may match several values cannot be compared",
        start,
        "compare each with a filter of its own, or use count() or value()",
      );
    }
    if (operand.kind === "call" && FUNCTIONS[operand.name].gives !== "value") {
      throw scanner.error(
        `\`${operand.name}()\` is a condition already and cannot be compared`,
        start,
      );
    }
  }

  #operand(): Comparable {
    const { scanner } = this;
    if (scanner.sees("$") || scanner.sees("@")) {
      const query = this.readQuery(scanner.sees("$") ? "$" : "@");
      return { kind: "query", query };
    }
    const value = scanner.quoted() ?? scanner.number();
    if (value !== undefined) return { kind: "literal", value };
    const start = scanner.at;
    const word = scanner.word();
    if (word === undefined) {
      throw scanner.error(
        `expected a path, a value or a function, but ${scanner.found}`,
      );
    }
    if (scanner.sees("(")) return this.#call(word, start);
    if (word in LITERALS) return { kind: "literal", value: LITERALS[word]! };
    const near = nearest(word.toLowerCase(), WORDS);
    throw scanner.error(
      `\`${word}\` is neither a path nor a value`,
      start,
      near !== undefined
        ? `did you mean \`${near}\`?`
        : `a value of the item is \`@.${word}\`, a text '${word}'`,
    );
  }

  #call(name: string, start: number): FunctionCall {
    const { scanner } = this;
    if (!isFunction(name)) {
      const near = nearest(name, FUNCTION_NAMES);
      throw scanner.error(
        `there is no function \`${name}()\``,
        start,
        near !== undefined
          ? `did you mean \`${near}()\`?`
          : `functions: ${
            FUNCTION_NAMES.map((each) => `${each}()`).join(", ")
          }`,
      );
    }
    const { takes } = FUNCTIONS[name];
    const args = scanner.nested(() => this.#arguments(name, takes));
    if (args.length === takes.length) return { kind: "call", name, args };
    throw scanner.error(
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
    const { scanner } = this;
    const args: Comparable[] = [];
    scanner.take("(");
    scanner.skipBlank();
    if (scanner.take(")")) return args;
    do {
      scanner.skipBlank();
      const at = scanner.at;
      const operand = this.#operand();
      this.#checkArgument(operand, takes[args.length], name, at);
      args.push(operand);
      scanner.skipBlank();
    } while (scanner.take(","));
    if (scanner.take(")")) return args;
    throw scanner.error(`expected \`,\` or \`)\`, but ${scanner.found}`);
  }

  #checkArgument(
    operand: Comparable,
    type: "value" | "nodes" | undefined,
    name: string,
    at: number,
  ): void {
    if (type === "nodes" && operand.kind !== "query") {
      throw this.scanner.error(`\`${name}()\` takes a path`, at);
    }
    if (type === "value") this.#checkComparable(operand, at);
  }
}

/** What people bring from other languages, and what to write instead. */
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
