import { plural } from "../../lib/results/report/figures.ts";
import type { RunMeta } from "../../lib/model/result/run.ts";
import { timeText } from "../chart/axis.ts";
import type { Markup } from "../markup/markup.ts";
import { Figure } from "./figures.tsx";

/**
 * The Knee point card. Class and detail are here exactly as in `meta.json` and
 * in the line that `bench run` prints; nothing is computed again.
 */
export function kneeCard(
  { knee, mode, status, ended_at, agent_attached }: RunMeta,
): Markup | undefined {
  if (mode !== "stress") return;
  if (!knee) {
    return (
      <p class="empty">
        {status === "running"
          ? "The knee is looked for when the run ends."
          : ended_at === null
          ? "No knee was looked for: the run did not get that far."
          : "No knee: no threshold was broken."}
      </p>
    );
  }
  return (
    <div class="knee">
      <p class="found">
        <code>
          knee_point_found: <strong>{knee.class}</strong>: {knee.detail}
        </code>
      </p>
      <dl class="figures-row">
        <Figure name="class" value={knee.class} />
        <Figure
          name="level"
          value={knee.vus === null ? "–" : plural(knee.vus, "VU")}
        />
        <Figure
          name="at"
          value={knee.at_ms === null ? "–" : timeText(knee.at_ms / 1_000)}
        />
        <Figure name="threshold" value={<code>{knee.threshold}</code>} />
      </dl>
      {knee.class === "inconclusive" &&
        !agent_attached &&
        (
          <p class="note">
            No agent was attached: the target has no{" "}
            <code>agent_addr</code>, or the agent did not respond.{" "}
            <code>degraded</code> and <code>throttled</code>{" "}
            cannot be distinguished without one.
          </p>
        )}
    </div>
  );
}
