import type { Diagnostic } from "../text/diagnostic.ts";
import { type Span, spanOf } from "../text/span.ts";
import { spanWithin } from "../text/within.ts";

/**
 * Collects what reading a file finds: every mistake, and where each part of
 * the IR was written. Reading never stops at the first mistake.
 */
export class Reader {
  readonly diagnostics: Diagnostic[] = [];
  readonly spans: Map<string, Span> = new Map();
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
    this.#note({ file: this.file, span, code, message }, hint);
  }

  /**
   * Notes a mistake in the IR value at `pointer`, where it was written.
   *
   * @param inside the text at fault within the string at `pointer`
   */
  reportAt(
    pointer: string,
    code: string,
    message: string,
    hint?: string,
    inside?: string,
  ): void {
    const whole = spanOf(this.spans, pointer);
    const span = whole && inside !== undefined
      ? spanWithin(whole, this.text, inside)
      : whole;
    const place = span ? { span } : { pointer };
    this.#note({ file: this.file, ...place, code, message }, hint);
  }

  /** Notes that the IR value at `pointer` was written at `span`. */
  place(pointer: string, span: Span): void {
    this.spans.set(pointer, span);
  }

  #note(diagnostic: Diagnostic, hint: string | undefined): void {
    const { span, pointer, code, message } = diagnostic;
    const key = JSON.stringify([
      span?.line,
      span?.column,
      pointer,
      code,
      message,
    ]);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.diagnostics.push(
      hint === undefined ? diagnostic : { ...diagnostic, hint },
    );
  }
}
