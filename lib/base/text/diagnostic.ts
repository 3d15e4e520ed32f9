import { BenchError } from "../errors/bench_error.ts";
import { EXIT } from "../errors/exit.ts";
import type { SourceLocation } from "./location.ts";
import type { TextPosition } from "./within.ts";

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

/** What a diagnostic says, without its rule and its location. */
export type Wording = Pick<Diagnostic, "message" | "hint">;

/**
 * A part of the IR by JSON Pointer (RFC 6901): the source map knows where it was
 * written. `inside` is the part of the string there that is meant: its text, or
 * its position where the text may occur more than once.
 */
export type IrLocation = string | {
  readonly pointer: string;
  readonly inside?: string | TextPosition | undefined;
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
    super(diagnostics.map((each) => each.message).join("\n"), {
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
