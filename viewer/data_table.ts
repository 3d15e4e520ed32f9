import { html, type Markup, type Piece } from "./markup.ts";

/** One column of a table. */
export interface Column<Row> {
  readonly title: string | Markup;
  /** Names the cell on narrow screens; the title when that is text. */
  readonly label?: string;
  /** `number` stands right; `head` names its row. */
  readonly kind?: "number" | "head";
  /** A class by what the cell says. */
  readonly tone?: (row: Row) => string;
  /**
   * On narrow screens a row is a card: `lead` cells stand in its first line,
   * `line` cells have a line of their own, `never` ones are left out.
   */
  readonly narrow?: "lead" | "line" | "never";
  readonly sorted?: "ascending" | "descending" | undefined;
  /** Nothing and `–` take no room on narrow screens. */
  readonly cell: (row: Row) => Piece;
}

/** What a table is called, and what is special about it. */
export interface TableOptions<Row> {
  readonly label: string;
  readonly className?: string;
  /** Takes the place of a row's cells. */
  readonly whole?: (row: Row) => Markup | undefined;
}

const NOTHING: readonly Piece[] = ["", "–", undefined, null, false];

/**
 * A table that scrolls in a place of its own when it is too wide, and whose
 * rows are cards where the screen is narrow.
 */
export function dataTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  { label, className = "", whole }: TableOptions<Row>,
): Markup {
  return html`
    <div class="scroll" tabindex="0" role="region" aria-label="${label}">
      <table class="wide stack ${className}">
        <thead>
          <tr>${columns.map(head)}</tr>
        </thead>
        <tbody>${rows.map((row) =>
          whole?.(row) ??
            html`<tr>${columns.map((column) => cell(column, row))}</tr>`
        )}</tbody>
      </table>
    </div>
  `;
}

function head<Row>({ title, kind, sorted }: Column<Row>): Markup {
  return html`
    <th scope="col" ${kind === "number" && html`
      class="n"
    `}${sorted !== undefined && html`
      aria-sort="${sorted}"
    `}>${title}</th>
  `;
}

function cell<Row>(column: Column<Row>, row: Row): Markup {
  const { title, kind, narrow, tone } = column;
  const content = column.cell(row);
  const label = column.label ?? (typeof title === "string" ? title : "");
  const classes = [
    kind === "number" && "n",
    tone?.(row),
    narrow && `narrow-${narrow}`,
    NOTHING.includes(content) && "none",
  ].filter((each) => each).join(" ");
  const attributes = html`${
    classes !== "" && html`
      class="${classes}"
    `
  }${
    label !== "" && html`
      data-label="${label}"
    `
  }`;
  return kind === "head"
    ? html`
      <th scope="row" ${attributes}>${content}</th>
    `
    : html`<td${attributes}>${content}</td>`;
}
