import type { Profile } from "./flow.ts";
import { isFunctional } from "./mode.ts";

/** What a profile says in vain. */
export interface Ignored {
  /** JSON Pointer of the first of them. */
  readonly pointer: string;
  readonly message: string;
}

/**
 * The keys of a profile that have no effect. Integration and system runs go by
 * the rows of a fixture, not by time, number or rate; and a run whose ramp ends at
 * 0 VUs ends there.
 */
export function ignoredKeys(profile: Profile): Ignored | undefined {
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
): Ignored | undefined {
  const written = keys.filter(([is]) => is);
  const [first] = written;
  if (!first) return undefined;
  const names = written.map(([, , name]) => name).join(", ")
    .replace(/, ([^,]*)$/, " and $1");
  return {
    pointer: `/profile/${first[1]}`,
    message: `${names} ${
      written.length === 1 ? "has" : "have"
    } no effect ${why}`,
  };
}
