import { stripVTControlCharacters, styleText } from "node:util";
import { textColumns } from "../../base/text/columns.ts";
import { escapeControls } from "../../base/text/display.ts";

/** How a piece of text is painted, when colour is on. */
export type Style = "bold" | "dim" | "green" | "red" | "yellow";

/** Lines of text for one screen width. */
export class Page {
  readonly #lines: string[] = [];

  constructor(readonly width: number, readonly color: boolean) {}

  paint(style: Style, text: string): string {
    if (!this.color || text === "") return text;
    return styleText(style, text, { validateStream: false });
  }

  line(text = ""): void {
    this.#lines.push(text.trimEnd());
  }

  /** An empty line and a heading. */
  heading(text: string): void {
    this.line();
    this.line(`  ${this.paint("bold", text)}`);
  }

  /**
   * Parts side by side, on as many lines as the width asks for. A part is never
   * broken, so that paths and ids stay whole.
   *
   * @param hang what further lines begin with
   */
  flow(parts: readonly string[], indent: string, hang: string = indent): void {
    let line = indent;
    for (const part of parts) {
      const begun = line.trim() !== "";
      const next = begun ? `${line}  ${part}` : line + part;
      if (begun && shownWidth(next) > this.width) {
        this.line(line);
        line = hang + part;
      } else line = next;
    }
    this.line(line);
  }

  /** Words, wrapped; what a terminal would obey is shown, not done. */
  prose(text: string, indent: string, style?: Style): void {
    const clean = escapeControls(text);
    const width = Math.max(20, this.width - indent.length);
    let line = "";
    const put = () => {
      this.line(indent + (style ? this.paint(style, line) : line));
      line = "";
    };
    for (const word of clean.split(" ")) {
      const next = line === "" ? word : `${line} ${word}`;
      if (line !== "" && textColumns(next) > width) {
        put();
        line = word;
      } else line = next;
    }
    put();
  }

  /**
   * Rows below their heads, in columns as wide as they need. A first cell that is
   * long moves its own row alone, where the others would not fit for it.
   *
   * @param left columns that begin at the left; the others end at the right
   */
  table(
    heads: readonly string[],
    rows: readonly (readonly string[])[],
    left: readonly number[] = [],
  ): void {
    const widths = heads.map((head, i) =>
      Math.max(head.length, ...rows.map((row) => shownWidth(row[i]!)))
    );
    const rest = widths.slice(1).reduce((sum, width) => sum + 2 + width, 4);
    const most = Math.max(LONGEST_FIRST, this.width - rest);
    widths[0] = Math.max(
      heads[0]!.length,
      ...rows.map(([first]) => shownWidth(first!)).filter((w) => w <= most),
    );
    const line = (cells: readonly string[]) =>
      cells.map((cell, i) => {
        const room = Math.max(0, (widths[i] ?? 0) - shownWidth(cell));
        const space = " ".repeat(room);
        return left.includes(i) ? cell + space : space + cell;
      }).join("  ");
    this.line(this.paint("dim", `    ${line(heads)}`));
    for (const row of rows) this.line(`    ${line(row)}`);
  }

  text(): string {
    return this.#lines.join("\n") + "\n";
  }
}

/** Columns that a first cell may take of every row, however narrow the screen. */
const LONGEST_FIRST = 48;

/** Columns a text takes on screen. */
function shownWidth(text: string): number {
  return textColumns(stripVTControlCharacters(text));
}
