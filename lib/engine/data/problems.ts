import { InputError } from "../../base/text/diagnostic.ts";
import type { Diagnostic } from "../../base/text/diagnostic.ts";

/** Mistakes told one by one; of a broken file the rest would be noise. */
const MOST = 20;

/** Collects what is wrong with one fixture file. */
export class Problems {
  readonly #found: Diagnostic[] = [];
  #more = 0;

  /** @param file the file as the user named it */
  constructor(readonly file: string, readonly text: string) {}

  /** Lines of the file. */
  get lineCount(): number {
    return this.text.split(/\r\n|\n|\r/).length;
  }

  /** Whether the limit is reached, so that looking on is of no use. */
  get full(): boolean {
    return this.#more > 0;
  }

  /** Notes a mistake at a 1-based place; 0 for the file as a whole. */
  add(
    at: { readonly line: number; readonly column?: number },
    code: string,
    message: string,
    hint?: string,
  ): void {
    if (this.#found.length === MOST) {
      this.#more++;
      return;
    }
    this.#found.push({
      code,
      file: this.file,
      ...(at.line > 0 &&
        { span: { line: at.line, column: at.column ?? 1, length: 1 } }),
      message,
      ...(hint !== undefined && { hint }),
    });
  }

  /** @throws {InputError} with everything found, when there is anything */
  throwIfAny(): void {
    if (this.#found.length === 0) return;
    const last = this.#found.at(-1)!;
    if (this.#more > 0) {
      this.#found[MOST - 1] = {
        ...last,
        hint: `only the first ${MOST} mistakes are listed`,
      };
    }
    throw new InputError(this.#found, new Map([[this.file, this.text]]));
  }

  /** Notes a mistake that ends the reading. */
  fail(...mistake: Parameters<Problems["add"]>): never {
    this.add(...mistake);
    this.throwIfAny();
    throw new Error("unreachable");
  }
}
