/** No more than three decimals: milliseconds to the microsecond. */
export function toThousandths(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
