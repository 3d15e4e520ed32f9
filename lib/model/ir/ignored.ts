import type { Profile } from "./flow.ts";
import { isFunctional } from "./mode.ts";

/** What a profile says that its mode has no use for. */
export interface Ignored {
  /** JSON Pointer of the first of them. */
  readonly pointer: string;
  readonly message: string;
}

/**
 * The keys of a profile that have no effect in its mode: integration and system
 * runs go by the rows of a fixture, not by time, number or rate.
 */
export function ignoredKeys(profile: Profile): Ignored | undefined {
  const { mode, vus, hold_us, iterations, arrival } = profile;
  if (!isFunctional(mode)) return undefined;
  const keys = ([
    [typeof vus === "object", "vus", "the ramp in `vus`"],
    [hold_us !== undefined, "hold_us", "`hold`"],
    [iterations !== undefined, "iterations", "`iterations`"],
    [arrival !== undefined, "arrival", "`arrival_cap`"],
  ] as const).filter(([written]) => written);
  const [first] = keys;
  if (!first) return undefined;
  const names = keys.map(([, , name]) => name).join(", ")
    .replace(/, ([^,]*)$/, " and $1");
  const have = keys.length === 1 ? "has" : "have";
  return {
    pointer: `/profile/${first[1]}`,
    message:
      `${names} ${have} no effect in ${mode} mode, which runs the flow once per fixture row`,
  };
}
