/**
 * A part of a file that is read by itself: a top-level key with what is below
 * it, or one step. A half-written line breaks its own part and no other, and a
 * change makes one part new.
 */
export interface Part {
  /** Offset in the file. */
  readonly start: number;
  readonly text: string;
  /** Index of the step; absent for a top-level key. */
  readonly step?: number;
}

/** A text as parts, one after the other; together they are the text. */
export function partsOf(text: string): Part[] {
  const starts = boundaries(text);
  let step = 0;
  return starts.map(({ start, item }, index) => ({
    start,
    text: text.slice(start, starts[index + 1]?.start),
    ...(item && { step: step++ }),
  }));
}

interface Boundary {
  readonly start: number;
  readonly item: boolean;
}

function boundaries(text: string): Boundary[] {
  const found: Boundary[] = [{ start: 0, item: false }];
  const steps = new StepLines();
  let empty = true;
  for (const [line, start] of linesOf(text)) {
    if (/^\s*(?:#|$)/.test(line)) continue;
    const item = steps.begins(line);
    if (!item && !isTopLevel(line)) continue;
    if (!item) steps.enter(line);
    // What comes before the first key belongs to it.
    if (empty) found[0] = { start: 0, item };
    else found.push({ start, item });
    empty = false;
  }
  return found;
}

/** Knows which lines begin a step. */
class StepLines {
  #inside = false;
  #indent: number | undefined;

  /** A top-level key begins. */
  enter(line: string): void {
    this.#inside = /^(["']?)steps\1\s*:\s*(?:#|$)/.test(line);
    this.#indent = undefined;
  }

  begins(line: string): boolean {
    const dash = /^( *)-(?:\s|$)/.exec(line);
    if (!this.#inside || !dash) return false;
    this.#indent ??= dash[1]!.length;
    return dash[1]!.length === this.#indent;
  }
}

/** A bracket at the left edge closes what was opened above. */
function isTopLevel(line: string): boolean {
  return /^[^\s\]}-]|^---/.test(line);
}

/** Every line without its break, with its offset. */
function* linesOf(text: string): Generator<[line: string, at: number]> {
  for (let at = 0; at <= text.length;) {
    const end = text.indexOf("\n", at);
    const line = text.slice(at, end < 0 ? undefined : end);
    yield [line.replace(/\r$/, ""), at];
    if (end < 0) return;
    at = end + 1;
  }
}
