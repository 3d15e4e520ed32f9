import { type HistogramData, lowestOf } from "../histograms/histogram.ts";

/**
 * How many values of a histogram are at most each bound; within the 0.1 % of
 * its own buckets.
 *
 * @param bounds microseconds, rising
 */
export function countsUpTo(
  { counts }: HistogramData,
  bounds: readonly number[],
): number[] {
  let index = 0;
  let count = 0;
  return bounds.map((bound) => {
    while (index < counts.length && lowestOf(index) <= bound) {
      count += counts[index++]!;
    }
    return count;
  });
}
