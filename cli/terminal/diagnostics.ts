import type { CompiledFlow } from "../../lib/compile.ts";
import {
  type Diagnostic,
  type InputError,
  isError,
} from "../../lib/base/text/diagnostic.ts";
import {
  diagnosticsJson,
  githubAnnotations,
  renderDiagnostics,
} from "../../lib/base/text/render.ts";
import type { Console } from "./console.ts";

/** As text for a person on stderr, or as data for a program on stdout. */
export type DiagnosticsForm = "text" | "json";

/** Prints why an input is refused. */
export function showRefusal(
  { diagnostics, sources }: InputError,
  console: Console,
  form: DiagnosticsForm,
): void {
  const several = diagnostics.length > 1 && form === "text";
  show(diagnostics, sources, console, form);
  if (several) {
    console.err(`\n${countOf(diagnostics)}; nothing was sent\n`);
  }
  annotate(diagnostics, console);
}

/** Prints what the author of a valid flow should know. */
export function showWarnings(
  { warnings, sources }: CompiledFlow,
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

function annotate(
  diagnostics: readonly Diagnostic[],
  console: Console,
): void {
  if (diagnostics.length === 0) return;
  if (Deno.env.get("GITHUB_ACTIONS") !== "true") return;
  console.command(githubAnnotations(diagnostics));
}

function countOf(diagnostics: readonly Diagnostic[]): string {
  const errors = diagnostics.filter(isError).length;
  const warnings = diagnostics.length - errors;
  const parts = [[errors, "error"], [warnings, "warning"]] as const;
  return parts.filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}${count === 1 ? "" : "s"}`)
    .join(", ");
}
