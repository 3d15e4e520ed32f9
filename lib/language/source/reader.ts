import type { Diagnostic } from "../../base/text/diagnostic.ts";
import { Diagnostics } from "../../base/text/diagnostics.ts";
import type { SourceLocation, SourceRange } from "../../base/text/location.ts";
import { locationInside } from "./location_inside.ts";
import type { Node } from "./node.ts";
import { shownCode, shownMessage, shownText } from "./shown_text.ts";

/** Where a flow is written: the SDK can say what a flow file cannot. */
type Surface = "yaml" | "sdk";

/** Nobody reads more, and finding where each was written takes time. */
const MOST = 1_000;

/** Collects the diagnostics of flow and target files, and of what they name. */
export function inputDiagnostics(): Diagnostics {
  return new Diagnostics({ most: MOST, message: shownMessage });
}

/**
 * What reading one file finds: diagnostics, and where each part of the IR was
 * written. Reading never stops at the first error.
 */
export class Reader {
  #locations = new Map<string, SourceLocation>();
  /** Bare words on the right of assertions that could be names, by JSON Pointer. */
  readonly bareNames: Map<string, string> = new Map();
  /** Literals that look like credentials, which messages do not quote. */
  readonly credentials: Set<string> = new Set();

  /** @param file the file as the user named it */
  constructor(
    readonly file: string,
    readonly surface: Surface = "yaml",
    readonly diagnostics: Diagnostics = inputDiagnostics(),
  ) {}

  get locations(): ReadonlyMap<string, SourceLocation> {
    return this.#locations;
  }

  /** Reads something apart from the flow; with where its parts were written. */
  apart<T>(
    read: () => T,
  ): readonly [T, ReadonlyMap<string, SourceLocation>] {
    const outer = this.#locations;
    const locations = this.#locations = new Map();
    try {
      return [read(), locations];
    } finally {
      this.#locations = outer;
    }
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
    this.diagnostics.addText(
      file,
      text,
      () =>
        this.surface === "sdk"
          ? shownCode(text, this.credentials)
          : shownText(text),
    );
  }

  /** A part of this file. */
  at(range: SourceRange): SourceLocation {
    return { file: this.file, range };
  }

  /** Takes a diagnostic; a value with an alias is read at each of its aliases. */
  report(diagnostic: Diagnostic): void {
    this.diagnostics.report(diagnostic);
  }

  /** Notes that the IR value at `pointer` was written at `at`. */
  place(pointer: string, at: SourceLocation): void {
    this.#locations.set(pointer, at);
  }
}
