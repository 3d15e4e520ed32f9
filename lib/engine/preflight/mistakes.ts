import {
  shownCode,
  shownMessage,
  type ShownText,
  shownText,
} from "../../language/source/shown_text.ts";
import type { Reader } from "../../language/source/reader.ts";
import {
  type Diagnostic,
  InputError,
  isError,
} from "../../base/text/diagnostic.ts";
import type { Report } from "../../base/text/report.ts";
import { type SourceMap, type Span, spanOf } from "../../base/text/span.ts";
import { spanAt, spanWithin, type TextPlace } from "../../base/text/within.ts";

/** Everything wrong with the inputs of one command, from every file. */
export class Mistakes {
  readonly #found: Diagnostic[] = [];
  readonly #sources = new Map<string, string>();
  /** Flow and target files, which may hold credentials; what is shown of each. */
  readonly #inputs = new Map<string, ShownText | undefined>();

  /** What frames show of every file read, by file name. */
  get sources(): ReadonlyMap<string, string> {
    return new Map(
      [...this.#sources].map(([file, text]) => [
        file,
        this.#shownOf(file)?.frame ?? text,
      ]),
    );
  }

  /** Whether anything refuses the inputs. */
  get any(): boolean {
    return this.#found.some(isError);
  }

  /** What is shown, though nothing is refused for it. */
  get warnings(): readonly Diagnostic[] {
    return this.#shown().filter((each) => !isError(each));
  }

  /** Takes what reading a file found, and its text for the frames. */
  addReader(reader: Reader): void {
    this.add(reader.diagnostics, reader.texts);
    for (const [file, text] of reader.texts) {
      const shown = reader.surface === "sdk"
        ? shownCode(text, reader.credentials)
        : undefined;
      this.#inputs.set(file, shown);
    }
  }

  add(
    found: readonly Diagnostic[],
    sources: ReadonlyMap<string, string>,
  ): void {
    this.#found.push(...found);
    for (const [file, text] of sources) this.#sources.set(file, text);
  }

  /** Takes mistakes by IR pointer and finds their place in the file. */
  reporter(flow: { readonly file: string; readonly spans: SourceMap }): Report {
    return (pointer, code, message, hint, inside, severity) => {
      const found = spanOf(flow.spans, pointer);
      const whole = found && found.line > 0 ? found : undefined;
      const file = whole?.file ?? flow.file;
      const text = this.#sources.get(file) ?? "";
      const span = whole && placeInside(whole, text, inside);
      const mistake: Diagnostic = {
        code,
        file,
        message,
        ...(severity && { severity }),
        ...(span ? { span } : { pointer: found?.pointer ?? pointer }),
        ...(hint !== undefined && { hint }),
      };
      const known = this.#found.some((each) =>
        each.message === message && each.span?.line === span?.line &&
        each.span?.column === span?.column && each.file === file &&
        each.pointer === mistake.pointer
      );
      if (!known) this.#found.push(mistake);
    };
  }

  /** @throws {InputError} with everything found, when any of it is an error */
  throwIfAny(): void {
    if (this.any) throw this.refusal();
  }

  /** Everything found, as the command is refused with it. */
  refusal(): InputError {
    return new InputError(this.#shown(), this.sources);
  }

  #shown(): Diagnostic[] {
    return this.#found.map(({ message, hint, pointer, ...rest }) => {
      const shown = this.#shownOf(rest.file)?.message ?? shownMessage;
      return {
        ...rest,
        message: shown(message),
        ...(pointer !== undefined && { pointer: shown(pointer) }),
        ...(hint !== undefined && { hint: shown(hint) }),
      };
    });
  }

  #shownOf(file: string): ShownText | undefined {
    if (!this.#inputs.has(file)) return undefined;
    const shown = this.#inputs.get(file) ??
      shownText(this.#sources.get(file) ?? "");
    this.#inputs.set(file, shown);
    return shown;
  }
}

function placeInside(
  whole: Span,
  text: string,
  inside: string | TextPlace | undefined,
): Span {
  if (inside === undefined) return whole;
  return typeof inside === "string"
    ? spanWithin(whole, text, inside)
    : spanAt(whole, text, inside);
}
