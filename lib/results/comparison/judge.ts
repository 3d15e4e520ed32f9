import type { DifferenceBounds } from "../statistics/difference_bounds.ts";
import type { ComparedFigure, ComparisonVerdict } from "./comparison.ts";

/** Rates that differ by less than a point are the same, if neither is surely worse. */
const SAME_POINTS = 0.01;
/** More than so many times as long is no advice, unless it is an hour at the most. */
const LONGEST = 100;
const LONGEST_SECONDS = 3_600;

type Judged = Pick<ComparedFigure, "change" | "verdict" | "detail">;

/** How changes are judged. */
interface Margins {
  /** A change that surely lies within it is none. */
  readonly margin: number;
  /**
   * Runs in the same seconds: any other change that is surely there counts, while
   * one between runs of different times must lie beyond the margin as a whole.
   */
  readonly paired: boolean;
  /** Of the candidate. */
  readonly durationMs: number;
}

/**
 * Judges a ratio by the bounds of its logarithm.
 *
 * @param worse which direction is worse
 */
export function judgeRatio(
  { value, low, high }: DifferenceBounds,
  { margin, paired, durationMs }: Margins,
  worse: "more" | "less",
): Judged {
  const change = {
    value: Math.expm1(value),
    low: Math.expm1(low),
    high: Math.expm1(high),
  };
  const same = Math.log1p(margin);
  const edge = paired ? 0 : same;
  const sign = worse === "more" ? 1 : -1;
  const [least, most] = sign > 0 ? [low, high] : [-high, -low];
  const verdict = verdictOf(least, most, edge, same);
  if (verdict !== "unclear") return { change, verdict };
  const detail = longer((high - low) / 2, Math.abs(value), same, durationMs);
  return { change, verdict, detail };
}

/** Judges a difference of shares: of iterations that failed, or were throttled. */
export function judgeShare(
  change: DifferenceBounds,
  base: number,
  { margin, durationMs }: Pick<Margins, "margin" | "durationMs">,
): Judged {
  const edge = base * margin;
  const verdict = verdictOf(
    change.low,
    change.high,
    edge,
    Math.max(edge, SAME_POINTS),
  );
  if (verdict !== "unclear") return { change, verdict };
  const half = (change.high - change.low) / 2;
  const detail = longer(half, Math.abs(change.value), SAME_POINTS, durationMs);
  return { change, verdict, detail };
}

/** @param same within which the bounds must lie for there to be no change */
function verdictOf(
  least: number,
  most: number,
  edge: number,
  same: number,
): ComparisonVerdict {
  if (least >= -same && most <= same) return "same";
  if (least > edge) return "worse";
  return most < -edge ? "better" : "unclear";
}

/** An interval is half as wide after four times as long. */
function longer(
  half: number,
  value: number,
  edge: number,
  durationMs: number,
): string {
  const room = Math.max(Math.abs(value - edge), edge / 4);
  const times = Math.max(1.5, (half / room) ** 2);
  const seconds = Math.ceil(durationMs * times / 10_000) * 10;
  if (times > LONGEST && seconds > LONGEST_SECONDS) {
    return "the seconds differ too much: a longer run does not help";
  }
  const text = seconds >= 120 ? `${Math.ceil(seconds / 60)}m` : `${seconds}s`;
  return `measure about ${text}`;
}
