import type { Flow } from "../ir.ts";
import { ignoredKeys } from "../flow/ignored.ts";
import { isFunctional } from "../../model/mode.ts";
import { nearest } from "../../base/text/suggest.ts";
import type { Report } from "../../base/text/diagnostic.ts";

/** Checks the profile as a whole. */
export function checkProfile(
  { profile, steps }: Flow,
  report: Report,
): void {
  const { mode, vus, hold_us, iterations } = profile;
  const bounded = iterations !== undefined || Boolean(hold_us) ||
    typeof vus !== "number";
  if (!isFunctional(mode) && !bounded) {
    report({
      at: "/profile/mode",
      code: "unbounded-run",
      message:
        `\`${mode}\` mode needs \`iterations\` or \`hold\`: nothing else ends the run`,
      hint: "for example `hold: 1m`",
    });
  }
  const ignored = ignoredKeys(profile);
  if (ignored) report(ignored);
  for (const [index, threshold] of (profile.thresholds ?? []).entries()) {
    const { step } = threshold;
    if (step !== undefined && !steps.some(({ id }) => id === step)) {
      const near = nearest(step, steps.map(({ id }) => id));
      report({
        at: `/profile/thresholds/${index}`,
        code: "threshold-step",
        message: `there is no step \`${step}\``,
        ...(near !== undefined && { hint: `did you mean \`${near}\`?` }),
      });
    }
    if (threshold.metric === "latency") continue;
    if (threshold.value >= 0 && threshold.value <= 1) continue;
    report({
      at: `/profile/thresholds/${index}/value`,
      code: "out-of-range",
      message: `a rate is a share from 0 to 1, but this is ${threshold.value}`,
    });
  }
}
