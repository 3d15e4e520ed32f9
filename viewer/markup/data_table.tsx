import type { Markup, Piece } from "./jsx_runtime.ts";

/** A box that scrolls, by keyboard too, for content wider than the page. */
export function Scroll(
  { label, className = "scroll", children }: {
    label: string;
    className?: string;
    children?: Piece;
  },
): Markup {
  return (
    <div class={className} tabindex="0" role="group" aria-label={label}>
      {children}
    </div>
  );
}

/** Text as it is, which scrolls within the page. */
export function Verbatim(
  { label, children }: { label: string; children?: Piece },
): Markup {
  return (
    <pre
      class="body"
      tabindex="0"
      role="group"
      aria-label={label}
    >{children}</pre>
  );
}

/** One column of a table. */
export interface Column<Row> {
  readonly title: string | Markup;
  /** Names the cell on narrow screens; the title when that is text. */
  readonly label?: string;
  /** `number` is aligned right; `head` names its row. */
  readonly kind?: "number" | "head";
  /** A class by what the cell says. */
  readonly tone?: (row: Row) => string;
  /**
   * On narrow screens a row is a card: `lead` cells are in its first line,
   * `line` cells have a line of their own, `never` ones are left out.
   */
  readonly narrow?: "lead" | "line" | "never";
  /** Left out where no row has anything to say in it. */
  readonly sparse?: true;
  readonly sorted?: "ascending" | "descending" | undefined;
  /** Nothing and `–` take no room on narrow screens. */
  readonly cell: (row: Row) => Piece;
}

type Cell<Row> = Column<Row>["cell"];
type More<Row> = Partial<Omit<Column<Row>, "title" | "kind" | "cell">>;

/** A column of figures. */
export function figure<Row>(
  title: string,
  cell: Cell<Row>,
  more: More<Row> = {},
): Column<Row> {
  return { title, kind: "number", cell, ...more };
}

/** The column that its rows are called by. */
export function naming<Row>(
  title: Column<Row>["title"],
  cell: Cell<Row>,
): Column<Row> {
  return { title, kind: "head", narrow: "lead", cell };
}

/** A table: its columns and rows, what it is called, and what is special about it. */
interface TableProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly label: string;
  readonly className?: string;
  /** Takes the place of a row's cells. */
  readonly whole?: (row: Row) => Markup | undefined;
}

const NOTHING: readonly Piece[] = ["", "–", undefined, null, false];

function isNothing(content: Piece): boolean {
  return Array.isArray(content)
    ? content.every(isNothing)
    : NOTHING.includes(content);
}

/**
 * A table that scrolls in a place of its own when it is too wide, and whose
 * rows are cards where the screen is narrow.
 */
export function DataTable<Row>(
  { columns: all, rows, label, className = "", whole }: TableProps<Row>,
): Markup {
  const columns = all.filter(({ sparse, cell }) =>
    !sparse || rows.some((row) => !isNothing(cell(row)))
  );
  return (
    <Scroll label={label}>
      <table class={`wide stack ${className}`}>
        <thead>
          <tr>{columns.map(head)}</tr>
        </thead>
        <tbody>
          {rows.map((row) =>
            whole?.(row) ??
              <tr>{columns.map((column) => cell(column, row))}</tr>
          )}
        </tbody>
      </table>
    </Scroll>
  );
}

/** A table of the first rows, with the others folded away below it. */
export function FoldedTable<Row>(
  { rows, others, summary, ...props }: TableProps<Row> & {
    readonly others: readonly Row[];
    /** Names the others. */
    readonly summary: string;
  },
): Markup {
  return (
    <>
      {rows.length > 0 && <DataTable rows={rows} {...props} />}
      {others.length > 0 && (
        <details>
          <summary>{summary}</summary>
          <DataTable
            {...props}
            rows={others}
            label={`${props.label}: ${summary}`}
          />
        </details>
      )}
    </>
  );
}

function head<Row>({ title, kind, sorted }: Column<Row>): Markup {
  return (
    <th
      scope="col"
      class={kind === "number" ? "n" : undefined}
      aria-sort={sorted}
    >
      {title}
    </th>
  );
}

function cell<Row>(column: Column<Row>, row: Row): Markup {
  const { title, kind, narrow, tone } = column;
  const content = column.cell(row);
  const label = column.label ?? (typeof title === "string" ? title : "");
  const classes = [
    kind === "number" && "n",
    tone?.(row),
    narrow && `narrow-${narrow}`,
    isNothing(content) && "none",
  ];
  const named = label === "" ? undefined : label;
  return kind === "head"
    ? <th scope="row" class={classes} data-label={named}>{content}</th>
    : <td class={classes} data-label={named}>{content}</td>;
}
