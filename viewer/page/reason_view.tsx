import type { RunMeta } from "../../lib/model/result/run.ts";
import { exchangeLines } from "../../lib/results/failures/exchange.ts";
import {
  beforeSentence,
  besideBreach,
  besideStop,
} from "../../lib/results/report/reason.ts";
import type { Markup } from "../markup/jsx_runtime.ts";
import { withCode } from "./parts.tsx";
import { comparePath, tracePath } from "./page_request.ts";

/**
 * Why a run did not pass: the failure behind it with one exchange, and the run
 * before. `said` is the sentence of the verdict above it, which is not said twice;
 * `stored` are the runs that have a page.
 */
export function reasonView(
  meta: RunMeta,
  said: string,
  stored?: ReadonlySet<string>,
): Markup | undefined {
  const { id, reason, failures } = meta;
  if (!reason) return;
  const group = failures.find(({ key }) => key === reason.key);
  const text = besideBreach(meta) ?? besideStop(meta) ?? reason.text;
  const before = beforeSentence(meta);
  return (
    <section class="reason" aria-label="Reason">
      {!said.includes(group?.message ?? text) && <p>{withCode(text)}</p>}
      {group?.exchange && <pre>{exchangeLines(group.exchange).join("\n")}</pre>}
      <p class="note">
        {stored && group?.trace_id !== undefined && (
          <>
            <a href={tracePath(id, group.trace_id)}>Trace</a>
            {before && "; "}
          </>
        )}
        {before}
        {reason.before && stored?.has(reason.before.id) && (
          <>
            {" "}
            <a href={comparePath(id, reason.before.id)}>Compare</a>
          </>
        )}
      </p>
    </section>
  );
}
