import type { Diagnostic } from "../text/diagnostic.ts";
import type { Span } from "../text/span.ts";

/**
 * Collects what reading a file finds: every mistake, and where each part of
 * the IR was written. Reading never stops at the first mistake.
 */
export class Reader {
  readonly diagnostics: Diagnostic[] = [];
  readonly spans: Map<string, Span> = new Map();

  /** @param file the file as the user named it */
  constructor(readonly file: string) {}

  /** Notes a mistake. `code` is the stable name of the rule it breaks. */
  report(span: Span, code: string, message: string, hint?: string): void {
    this.diagnostics.push({
      code,
      file: this.file,
      span,
      message,
      ...(hint !== undefined && { hint }),
    });
  }

  /** Notes that the IR value at `pointer` was written at `span`. */
  place(pointer: string, span: Span): void {
    this.spans.set(pointer, span);
  }
}
