import { sum } from "../../base/values/sum.ts";

/** How the values of a series hang together over time. */
export interface LongRun {
  /**
   * By how much the variance of the series' mean exceeds that of as many
   * independent values; at least 1.
   */
  readonly factor: number;
  /** Degrees of freedom of what is estimated from the series. */
  readonly degrees: number;
}

/**
 * The factor is itself an estimate, and the worse the longer the correlation.
 * With this share of the independent values as degrees of freedom, Student's
 * distribution makes up for it: intervals cover what they say, in the simulations.
 */
const DEGREES_SHARE = 0.35;

/** Fewer would make bounds that say nothing of a correlation seen by chance. */
const LEAST_DEGREES = 2;

/**
 * Estimates how a series hangs together: the sum of its autocovariances, in pairs
 * as long as they are positive and fall (Geyer, 1992: the initial monotone
 * sequence). Seconds of a run are rarely independent: a slow second is followed
 * by another one.
 *
 * @param noise variance of each value that has nothing to do with its neighbours,
 *   such as that of the mean of a few samples. It would hide the correlation.
 */
export function longRun(series: readonly number[], noise = 0): LongRun {
  const { length } = series;
  const seen = length < 4 ? 1 : factorOf(series, noise);
  // Where no correlation is seen, the variance alone is estimated.
  const degrees = seen === 1 ? length - 1 : DEGREES_SHARE * length / seen - 1;
  return {
    factor: withoutBias(seen, length),
    degrees: Math.max(LEAST_DEGREES, degrees),
  };
}

/**
 * Correlations of a short series come out too small: those of a first-order
 * autoregression by `2r / n`, beside what its own mean takes (Marriott and Pope,
 * 1954).
 */
function withoutBias(factor: number, length: number): number {
  return factor * (1 + (factor - 1 / factor) / Math.max(1, length));
}

function factorOf(series: readonly number[], noise: number): number {
  const { length } = series;
  const mean = sum(series, (each) => each) / length;
  const off = series.map((each) => each - mean);
  const covariance = (lag: number) => {
    let total = 0;
    for (let i = lag; i < length; i++) total += off[i]! * off[i - lag]!;
    return total / length;
  };
  const variance = covariance(0) * length / (length - 1) - noise;
  if (variance <= 0) return 1;
  let total = -covariance(0);
  let before = Infinity;
  let lags = 0;
  for (let lag = 0; lag + 1 <= length / 2; lag += 2) {
    const pair = covariance(lag) + covariance(lag + 1);
    if (lag > 0 && pair <= 0) break;
    before = Math.min(pair, before);
    total += 2 * before;
    lags = lag + 1;
  }
  // Taking the series' own mean takes a share out of every covariance.
  const whole = total / Math.max(0.2, 1 - (2 * lags + 1) / length);
  return Math.min(length / 2, Math.max(1, (whole - noise) / variance));
}

/** The difference of samples from independent ones. */
export interface Design {
  /** How many of them say as much as one independent sample. */
  readonly effect: number;
  /** How much of the variance is between seconds, and so estimated. */
  readonly share: number;
}

/**
 * @param within variance of a second's count that is chance among its samples
 * @param between what seconds differ by beyond that, for as long as they hang together
 */
export function designOf(within: number, between: number): Design {
  if (within === 0) return { effect: 1, share: 0 };
  const whole = within + between;
  return { effect: whole / within, share: between / whole };
}

/** Of values as if they were independent; the variance of one is 0. */
export function meanAndVariance(
  values: readonly number[],
): { readonly mean: number; readonly variance: number } {
  const { length } = values;
  const mean = sum(values, (each) => each) / length;
  const squares = sum(values, (each) => (each - mean) ** 2);
  return { mean, variance: squares / Math.max(1, length - 1) };
}
