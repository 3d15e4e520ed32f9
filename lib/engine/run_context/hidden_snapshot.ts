import type { Trace } from "../../model/result/trace.ts";
import type { RecorderSnapshot } from "../../results/record/snapshot.ts";
import { redact } from "../../results/redact/redacted.ts";
import { redactTrace } from "../../results/redact/redact_trace.ts";
import type { Secrets } from "../../results/redact/secrets.ts";

/** What was recorded, without the secrets that this process knows. */
export function hiddenSnapshot(
  snapshot: RecorderSnapshot,
  secrets: Secrets,
): RecorderSnapshot {
  const { traces } = snapshot;
  const hide = <Kept extends { readonly item: Trace }>(kept: readonly Kept[]) =>
    kept.map((each) => ({ ...each, item: redactTrace(each.item, secrets) }));
  return {
    ...snapshot,
    failures: redact(snapshot.failures, secrets),
    traces: {
      ...traces,
      failures: hide(traces.failures),
      slowest: hide(traces.slowest),
      sample: hide(traces.sample),
    },
  };
}
