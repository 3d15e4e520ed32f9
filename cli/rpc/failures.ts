import { BenchError, EXIT } from "../../lib/base/errors/bench_error.ts";
import { ResponseError } from "vscode-jsonrpc";
import { type Diagnostic, InputError } from "../../lib/base/text/diagnostic.ts";
import {
  type DiagnosticData,
  diagnosticData,
  renderDiagnostics,
} from "../../lib/base/text/render.ts";

/** Codes of this protocol's own errors: the exit codes of the same events. */
export const CODES = {
  /** Refused before the first request. */
  refused: EXIT.refused,
  /** Could not finish. */
  errored: EXIT.errored,
  /** Cancelled before there was a result. */
  cancelled: 5,
} as const;

/** Diagnostics of a flow or target. */
interface DiagnosticsMessage {
  readonly diagnostics: readonly DiagnosticData[];
  /** As a person reads them, with frames; empty when there are none. */
  readonly text: string;
}

/** Diagnostics as data, and as a person reads them. */
export function diagnosticsMessage(
  diagnostics: readonly Diagnostic[],
  sources: ReadonlyMap<string, string>,
): DiagnosticsMessage {
  return {
    diagnostics: diagnosticData(diagnostics),
    text: renderDiagnostics(diagnostics, sources, { color: false }),
  };
}

/** Why a request has no result, as the error of its response. */
export function failureOf(error: unknown): ResponseError<unknown> {
  if (error instanceof ResponseError) return error;
  if (error instanceof InputError) {
    const { diagnostics, sources } = error;
    const data = diagnosticsMessage(diagnostics, sources);
    return new ResponseError(CODES.refused, firstLine(error), data);
  }
  if (error instanceof BenchError) {
    const { message, hint, exitCode } = error;
    return new ResponseError(exitCode, message, { hint: hint ?? null });
  }
  const { stack = String(error) } = error as Error;
  const message = "this is a bug of bench, please report it";
  return new ResponseError(CODES.errored, message, { stack });
}

function firstLine({ message }: Error): string {
  return message.split("\n")[0] ?? "";
}
