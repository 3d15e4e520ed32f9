import type { Diagnostic } from "../../base/text/diagnostic.ts";
import type { Profile } from "./profile.ts";
import { isFunctional } from "../../model/mode.ts";

/**
 * A warning of the keys of a profile that have no effect. Integration and system runs go by
 * the rows of a fixture, not by time, number or rate; and a run whose ramp ends at
 * 0 VUs ends there.
 */
export function ignoredKeys(profile: Profile): Diagnostic<string> | undefined {
  const { mode, vus, hold_us, iterations, arrival } = profile;
  const ramps = typeof vus === "object";
  if (isFunctional(mode)) {
    return withoutEffect(
      [
        [ramps, "vus", "the ramp in `vus`"],
        [hold_us !== undefined, "hold_us", "`hold`"],
        [iterations !== undefined, "iterations", "`iterations`"],
        [arrival !== undefined, "arrival", "`arrival_cap`"],
      ],
      `in ${mode} mode, which runs the flow once per fixture row`,
      "only `load`, `stress` and `soak` runs go by them",
    );
  }
  const idle = ramps && vus.to === 0 && hold_us !== undefined;
  return withoutEffect(
    [[idle, "hold_us", "`hold`"]],
    "after a ramp to 0 VUs, which ends the run",
  );
}

function withoutEffect(
  keys: readonly (readonly [written: boolean, key: string, name: string])[],
  why: string,
  hint?: string,
): Diagnostic<string> | undefined {
  const written = keys.filter(([is]) => is);
  const [first] = written;
  if (!first) return undefined;
  const names = written.map(([, , name]) => name).join(", ")
    .replace(/, ([^,]*)$/, " and $1");
  return {
    at: `/profile/${first[1]}`,
    code: "no-effect",
    severity: "warning",
    hint,
    message: `${names} ${
      written.length === 1 ? "has" : "have"
    } no effect ${why}`,
  };
}
