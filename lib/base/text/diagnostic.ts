import { BenchError, EXIT } from "../errors/bench_error.ts";
import { locationOf, type SourceLocation, type SourceMap } from "./location.ts";
import {
  rangeAt,
  rangeOfKey,
  rangeWithin,
  type TextPosition,
} from "./within.ts";

/** An error refuses the input; a warning is shown, and changes nothing else. */
export type Severity = "error" | "warning";

/**
 * One message about the user's input, as data; `render.ts` makes the text.
 * `At` is how its location is known: a part of a file, a JSON Pointer into the
 * IR, an offset in an expression.
 */
export interface Diagnostic<At = SourceLocation> {
  /** An error when absent. */
  readonly severity?: Severity | undefined;
  /** Stable kebab-case name of the rule, such as `unknown-key`. */
  readonly code: string;
  readonly at: At;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** The text of a diagnostic, without its rule and its location. */
export type Wording = Pick<Diagnostic, "message" | "hint">;

/**
 * A part of the IR by JSON Pointer (RFC 6901): the source map knows where it was
 * written. `inside` is the part of the string there that is meant: its text, or
 * its position where the text may occur more than once; `key` means the key of what is there.
 */
export type IrLocation = string | {
  readonly pointer: string;
  readonly inside?: string | TextPosition | undefined;
  readonly key?: string;
};

/** A part of the IR below `pointer`. */
export function below(pointer: string, at: IrLocation): IrLocation {
  return typeof at === "string"
    ? pointer + at
    : { ...at, pointer: pointer + at.pointer };
}

/** Takes one diagnostic of a flow. */
export type Report = (diagnostic: Diagnostic<IrLocation>) => void;

/** Whether the input is refused for it. */
export function isError(
  { severity }: { readonly severity?: Severity | undefined },
): boolean {
  return severity !== "warning";
}

/** Input that cannot be run, with everything that is wrong with it. */
export class InputError extends BenchError {
  override readonly name = "InputError";
  constructor(
    readonly diagnostics: readonly Diagnostic[],
    /** Source text by file name, for the frames. */
    readonly sources: ReadonlyMap<string, string>,
  ) {
    // A program that shows its beginning shows why the input is refused.
    const errors = diagnostics.filter(isError);
    super(errors.map(({ message }) => message).join("\n"), {
      exitCode: EXIT.refused,
    });
  }
}

/** One reason why a file is refused as a whole. */
export function refusal(
  file: string,
  code: string,
  message: string,
  hint?: string,
): InputError {
  return new InputError([{ code, at: { file }, message, hint }], new Map());
}

/** A text as its diagnostics may show it. */
interface ShownText {
  /** The text for frames, of the same shape. */
  readonly frame: string;
  /** A message about the text, which may quote it. */
  message(text: string): string;
}

interface Options {
  /** Errors that are kept, and warnings; what is found after them is not. */
  readonly most?: number;
  /** The message to show, for a text that has no rule of its own. */
  readonly message?: (text: string) => string;
}

function placeOf({ file, range, pointer }: SourceLocation) {
  return range ? [file, range.line, range.column] : [file, pointer];
}

/** Everything that is wrong with the inputs of one command, each thing once. */
export class Diagnostics {
  readonly #found = new Map<string, Diagnostic>();
  readonly #texts = new Map<string, string>();
  readonly #shown = new Map<string, () => ShownText>();
  readonly #most: number;
  readonly #message: (text: string) => string;
  readonly #kept = { error: 0, warning: 0 };
  readonly #dropped = new Set<Severity>();

  constructor({ most = Infinity, message = (text) => text }: Options = {}) {
    this.#most = most;
    this.#message = message;
  }

  get found(): readonly Diagnostic[] {
    return [...this.#found.values()];
  }

  /** Whether anything refuses the inputs. */
  get any(): boolean {
    return this.found.some(isError);
  }

  /** Whether more was found than is kept, so that looking on is of no use. */
  get full(): boolean {
    return this.#dropped.has("error");
  }

  /** The diagnostics for which nothing is refused. */
  get warnings(): readonly Diagnostic[] {
    return this.#list().filter((each) => !isError(each));
  }

  /** The texts of frames, by file name. */
  get sources(): ReadonlyMap<string, string> {
    return new Map(
      [...this.#texts].map(([file, text]) => [
        file,
        this.#shown.get(file)?.().frame ?? text,
      ]),
    );
  }

