import { BenchError } from "../../base/errors/bench_error.ts";

/** How sure a percentile has to be before a run ends. */
export interface PrecisionGoal {
  readonly percentile: number;
  /** Half the width of its interval, as a share of it. */
  readonly within: number;
}

/** Reads `p99 within 5%`. @throws {BenchError} */
export function parseGoal(text: string): PrecisionGoal {
  const [, p, percent] =
    /^\s*p([1-9]\d?(?:\.\d+)?)\s+within\s+(\d+(?:\.\d+)?)\s*%\s*$/.exec(text) ??
      [];
  const within = Number(percent) / 100;
  if (p === undefined || !(within > 0)) {
    throw new BenchError(`"${text}" is not what a run can end at`, {
      hint: 'for example "p99 within 5%", with p1 to p99.9',
      exitCode: 2,
    });
  }
  return { percentile: Number(p), within };
}

/** As it is written. */
export function goalText({ percentile, within }: PrecisionGoal): string {
  return `p${percentile} within ${Number((within * 100).toPrecision(4))}%`;
}
