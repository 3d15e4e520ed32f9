import type { InputFile } from "../../lib/compile.ts";
import { ExpressionError } from "../../lib/base/errors/expression_error.ts";
import { refusal } from "../../lib/base/text/diagnostic.ts";
import { parseThreshold } from "../../lib/language/expressions/threshold.ts";
import { parseGoal } from "../../lib/engine/run_context/precision_goal.ts";
import type { RunOptions } from "../../lib/run.ts";

/** Flags about how a run is judged and ended. */
interface JudgingFlags {
  readonly threshold?: readonly string[];
  readonly stopOnBreach?: boolean;
  readonly until?: string;
}

/**
 * A flow with more thresholds to judge its run by.
 *
 * @throws {InputError} that says which one is wrong, and how
 */
export function withThresholds(
  input: InputFile,
  { threshold = [] }: Pick<JudgingFlags, "threshold">,
): InputFile {
  if (threshold.length === 0) return input;
  const thresholds = threshold.map((text) => {
    try {
      return parseThreshold(text);
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
      const { code, message, hint } = error;
      throw refusal("--threshold", code, message, hint);
    }
  });
  return { ...input, thresholds };
}

/** Options of a run for its end. */
export function endingOptions(
  { stopOnBreach = false, until }: JudgingFlags,
): Pick<RunOptions, "stopOnBreach" | "until"> {
  return {
    stopOnBreach,
    ...(until !== undefined && { until: parseGoal(until) }),
  };
}
