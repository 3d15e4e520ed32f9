import type { Capacity } from "../../model/result/capacity.ts";

type Bounds = Pick<Capacity, "unit" | "lower" | "upper" | "least">;

/** `holds at 96 requests a second, and breaks at 100, expected at least 200`. */
export function capacitySentence(bounds: Bounds): string {
  const { least } = bounds;
  const expected = least === undefined
    ? ""
    : isShort(bounds)
    ? `, expected at least ${least}`
    : ` (expected at least ${least})`;
  return `${boundsText(bounds)}${expected}`;
}

/** No level held, or none as high as expected. */
export function isShort(
  { lower, least = 0 }: Pick<Capacity, "lower" | "least">,
): boolean {
  return lower === null || lower < least;
}

function boundsText({ unit, lower, upper }: Bounds): string {
  const name = unit === "vus" ? "VUs" : "requests a second";
  if (lower === null) {
    return upper === null
      ? "no level was measured"
      : `does not hold at any level: it breaks at ${upper} ${name}`;
  }
  return upper === null
    ? `holds at ${lower} ${name}, and it may hold at more`
    : `holds at ${lower} ${name}, and breaks at ${upper}`;
}
