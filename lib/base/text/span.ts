/** A place in a source file: 1-based line and column, length in UTF-16 units. */
export interface Span {
  readonly line: number;
  readonly column: number;
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
