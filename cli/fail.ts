import { EXIT } from "../lib/results/report/exit_code.ts";
import { InputError } from "../lib/base/text/diagnostic.ts";
import type { Console } from "./console.ts";
import { type DiagnosticsForm, showRefusal } from "./diagnostics.ts";

/**
 * Tells a person (or with `json` a program) why a command could not do its
 * job.
 *
 * @returns the exit code: 2 for input that is refused, 3 for anything else
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
  if (error instanceof Error && Object.hasOwn(EXPECTED, error.name)) {
    const { hint } = error as { hint?: string };
    tellError(console, error.message, hint);
    return EXPECTED[error.name]!;
  }
  const { stack } = error as Error;
  console.err(
    `bench: error: this is a fault of bench, please report it\n${
      stack ?? String(error)
    }\n`,
  );
  return EXIT.errored;
}

/** Exit codes of errors that are nobody's fault, by name: no code is loaded. */
const EXPECTED: Readonly<Record<string, number>> = {
  RunRefused: EXIT.refused,
  StoreError: EXIT.errored,
  OutputError: EXIT.errored,
};

/** Refuses what the command line asked for. Returns the exit code. */
export function refuseRequest(
  console: Console,
  message: string,
  hint?: string,
): number {
  tellError(console, message, hint);
  return EXIT.refused;
}

/** One error that belongs to no line of a file. */
export function tellError(
  console: Console,
  message: string,
  hint?: string,
): void {
  console.err(`bench: error: ${message}\n`);
  if (hint !== undefined) console.err(`  = ${hint}\n`);
}
