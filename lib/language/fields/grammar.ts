import type { GenericSchema } from "valibot";
import { ExpressionError } from "../../base/errors/expression_error.ts";
import { reportTemplate, scalar, string } from "./scalars.ts";
import type { Value } from "./value.ts";

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
export function grammar<T>(
  { noun, pattern, code, parse, hint, takesNumbers, schema }: Grammar<T>,
): Value<T> {
  const form = { type: "string", pattern };
  const written = takesNumbers
    ? scalar({
      schema: string.schema,
      form,
      expected: noun,
      take: ({ value, text }) => value === null ? undefined : text,
    })
    : string;
  return {
    schema,
    form,
    parse,
    read(slot) {
      const text = written.read(slot);
      if (text === undefined) return;
      try {
        return parse(text);
      } catch (error) {
        if (text.includes("{{")) return reportTemplate(slot, noun);
        if (error instanceof ExpressionError) {
          const { code, message, offset, hint } = error;
          const at = offset > 0 ? slot.inside(offset) : slot.node.at;
          return slot.report({ at, code, message, hint });
        }
        const message = `${slot.what}: ${(error as Error).message}`;
        return slot.report({ code, message, hint: hint?.(text) });
      }
    },
  };
}