  textOf(file: string): string {
    return this.#texts.get(file) ?? "";
  }

  /**
   * Takes the text of a file.
   *
   * @param shown what may be read of it; all of it when absent
   */
  addText(file: string, text: string, shown?: () => ShownText): void {
    this.#texts.set(file, text);
    if (!shown) return;
    let once: ShownText | undefined;
    this.#shown.set(file, () => once ??= shown());
  }

  /** Takes a diagnostic, once: what is shared is checked wherever it is used. */
  report(diagnostic: Diagnostic): void {
    const { at, code, message } = diagnostic;
    const key = JSON.stringify([code, message, ...placeOf(at)]);
    if (this.#found.has(key) || !this.#hasRoom(diagnostic.severity)) return;
    this.#found.set(key, diagnostic);
    this.#kept[diagnostic.severity ?? "error"]++;
  }

  #hasRoom(severity: Severity = "error"): boolean {
    if (this.#kept[severity] < this.#most) return true;
    this.#dropped.add(severity);
    return false;
  }

  /**
   * Takes diagnostics of a flow, and finds out where they were written.
   *
   * @param pointer of the flow in data without a text, where it is a part of it
   * @param unlessWrong nothing is said of what an error was reported of
   */
  reporter(
    { file, locations, pointer = "" }: {
      readonly file: string;
      readonly locations: SourceMap;
      readonly pointer?: string;
    },
    { unlessWrong = false }: { readonly unlessWrong?: boolean } = {},
  ): Report {
    return (diagnostic) => {
      if (!this.#hasRoom(diagnostic.severity)) return;
      const found = this.#locate(diagnostic.at, file, locations);
      const at = found.range === undefined && found.pointer !== undefined
        ? { ...found, pointer: pointer + found.pointer }
        : found;
      if (unlessWrong && this.#isWrong(at)) return;
      this.report({ ...diagnostic, at });
    };
  }

  #isWrong(at: SourceLocation): boolean {
    const place = JSON.stringify(placeOf(at));
    return this.found.some((each) =>
      isError(each) && JSON.stringify(placeOf(each.at)) === place
    );
  }

  /** @throws {InputError} with everything found, when any of it is an error */
  throwIfAny(): void {
    if (this.any) throw this.refusal();
  }

  /** Everything found, as the command is refused with it. */
  refusal(): InputError {
    return new InputError(this.#list(), this.sources);
  }

  /** Takes a diagnostic after which reading cannot continue. */
  fail(diagnostic: Diagnostic): never {
    this.report(diagnostic);
    throw this.refusal();
  }

  #locate(at: IrLocation, file: string, map: SourceMap): SourceLocation {
    const { pointer, inside, key }: Exclude<IrLocation, string> =
      typeof at === "string" ? { pointer: at } : at;
    const found = locationOf(map, pointer);
    if (!found) return { file, pointer };
    if (!found.range || (inside ?? key) === undefined) return found;
    const text = this.textOf(found.file);
    const range = key !== undefined
      ? rangeOfKey(found.range, text, key)
      : typeof inside === "string"
      ? rangeWithin(found.range, text, inside)
      : rangeAt(found.range, text, inside!);
    return { ...found, range };
  }

  #list(): Diagnostic[] {
    const list = this.found.map((each) => this.#hidden(each));
    for (const severity of this.#dropped) {
      const last = list.findLastIndex((each) =>
        (each.severity ?? "error") === severity
      );
      const hint = `only the first ${this.#most} ${severity}s are listed`;
      list[last] = { ...list[last]!, hint };
    }
    return list;
  }

  #hidden({ at, message, hint, ...rest }: Diagnostic): Diagnostic {
    const shown = this.#shown.get(at.file)?.().message ?? this.#message;
    const { pointer } = at;
    return {
      ...rest,
      at: pointer === undefined ? at : { ...at, pointer: shown(pointer) },
      message: shown(message),
      ...(hint !== undefined && { hint: shown(hint) }),
    };
  }
}
