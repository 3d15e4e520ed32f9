/** The fewest samples of the median: below it, nothing is said of it. */
const MEDIAN_FLOOR = 10;

/** The chance that no more than one of the samples lies beyond the percentile. */
const CHANCE = 0.01;

/**
 * The fewest samples that say something about a percentile: with 99 % confidence
 * two of them lie beyond it. 64 for p90, 130 for p95, 662 for p99, 6,636 for
 * p99.9; the floors that MLPerf's LoadGen uses.
 *
 * @param percentile between 0 and 100
 */
export function leastSamples(percentile: number): number {
  const beyond = Math.min(percentile, 100 - percentile) / 100;
  if (beyond <= 0) return 1;
  // Below the median the formula asks for less than an interval needs.
  let [few, many] = [MEDIAN_FLOOR - 1, MEDIAN_FLOOR];
  if (beyond >= 0.5 || chanceOfOne(many, beyond) <= CHANCE) return many;
  while (chanceOfOne(many, beyond) > CHANCE) [few, many] = [many, many * 2];
  while (many - few > 1) {
    const middle = (few + many) >> 1;
    if (chanceOfOne(middle, beyond) > CHANCE) few = middle;
    else many = middle;
  }
  return many;
}

function chanceOfOne(samples: number, beyond: number): number {
  const within = 1 - beyond;
  return within ** samples + samples * beyond * within ** (samples - 1);
}
