import { redact } from "../../results/redact/redacted.ts";
import type { Secrets } from "../../results/redact/secrets.ts";
import type { HistogramParts } from "../../results/record/snapshot.ts";
import type { RunFiles } from "../../results/store/run_files.ts";

/** Steps that are encoded at once: about a millisecond of work. */
const STEPS_AT_ONCE = 10;

/**
 * Writes `histograms.json`.
 *
 * @param pause awaited between some steps and the next
 * @throws {StoreError}
 */
export function writeHistograms(
  writer: RunFiles,
  { overall, steps }: HistogramParts,
  secrets: Secrets,
  pause?: () => Promise<void>,
): Promise<void> {
  async function* redacted() {
    let count = 0;
    for (const [id, set] of steps) {
      yield [id, redact(set, secrets)] as const;
      if (++count % STEPS_AT_ONCE === 0) await pause?.();
    }
  }
  return writer.writeHistograms(redact(overall, secrets), redacted());
}
