import type { Capacity } from "../../model/result/capacity.ts";

/** `holds up to between 96 and 100 requests a second`. */
export function capacitySentence({ unit, lower, upper }: Capacity): string {
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
