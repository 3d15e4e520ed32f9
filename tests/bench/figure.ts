/** One measured value beside its goal. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  /** How the value is written, such as `ms`. */
  readonly unit: string;
  /** Absent where nothing is asked for. */
  readonly wanted?: { readonly op: "<=" | ">="; readonly limit: number };
}

/** Whether the figure is what is asked for; undefined where nothing is. */
export function reached({ value, wanted }: Figure): boolean | undefined {
  if (!wanted) return undefined;
  return wanted.op === "<=" ? value <= wanted.limit : value >= wanted.limit;
}

/** Figures as lines of text, in columns. */
export function figureTable(figures: readonly Figure[]): string {
  return columns(figures.map((figure) => {
    const { name, value, unit, wanted } = figure;
    const verdict = reached(figure);
    return [
      name,
      `${short(value)} ${unit}`.trim(),
      wanted ? `wanted ${wanted.op} ${wanted.limit}` : "",
      verdict === undefined ? "" : verdict ? "reached" : "MISSED",
    ];
  }));
}

/** Cells in columns; all but the first are set flush right. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, at) => {
      widths[at] = Math.max(widths[at] ?? 0, cell.length);
    });
  }
  return rows.map((row) =>
    row.map((cell, at) =>
      at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!)
    ).join("  ").trimEnd()
  ).join("\n");
}

/** A number with as many digits as tell something. */
export function short(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
