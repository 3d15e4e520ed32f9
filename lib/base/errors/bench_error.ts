interface ErrorDetails {
  /** Stable kebab-case name of the condition. */
  readonly code?: string | undefined;
  /** A way out. */
  readonly hint?: string | undefined;
  /** Of the program, when the error ends it. */
  readonly exitCode?: number;
  readonly cause?: unknown;
}

/** A condition that is foreseen: its message is for the user. Any other error is a bug. */
export class BenchError extends Error {
  override readonly name: string = "BenchError";
  readonly code: string | undefined;
  readonly hint: string | undefined;
  readonly exitCode: number;

  constructor(message: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = details.code;
    this.hint = details.hint;
    this.exitCode = details.exitCode ?? EXIT.errored;
  }
}

/** The command was refused, and nothing was sent. */
export class Refused extends BenchError {
  override readonly name: string = "Refused";
  constructor(message: string, hint?: string) {
    super(message, { hint, exitCode: EXIT.refused });
  }
}

/** Every exit code there is, and what it says. */
export const EXIT = {
  held: 0,
  verdictFailed: 1,
  refused: 2,
  errored: 3,
  sighup: 129,
  sigint: 130,
  sigterm: 143,
} as const;

/** The meaning of each, as the documentation has it. */
export const EXIT_MEANING: Readonly<Record<keyof typeof EXIT, string>> = {
  held: "every threshold held",
  verdictFailed:
    "the verdict is `fail`: a threshold, a failed row in integration or system mode, or `abort_run`",
  refused:
    "refused before the first request: usage, an error in a file, a missing variable, the allow-list, a ceiling, a store that cannot be written",
  errored:
    "could not finish: the store was lost or full during the run (the summary is printed all the same), or bench itself is at fault",
  sighup: "interrupted by a closed terminal (SIGHUP); results are saved",
  sigint: "interrupted by Ctrl-C (SIGINT); results are saved",
  sigterm: "interrupted by SIGTERM; results are saved",
};

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

/** The error in an expression that `parse` reads; undefined when it is right. */
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
