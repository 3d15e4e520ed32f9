import type { Diagnostic } from "../../base/text/diagnostic.ts";
import type { Span } from "../../base/text/span.ts";

/**
 * Collects what reading a file finds: every mistake, and where each part of
 * the IR was written. Reading never stops at the first mistake.
 */
export class Reader {
  readonly diagnostics: Diagnostic[] = [];
  readonly spans: Map<string, Span> = new Map();
  /** Bare words on the right of assertions that could be names, by JSON Pointer. */
  readonly bareNames: Map<string, string> = new Map();
  /** The file's text, once it is being read; for places inside a scalar. */
  text = "";
  readonly #seen = new Set<string>();

  /** @param file the file as the user named it */
  constructor(readonly file: string) {}

  /**
   * Notes a mistake, once: an aliased value is read at each of its aliases.
   * `code` is the stable name of the rule it breaks.
   */
  report(span: Span, code: string, message: string, hint?: string): void {
    const key = `${span.line}:${span.column}:${code}:${message}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
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
