import { InputError } from "../text/diagnostic.ts";
import {
  diagnosticsJson,
  githubAnnotations,
  renderDiagnostics,
} from "../text/render.ts";
import type { Console } from "./console.ts";

/**
 * Tells a person (or with `json` a program) why a command could not do its
 * job.
 *
 * @returns the exit code: 2 for input that is refused, 3 for anything else
 */
export function failWith(
  error: unknown,
  console: Console,
  form: "text" | "json",
): number {
  if (error instanceof InputError) {
    if (form === "json") console.out(diagnosticsJson(error.diagnostics));
    else console.err(diagnosticsText(error, console));
    if (Deno.env.get("GITHUB_ACTIONS") === "true") {
      console.err(githubAnnotations(error.diagnostics));
    }
    return 2;
  }
  if (isRefusal(error)) {
    console.err(`bench: error: ${error.message}\n`);
    return error.exitCode;
  }
  const { stack } = error as Error;
  console.err(
    `bench: error: this is a fault of bench, please report it\n${
      stack ?? String(error)
    }\n`,
  );
  return 3;
}

/** An error that knows its exit code, such as an unwritable store. */
function isRefusal(error: unknown): error is Error & { exitCode: number } {
  return error instanceof Error && "exitCode" in error &&
    typeof error.exitCode === "number";
}

function diagnosticsText(error: InputError, console: Console): string {
  const count = error.diagnostics.length;
  const text = renderDiagnostics(error.diagnostics, error.sources, {
    color: console.errColor,
  });
  return count > 1 ? `${text}\n${count} errors; nothing was sent\n` : text;
}
