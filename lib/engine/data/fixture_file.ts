import { Diagnostics } from "../../base/text/diagnostic.ts";
import { positionAt, type SourceLocation } from "../../base/text/location.ts";

/** Errors that are listed; of a broken file the rest would be noise. */
const MOST = 20;

/** A fixture file that is being read, and what is wrong with it. */
export class FixtureFile extends Diagnostics {
  /** @param file the file as the user named it */
  constructor(readonly file: string, readonly text: string) {
    super({ most: MOST });
    this.addText(file, text);
  }

  /** @throws {InputError} */
  refuseEmpty(at: SourceLocation, but: string): never {
    return this.fail({
      at,
      code: "empty-fixture",
      message:
        `fixture \`${this.file}\` must have at least one row, but ${but}`,
    });
  }

  /** @throws {InputError} */
  refuseLong(at: SourceLocation, maxRows: number, has: number | "more"): never {
    return this.fail({
      at,
      code: "fixture-too-long",
      message:
        `fixture \`${this.file}\` must have at most ${maxRows} rows, but it has ${has}`,
    });
  }

  /** Lines of the file. */
  get lineCount(): number {
    return this.text.split(/\r\n|\n|\r/).length;
  }

  /** The file as a whole, or a 1-based line of it. */
  at(line?: number): SourceLocation {
    const { file } = this;
    return line === undefined
      ? { file }
      : { file, range: { line, column: 1, length: 1 } };
  }

  /** A part of the text, from a UTF-16 offset. */
  atOffset(offset: number, length = 1): SourceLocation {
    const { file, text } = this;
    return { file, range: { ...positionAt(text, offset), length } };
  }
}
