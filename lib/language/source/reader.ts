import { type Diagnostic, Diagnostics } from "../../base/text/diagnostic.ts";
import {
  lineOf,
  type SourceLocation,
  type SourceRange,
} from "../../base/text/location.ts";
import type { Node } from "./node.ts";
import {
  codeFrame,
  Credentials,
  type Hiding,
  shownMessage,
  withoutCredentialLines,
} from "./hidden.ts";
import { rangeWithin } from "../../base/text/within.ts";

/** Where a flow is written: the SDK can say what a flow file cannot. */
type Surface = "yaml" | "sdk";

/** More is never read, and finding where each was written takes time. */
const MOST = 1_000;

/** Collects the diagnostics of flow and target files, and of what they name. */
export function inputDiagnostics(): Diagnostics {
  return new Diagnostics({ most: MOST, message: shownMessage });
}

/**
 * The results of reading one file: diagnostics, and where each part of the IR was
 * written. Reading never stops at the first error.
 */
export class Reader {
  /** Where the parts of the IR were written, by JSON Pointer. */
  readonly locations: Map<string, SourceLocation> = new Map();
  /** Bare words on the right of assertions that could be names, by JSON Pointer. */
  readonly bareNames: Map<string, string> = new Map();
  /** The templates beside malformed ones, as text, by JSON Pointer. */
  readonly leftTemplates: Map<string, string> = new Map();
  #credentials?: () => Credentials | undefined;
  readonly #wrong = new Set<string>();

  /** The version that the flow file says it is; what a program writes has all there is. */
  version: 0 | 1 = 0;

  /** @param file the file as the user named it */
  constructor(
    readonly file: string,
    readonly surface: Surface = "yaml",
    readonly diagnostics: Diagnostics = inputDiagnostics(),
  ) {
    if (surface === "sdk") this.version = 1;
  }

  /** The file's text, once it is being read; for locations inside a scalar. */
  get text(): string {
    return this.diagnostics.textOf(this.file);
  }

  set text(text: string) {
    this.setText(this.file, text);
  }

  /** The text that `at` is a part of. */
  textOf({ file }: SourceLocation): string {
    return this.diagnostics.textOf(file);
  }

  /** A part of a scalar; see `locationInside`. */
  inside(node: Node, at: number | string, length?: number): SourceLocation {
    return locationInside(node, this.textOf(node.at), at, length);
  }

  /** Takes the text of this file, or of another that locations are in. */
  setText(file: string, text: string): void {
    this.diagnostics.addText(file, text, () => {
      const found = this.#credentials?.();
      const code = this.surface === "sdk" ? codeFrame(text) : text;
      return {
        frame: found?.frame(file, code) ?? withoutCredentialLines(code),
        message: (said) => found?.message(said) ?? shownMessage(said),
      };
    });
  }

  /**
   * No diagnostic shows the literal credentials of the file from here on; of one
   * that has no nodes, it shows no line that may have one.
   */
  hide(root: () => Node | undefined, hiding: Hiding): void {
    let found: Credentials | undefined;
    this.#credentials = () => {
      const nodes = found ? undefined : root();
      return found ??= nodes && new Credentials(nodes, hiding);
    };
  }

  /** A part of this file. */
  at(range: SourceRange): SourceLocation {
    return { file: this.file, range };
  }

  /** Takes a diagnostic; a value with an alias is read at each of its aliases. */
  report(diagnostic: Diagnostic): void {
    this.diagnostics.report(diagnostic);
  }

  /** Notes that the IR value at `pointer` was reported, or is missing. */
  markWrong(pointer: string): void {
    this.#wrong.add(pointer);
  }

  /**
   * Whether the IR value at `pointer` was read with nothing wrong in it. What
   * follows from a value that was not would be noise.
   */
  isSound(pointer: string): boolean {
    return !this.#wrong.has(pointer) &&
      !this.#wrong.values().some((each) => each.startsWith(`${pointer}/`));
  }

  /** Notes that the IR value at `pointer` was written at `at`. */
  locate(pointer: string, at: SourceLocation): void {
    this.locations.set(pointer, at);
  }
}

/**
 * The location of a part of a scalar, so that an error in an expression points
 * at itself and not at the start of its scalar.
 *
 * @param text the file's text
 * @param at 0-based offset into the scalar's value, or the text to look for
 * @param length of the part in UTF-16 units, when `at` is an offset; to the
 *   scalar's end when absent
 * @returns the whole scalar when the part is not on its first line
 */
function locationInside(
  node: Node,
  text: string,
  at: number | string,
  length?: number,
): SourceLocation {
  const { range } = node.at;
  if (!range) return node.at;
  if (typeof at === "string") {
    return { ...node.at, range: rangeWithin(range, text, at) };
  }
  const { line, column, length: whole } = range;
  const raw = lineOf(text, line)?.slice(column - 1, column - 1 + whole);
  if (node.kind !== "scalar" || raw === undefined) return node.at;
  const offsets = valueOffsets(raw);
  if (offsets.value !== node.text) return node.at;
  const last = node.text.length;
  const start = offsets.at[Math.min(at, last)]!;
  const end = offsets.at[Math.min(at + (length ?? last), last)]!;
  const part = { column: column + start, length: Math.max(1, end - start) };
  return { ...node.at, range: { line, ...part } };
}

interface ValueOffsets {
  /** The scalar's value, as far as one line says it. */
  readonly value: string;
  /** Where each of the value's units, and its end, is in the raw text. */
  readonly at: readonly number[];
}

function valueOffsets(raw: string): ValueOffsets {
  const quote = raw[0];
  if (quote !== '"' && quote !== "'") {
    return { value: raw, at: [...Array(raw.length + 1).keys()] };
  }
  const at: number[] = [];
  let value = "";
  let index = 1;
  while (index < raw.length) {
    if (raw[index] === quote && (quote === '"' || raw[index + 1] !== "'")) {
      break;
    }
    const [char, width] = quote === '"'
      ? unescaped(raw, index)
      : [raw[index]!, raw[index] === "'" ? 2 : 1] as const;
    for (let unit = 0; unit < char.length; unit++) at.push(index);
    value += char;
    index += width;
  }
  at.push(index);
  return { value, at };
}

/** One unit of a double-quoted scalar; escapes beyond JSON's are rare. */
function unescaped(raw: string, index: number): readonly [string, number] {
  if (raw[index] !== "\\") return [raw[index]!, 1];
  const width = raw[index + 1] === "u" ? 6 : raw[index + 1] === "x" ? 4 : 2;
  const escape = raw.slice(index, index + width);
  try {
    const json = width === 4 ? `\\u00${escape.slice(2)}` : escape;
    return [JSON.parse(`"${json}"`) as string, width];
  } catch {
    return [escape.slice(1), width];
  }
}
