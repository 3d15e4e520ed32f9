import { BenchError } from "../../lib/base/errors/bench_error.ts";
import { EXIT } from "../../lib/base/errors/exit.ts";
import { InputError } from "../../lib/base/text/diagnostic.ts";
import type { Console } from "./console.ts";
import { type DiagnosticsForm, showRefusal } from "./diagnostics.ts";

/**
 * Prints for a person (or with `json` for a program) why a command could not do
 * its job.
 *
 * @returns the exit code: that of the error, 3 for anything that is not foreseen
 */
export function failWith(
  error: unknown,
  console: Console,
  form: DiagnosticsForm,
): number {
  if (error instanceof InputError) {
    showRefusal(error, console, form);
    return EXIT.refused;
  }
  if (error instanceof BenchError) {
    printError(console, error.message, error.hint);
    return error.exitCode;
  }
  const { stack } = error as Error;
  console.err(
    `bench: error: this is a bug of bench, please report it\n${
      stack ?? String(error)
    }\n`,
  );
  return EXIT.errored;
}

/** Refuses what the command line asked for. Returns the exit code. */
export function refuseRequest(
  console: Console,
  message: string,
  hint?: string,
): number {
  printError(console, message, hint);
  return EXIT.refused;
}

/** One error that belongs to no line of a file. */
export function printError(
  console: Console,
  message: string,
  hint?: string,
): void {
  console.err(`bench: error: ${message}\n`);
  if (hint !== undefined) console.err(`  = ${hint}\n`);
}
