/** A part of a source file: 1-based line and column, length in UTF-16 units. */
export interface Span {
  /** The file, where it is another than the one that is read. */
  readonly file?: string;
  /** 0, as are the others, for a part of which no more than `pointer` is known. */
  readonly line: number;
  readonly column: number;
  /** JSON Pointer into the data of a flow that has no text. */
  readonly pointer?: string;
  /** At least 1; a span that goes on past its first line is cut there. */
  readonly length: number;
}

/**
 * Where each part of the IR was written, keyed by JSON Pointer (RFC 6901).
 *
 * Positions live here and never inside the IR, so that two surfaces that mean
 * the same flow produce the same bytes.
 */
export type SourceMap = ReadonlyMap<string, Span>;

/**
 * The span of `pointer`, or of its nearest ancestor that has one.
 * Returns undefined for a flow that has no source text (IR JSON).
 */
export function spanOf(map: SourceMap, pointer: string): Span | undefined {
  for (let at = pointer;; at = at.slice(0, at.lastIndexOf("/"))) {
    const span = map.get(at);
    if (span || at === "") return span;
  }
}
