import type { JsonValue } from "../../base/values/json.ts";

/** One fixture cell as it is written; of a nested object or list its JSON text. */
export interface Cell {
  readonly text: string;
  readonly nested?: true;
}

/** One fixture row. A `Map` is one; a fixture keeps its rows smaller than that. */
export interface Row {
  /** The cell under `column`; undefined when this row has none. */
  get(column: string): Cell | undefined;
}

/**
 * What templates and assertions see while an iteration runs. Every name was
 * given a slot before the run, so that looking one up is an array access.
 */
export interface Scope {
  /** Extracted variables by slot; undefined until extracted. */
  readonly variables: (JsonValue | undefined)[];
  /** The row of each pool by slot; undefined when the pool ran dry. */
  readonly rows: (Row | undefined)[];
  /** Of the iteration, where requests say it. */
  traceparent?: string;
}

/** What nothing constant looks at. */
export const NO_SCOPE: Scope = { variables: [], rows: [] };

/** The names a flow may refer to, fixed before the run. */
export interface Names {
  /** Slot of each extracted variable. */
  readonly variables: ReadonlyMap<string, number>;
  /** Slot of each pool. */
  readonly pools: ReadonlyMap<string, number>;
  /** Value of each environment variable the flow names. */
  readonly env: ReadonlyMap<string, string>;
}
