import { BenchError } from "./bench_error.ts";

/** An error inside a small language (assertion, threshold, JSON path), with its location. */
export class ExpressionError extends BenchError {
  override readonly name = "ExpressionError";
  declare readonly code: string;

  constructor(
    code: string,
    message: string,
    /** 0-based offset in the expression's text. */
    readonly offset: number,
    hint?: string,
  ) {
    super(message, { code, hint });
  }
}

/** Makes errors of one rule. */
export function errorsOf(
  code: string,
): (message: string, offset: number, hint?: string) => ExpressionError {
  return (...says) => new ExpressionError(code, ...says);
}

/** What is wrong with an expression that `parse` reads; undefined when it is right. */
export function expressionError(
  parse: () => unknown,
): ExpressionError | undefined {
  try {
    parse();
  } catch (error) {
    if (error instanceof ExpressionError) return error;
    throw error;
  }
}
