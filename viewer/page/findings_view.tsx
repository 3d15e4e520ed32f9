import type { RunMeta } from "../../lib/model/result/run.ts";
import type { Markup } from "../markup/markup.ts";
import { findingsOf } from "../model/findings.ts";
import type { RunDirectory } from "../store/run_directory.ts";

/** What stands out: what was seen, why it matters, what to try. */
export async function findingsView(
  meta: RunMeta,
  run: RunDirectory,
): Promise<Markup | undefined> {
  const [series, agent] = await Promise.all([run.series(), run.agent()]);
  const found = findingsOf({
    meta,
    seconds: series.value ?? [],
    agent: agent.value ?? [],
  });
  if (found.length === 0) return;
  return (
    <ul class="findings">
      {found.map(({ seen, why, hint }) => (
        <li>
          <strong>{words(seen)}</strong> {words(why)}{" "}
          <span class="hint">Try: {words(hint)}.</span>
        </li>
      ))}
    </ul>
  );
}

/** What is in backticks is code. */
function words(text: string): (string | Markup)[] {
  return text.split("`").map((part, index) =>
    index % 2 === 1 ? <code>{part}</code> : part
  );
}
