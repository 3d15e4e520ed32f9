import type { Flow } from "../../model/ir/flow.ts";
import { ignoredKeys } from "../../model/ir/ignored.ts";
import { isFunctional } from "../../model/ir/mode.ts";
import type { Report } from "../../base/text/report.ts";

/** Checks the profile as a whole. */
export function checkProfile({ profile }: Flow, report: Report): void {
  const { mode, vus, hold_us, iterations } = profile;
  const bounded = iterations !== undefined || Boolean(hold_us) ||
    typeof vus !== "number";
  if (!isFunctional(mode) && !bounded) {
    report(
      "/profile/mode",
      "unbounded-run",
      `\`${mode}\` mode needs \`iterations\` or \`hold\`: nothing else ends the run`,
      "for example `hold: 1m`",
    );
  }
  const ignored = ignoredKeys(profile);
  if (ignored) {
    report(
      ignored.pointer,
      "no-effect",
      ignored.message,
      isFunctional(mode)
        ? "only `load`, `stress` and `soak` runs go by them"
        : undefined,
      undefined,
      "warning",
    );
  }
  for (const [index, threshold] of (profile.thresholds ?? []).entries()) {
    if (threshold.metric === "latency") continue;
    if (threshold.value >= 0 && threshold.value <= 1) continue;
    report(
      `/profile/thresholds/${index}/value`,
      "out-of-range",
      `a rate is a share from 0 to 1, but this is ${threshold.value}`,
    );
  }
}
