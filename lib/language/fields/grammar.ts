import type { GenericSchema } from "valibot";
import { ExpressionError } from "../../base/errors/expression_error.ts";
import type { Node } from "../source/node.ts";
import type { Reader } from "../source/reader.ts";
import { scalarOf, wrongType } from "./refuse.ts";
import { readString } from "./scalars.ts";
import type { Slot, Value } from "./value.ts";

/** A small language that a value is written in. */
interface Grammar<T> {
  /** With its article and an example, such as "a rate, such as 50/s". */
  readonly noun: string;
  /** What its texts look like, for editors; from the parser's own parts. */
  readonly pattern: string;
  /** Of a text it cannot read, when its error has none. */
  readonly code: string;
  /** @throws {SyntaxError | RangeError | ExpressionError} with what is wrong */
  parse(text: string): T;
  hint?(text: string): string | undefined;
  /** A number is read as the text it is; refused when absent. */
  readonly takesNumbers?: true;
  /** The IR. */
  readonly schema: GenericSchema<unknown, T>;
}

/** A value in a language of its own. */
export function grammar<T>(language: Grammar<T>): Value<T> {
  const { schema, pattern, parse } = language;
  return {
    schema,
    form: { type: "string", pattern },
    parse,
    read(node, slot, reader) {
      const text = textOf(node, slot, language, reader);
      if (text === undefined) return;
      try {
        return parse(text);
      } catch (error) {
        report(error as Error, node, slot, text, language, reader);
      }
    },
  };
}

function textOf(
  node: Node,
  slot: Slot,
  { noun, takesNumbers }: Grammar<unknown>,
  reader: Reader,
): string | undefined {
  if (!takesNumbers) return readString(node, slot, reader);
  const expected = `${slot.what} must be ${noun}`;
  const scalar = scalarOf(node, expected, reader);
  if (scalar?.value !== null) return scalar?.text;
  return wrongType(node, expected, reader);
}

function report(
  error: Error,
  node: Node,
  { what }: Slot,
  text: string,
  { code, hint }: Grammar<unknown>,
  reader: Reader,
): void {
  const { message } = error;
  if (error instanceof ExpressionError) {
    const at = error.offset > 0 ? reader.inside(node, error.offset) : node.at;
    reader.report({ at, code: error.code, message, hint: error.hint });
    return;
  }
  reader.report({
    at: node.at,
    code,
    message: `${what}: ${message}`,
    hint: hint?.(text),
  });
}
