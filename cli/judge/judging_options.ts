import {
  duration,
  type FlagsOf,
  percentage,
  positive,
  text,
  texts,
  toggle,
  whole,
} from "../options/option.ts";
import {
  CONNECTION,
  ENV_FILE,
  HTTP,
  JSON_RESULT,
  QUIET,
  REPORTS,
  SEED,
  STORE,
  TARGET,
  THRESHOLD,
} from "../options/shared_options.ts";

/** Of commands that carry out load of their own. */
const LOAD = { ...SEED, ...HTTP, ...STORE, ...CONNECTION };

/** How stored runs are compared. */
export const COMPARING = {
  margin: percentage("percent", "smaller changes do not count", {
    fallback: "5%",
  }),
  across_targets: toggle("the runs may be against different targets"),
  ...STORE,
};
export const COMPARE = {
  with: texts("run...", "the runs to compare with, one or more", {
    needed: true,
    more: "from three on it is known how much runs differ anyway",
  }),
  ...COMPARING,
  ...REPORTS,
  ...JSON_RESULT,
};

/** How two targets are put under load at once. */
export const DUELLING = {
  for: duration("10s")("duration", "how long both are under load", {
    fallback: "60s",
  }),
  vus: whole(1, 100_000)("n", "VUs of each side", {
    more: "without it the profile's, at its peak",
  }),
  margin: percentage(
    "percent",
    "changes that surely are smaller do not count",
    {
      fallback: "2%",
    },
  ),
  workers: whole(1, 256)("n", "threads of each side", { fallback: "1" }),
  ...LOAD,
};
export const DUEL = {
  ...TARGET,
  against: text("name|file", "the other target, which is judged", {
    needed: true,
  }),
  ...DUELLING,
  ...QUIET,
  ...REPORTS,
  ...JSON_RESULT,
};
export type DuelFlags = FlagsOf<typeof DUEL>;

/** How the highest load is searched for. */
export const SEARCHING = {
  from: positive("number", "the first level", {
    more: "without it 10 requests a second, or 1 VU",
  }),
  most: positive("number", "no level above it is tried", {
    more: "the target's `max_rps` and `max_vus` hold too",
  }),
  least: positive("number", "end with 1 when the lower bound is below it"),
  precision: percentage("percent", "the bounds lie no further apart", {
    fallback: "5%",
  }),
  trial: duration("2s", "100ms")("duration", "how long a bound is measured", {
    fallback: "10s",
    more: "trials on the way take a fifth of it, `2s` at least",
  }),
  cool_down: duration("0s")(
    "duration",
    "pause between trials, twice after a breach",
    {
      fallback: "1s",
    },
  ),
  ...THRESHOLD,
  workers: whole(1, 256)("n", "threads"),
  ...LOAD,
};
export const CAPACITY = {
  ...TARGET,
  rate: toggle("search by requests a second, as it does without --vus"),
  vus: toggle("search by VUs, not by requests a second"),
  ...SEARCHING,
  ...QUIET,
  ...REPORTS,
  ...JSON_RESULT,
};
export type CapacityFlags = FlagsOf<typeof CAPACITY>;

/** How a stored iteration is carried out once more. */
export const REPLAYING = { ...HTTP, ...STORE, ...CONNECTION };
export const REPLAY = {
  target: text("name|file", "another target than the run's"),
  ...ENV_FILE,
  ...REPLAYING,
  json: toggle("print both iterations as JSON"),
};
