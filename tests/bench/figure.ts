/** One measured value beside its goal. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  /** How the value is written, such as `ms`. */
  readonly unit: string;
  /** Why it is not to be relied on: the machine was busy with something else. */
  readonly disturbed?: string;
  /** Absent where nothing is asked for. */
  readonly expected?: { readonly op: "<=" | ">="; readonly limit: number };
}

/** Whether the figure is what is asked for; undefined where nothing is. */
export function reached(
  { value, expected }: Figure,
): boolean | undefined {
  if (!expected) return undefined;
  return expected.op === "<="
    ? value <= expected.limit
    : value >= expected.limit;
}

/** Figures as lines of text, in columns. */
export function figureTable(figures: readonly Figure[]): string {
  return columns(figures.map((figure) => {
    const { name, value, unit, expected, disturbed = "" } = figure;
    const verdict = reached(figure);
    return [
      name,
      `${short(value)} ${unit}`.trim(),
      expected ? `expected ${expected.op} ${expected.limit}` : "",
      verdict === undefined ? "" : verdict ? "reached" : "MISSED",
      disturbed && `busy: ${disturbed}`,
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

/** A number with as many digits as say something. */
export function short(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

/** The value in the middle; NaN without any. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN;
}
