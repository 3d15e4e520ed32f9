import type { Diagnostic } from "../../base/text/diagnostic.ts";
import type { Span } from "../../base/text/span.ts";

/** Where a flow is written: the SDK can say what a flow file cannot. */
export type Surface = "yaml" | "sdk";

/**
 * Collects what reading a file finds: every mistake, and where each part of
 * the IR was written. Reading never stops at the first mistake.
 */
export class Reader {
  readonly diagnostics: Diagnostic[] = [];
  readonly spans: Map<string, Span> = new Map();
  /** Bare words on the right of assertions that could be names, by JSON Pointer. */
  readonly bareNames: Map<string, string> = new Map();
  /** Texts by file name: of this file, and of others that spans are in. */
  readonly texts: Map<string, string> = new Map();
  /** Literals that look like credentials, which messages do not quote. */
  readonly credentials: Set<string> = new Set();
  readonly #seen = new Set<string>();

  /** @param file the file as the user named it */
  constructor(readonly file: string, readonly surface: Surface = "yaml") {}

  /** The file's text, once it is being read; for places inside a scalar. */
  get text(): string {
    return this.texts.get(this.file) ?? "";
  }

  set text(text: string) {
    this.texts.set(this.file, text);
  }

  /** The text that `span` is a part of. */
  textOf({ file = this.file }: Span): string {
    return this.texts.get(file) ?? "";
  }

  /**
   * Notes a mistake, once: an aliased value is read at each of its aliases.
   * `code` is the stable name of the rule it breaks.
   */
  report(span: Span, code: string, message: string, hint?: string): void {
    const { file = this.file, line, column, pointer } = span;
    const key = `${file}:${line}:${column}:${pointer}:${code}:${message}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.diagnostics.push({
      code,
      file,
      ...(line > 0 ? { span } : pointer !== undefined && { pointer }),
      message,
      ...(hint !== undefined && { hint }),
    });
  }

  /** Notes a mistake of which only the JSON Pointer is known. */
  reportAt(
    pointer: string,
    code: string,
    message: string,
    hint?: string,
  ): void {
    this.report(
      { line: 0, column: 0, length: 0, pointer },
      code,
      message,
      hint,
    );
  }

  /** Notes that the IR value at `pointer` was written at `span`. */
  place(pointer: string, span: Span): void {
    this.spans.set(pointer, span);
  }
}
