/** A part of one line of a text: 1-based, in UTF-16 units. */
export interface SourceRange {
  readonly line: number;
  readonly column: number;
  /** At least 1; a part that continues past its first line is cut there. */
  readonly length: number;
}

/** Where a part of an input was written, as exactly as is known. */
export interface SourceLocation {
  /** The file as the user named it. */
  readonly file: string;
  /** Absent for the file as a whole, and for data without a text. */
  readonly range?: SourceRange;
  /** JSON Pointer (RFC 6901) into data without a text. */
  readonly pointer?: string;
}

/** A part of a file that a flow names. */
export interface NamedFileLocation extends SourceLocation {
  /** The file's text, for the frame. */
  readonly text: string;
}

export const START: SourceRange = { line: 1, column: 1, length: 1 };

/**
 * Where each part of the IR was written, keyed by JSON Pointer (RFC 6901).
 *
 * Locations are kept here and never inside the IR, so that two surfaces that
 * mean the same flow produce the same bytes.
 */
export type SourceMap = ReadonlyMap<string, SourceLocation>;

/**
 * The location of `pointer`, or of its nearest ancestor that has one.
 * Returns undefined for a flow that has no source text (IR JSON).
 */
export function locationOf(
  map: SourceMap,
  pointer: string,
): SourceLocation | undefined {
  for (let at = pointer;; at = at.slice(0, at.lastIndexOf("/"))) {
    const location = map.get(at);
    if (location || at === "") return location;
  }
}
