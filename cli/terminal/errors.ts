import { relativePath } from "../../lib/base/values/paths.ts";
import type { CompiledFlow } from "../../lib/compile.ts";
import { BenchError, EXIT } from "../../lib/base/errors/bench_error.ts";
import {
  type Diagnostic,
  InputError,
  isError,
} from "../../lib/base/text/diagnostic.ts";
import {
  diagnosticsJson,
  githubAnnotations,
  renderDiagnostics,
} from "../../lib/base/text/render.ts";
import { escapeControls } from "../../lib/base/text/display.ts";
import type { Console } from "./console.ts";

/** As text for a person on stderr, or as data for a program on stdout. */
export type DiagnosticsForm = "text" | "json";

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
    const { diagnostics, sources } = error;
    show(diagnostics, sources, console, form);
    if (diagnostics.length > 1 && form === "text") {
      console.err(`\n${countOf(diagnostics)}; nothing was sent\n`);
    }
    annotate(diagnostics, console);
    return error.exitCode;
  }
  if (error instanceof BenchError) {
    printError(console, error.message, error.hint);
    return error.exitCode;
  }
  const { stack = String(error) } = error as Error;
  // Such as the sources that a run loads as it begins.
  if (/\(os error 24\)|\bEMFILE\b/.test(stack)) {
    const hint = "`ulimit -n` prints how many may be open; 1024 are enough";
    printError(console, "too many files are open", hint);
  } else {
    const bug = "this is a bug of bench, please report it";
    console.err(`bench: error: ${bug}\n${stack}\n`);
  }
  return EXIT.errored;
}

/** One error that belongs to no line of a file. */
export function printError(
  console: Console,
  message: string,
  hint?: string,
): void {
  console.err(`bench: error: ${lines(message)}\n`);
  if (hint !== undefined) console.err(`  = ${lines(hint)}\n`);
}

/** A text of a file or a server, without commands for a terminal. */
function lines(text: string): string {
  return text.split("\n").map(escapeControls).join("\n    ");
}

/** Prints what the author of a valid flow should know. */
export function showWarnings(
  { warnings, sources }: Pick<CompiledFlow, "warnings" | "sources">,
  console: Console,
  form: DiagnosticsForm = "text",
): void {
  show(warnings, sources, console, form);
  annotate(warnings, console);
}

function show(
  diagnostics: readonly Diagnostic[],
  sources: ReadonlyMap<string, string>,
  console: Console,
  form: DiagnosticsForm,
): void {
  if (form === "json") return console.out(diagnosticsJson(diagnostics));
  if (diagnostics.length === 0) return;
  const color = console.errColor;
  console.err(renderDiagnostics(diagnostics, sources, { color }));
}

/** Marks lines of files in a build server's view of the change. */
export function annotate(
  diagnostics: readonly Diagnostic[],
  console: Console,
): void {
  if (diagnostics.length === 0) return;
  if (Deno.env.get("GITHUB_ACTIONS") !== "true") return;
  console.command(githubAnnotations(diagnostics.map(inWorkspace)));
}

/** Paths of annotations are looked up from the root of the repository. */
function inWorkspace(diagnostic: Diagnostic): Diagnostic {
  const root = Deno.env.get("GITHUB_WORKSPACE");
  const { at } = diagnostic;
  if (!root || at.file === "-" || at.file.startsWith("--")) return diagnostic;
  const file = relativePath(root, at.file);
  const isInside = file !== "" && !file.startsWith("..");
  return isInside ? { ...diagnostic, at: { ...at, file } } : diagnostic;
}

function countOf(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(isError).length;
  const parts = [
    [errors, "error"],
    [diagnostics.length - errors, "warning"],
  ] as const;
  return parts.filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}${count === 1 ? "" : "s"}`)
    .join(", ");
}
