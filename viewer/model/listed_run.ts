import type { RunMeta } from "../../lib/model/result/run.ts";

/** A run as the list shows it: its metadata, or why they cannot be read. */
export interface Listed {
  readonly id: string;
  readonly dir: string;
  readonly meta?: RunMeta;
  readonly error?: string;
  /** There is no `meta.json`: the run was not begun, or not copied whole. */
  readonly incomplete?: true;
}
