/** Shares of iterations that a threshold can measure, and which are counted. */
export const COUNTED = {
  error_rate: "failed",
  throttle_rate: "throttled",
} as const;

/** Their names. */
export const RATES = Object.keys(COUNTED) as (keyof typeof COUNTED)[];
