import { redact } from "../../results/redact/redacted.ts";
import type { Secrets } from "../../results/redact/secrets.ts";
import { type Locate, rowSummary } from "../../results/report/counted.ts";
import { RUN_SCHEMA } from "../../model/result/stored.ts";
import type { CountedRow } from "../../model/result/totals.ts";
import type { RunFiles } from "../../results/store/run_files.ts";

/** Rows of a run that `meta.json` has no room for, on their way to their file. */
export class OtherRows {
  #waiting: CountedRow[] = [];

  constructor(readonly secrets: Secrets, readonly locate: Locate) {}

  add(row: CountedRow): void {
    this.#waiting.push(row);
  }

  /** Writes those that came since. @throws {StoreError} */
  async flush(writer: RunFiles): Promise<void> {
    const rows = this.#waiting;
    if (rows.length === 0) return;
    this.#waiting = [];
    // What is left open in a message is left open after redaction.
    const shown = redact(rows, this.secrets)
      .map((row) => rowSummary(row, this.locate));
    await writer.appendRows(
      redact({ schema: RUN_SCHEMA, rows: shown }, this.secrets),
    );
  }
}
