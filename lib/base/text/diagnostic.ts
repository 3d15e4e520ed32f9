import type { Span } from "./span.ts";

/** An error refuses the input; a warning is shown, and changes nothing else. */
export type Severity = "error" | "warning";

/** One message about an input file, as data; `render.ts` makes the text. */
export interface Diagnostic {
  /** An error when absent. */
  readonly severity?: Severity;
  /** Stable kebab-case name of the rule, such as `unknown-key`. */
  readonly code: string;
  /** The file as the user named it. */
  readonly file: string;
  /** Absent when the mistake belongs to the file as a whole. */
  readonly span?: Span;
  /** JSON Pointer into the IR, for flows that have no source text. */
  readonly pointer?: string;
  readonly message: string;
  readonly hint?: string;
}

/** Whether the input is refused for it. */
export function isError({ severity }: Diagnostic): boolean {
  return severity !== "warning";
}

/** Input that cannot be run, with everything that is wrong with it. */
export class InputError extends Error {
  override readonly name = "InputError";
  constructor(
    readonly diagnostics: readonly Diagnostic[],
    /** Source text by file name, for the frames. */
    readonly sources: ReadonlyMap<string, string>,
  ) {
    super(diagnostics.map((each) => each.message).join("\n"));
  }
}

/** One reason why an input is refused as a whole. */
export function refusal(
  file: string,
  code: string,
  message: string,
  hint?: string,
): InputError {
  return new InputError(
    [{ code, file, message, ...(hint !== undefined && { hint }) }],
    new Map(),
  );
}
