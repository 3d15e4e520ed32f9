import { EXIT } from "./exit.ts";

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

/** What is asked for is not done, and nothing was sent. */
export class Refused extends BenchError {
  override readonly name: string = "Refused";
  constructor(message: string, hint?: string) {
    super(message, { hint, exitCode: EXIT.refused });
  }
}
