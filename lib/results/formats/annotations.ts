import type { Diagnostic } from "../../base/text/diagnostic.ts";
import type {
  FailureGroup,
  RunMeta,
  ThresholdVerdict,
} from "../../model/result/run.ts";
import { exchangesOnce } from "../failures/exchange.ts";
import { brokenSentence } from "../report/contract.ts";
import { emptyLoad } from "../report/thresholds.ts";
import {
  breachText,
  groupText,
  isError,
  valuesText,
} from "../report/failure_texts.ts";

/** A build server shows no more of a job. */
const MOST = 10;

/**
 * Why a run did not pass, at the lines of its flow: each step that failed, each
 * threshold that did not hold, and that responses are not as described. None for one that passed, or was stopped by a person.
 */
export function annotationsOf(meta: RunMeta): Diagnostic[] {
  const { status, verdict, flow_file, thresholds, abort_reason } = meta;
  if (verdict !== "fail" || status === "interrupted") return [];
  const exchange = exchangesOnce(meta);
  const { setup, teardown, failures } = meta;
  const once = [setup, teardown].flatMap((each) => each?.failures ?? []);
  const failed = [
    ...once,
    ...failures.filter((each) => isError(each, meta)),
  ];
  // Steps that failed speak for the threshold that no one declared.
  const broken = thresholds.filter(({ pass, implied }) =>
    !pass && !(implied && failed.length > 0)
  );
  // In a functional run it is a failure of its step.
  const violation = failed.some(({ code }) => code === "contract")
    ? undefined
    : brokenSentence(meta);
  const at = { file: flow_file };
  const found = [
    ...broken.map((each): Diagnostic => ({
      code: "threshold",
      at: placeOf(each, meta),
      message: breachText(each),
    })),
    ...violation === undefined
      ? []
      : [{ code: "contract", at, message: violation }],
    ...failed.map((each): Diagnostic => ({
      code: each.code,
      at: placeOf(each, meta),
      message: groupText(each),
      hint: [...valuesText(each), ...exchange(each)].join("\n") || undefined,
    })),
  ];
  if (found.length > 0) return found.slice(0, MOST);
  const why = abort_reason ?? emptyLoad(meta) ?? "the run did not pass";
  return [{ code: "run", at, message: why }];
}

function placeOf(
  { file, line, column }: FailureGroup | ThresholdVerdict,
  { flow_file }: RunMeta,
): Diagnostic["at"] {
  if (file === undefined || line === undefined) return { file: flow_file };
  return { file, range: { line, column: column ?? 1, length: 1 } };
}
