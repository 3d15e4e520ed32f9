import { ErrorCodes, ResponseError } from "vscode-jsonrpc";
import * as v from "valibot";
import { documentSchema } from "../../lib/language/source/document.ts";
import { describeIssues } from "../../lib/language/fields/issues.ts";
import { MODES } from "../../lib/model/mode.ts";
import {
  COMPARING,
  DUELLING,
  REPLAYING,
  SEARCHING,
} from "../judge/judging_options.ts";
import { CARRY_OUT } from "../run/run_options.ts";
import { MERGING } from "../shards/shard_options.ts";
import { paramsOf } from "./option_params.ts";

const flow = v.pipe(
  v.strictObject({
    /** What a program wrote. */
    document: v.exactOptional(documentSchema),
    /** A file that `bench run` takes. */
    path: v.exactOptional(v.string()),
    /** The internal representation, as text. */
    ir: v.exactOptional(v.string()),
    /** Paths in a document or IR are relative to it; the current one when absent. */
    directory: v.exactOptional(v.string()),
  }),
  v.check(
    ({ document, path, ir }) =>
      [document, path, ir].filter((each) => each !== undefined).length === 1,
    "`flow` takes exactly one of document, path, ir",
  ),
);

/** A name, a path or a URL; or what a program wrote. */
const target = v.union([
  v.string(),
  v.strictObject({ document: documentSchema }),
]);
export type TargetParam = v.InferOutput<typeof target>;

const request = {
  flow,
  /** In place of the profile's. */
  mode: v.exactOptional(v.picklist(MODES)),
  /** In place of the environment of this process. */
  env: v.exactOptional(v.record(v.string(), v.string())),
  /** In place of the current directory of this process. */
  cwd: v.exactOptional(v.string()),
};

/** What the methods take. */
export const compileParams = v.strictObject(request);
export const validateParams = v.strictObject({
  ...request,
  target: v.exactOptional(target),
});
export const planParams = v.strictObject({ ...request, target });
const { threshold: thresholds, ...carryOut } = paramsOf(CARRY_OUT);
export const runParams = v.strictObject({
  ...request,
  target,
  ...carryOut,
  thresholds,
  /** The run store; `null` stores nothing. */
  store: v.exactOptional(v.nullable(v.string())),
  /** The one fixture row to run, 0-based; integration and system modes. */
  row: v.exactOptional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  /** Iterations come as notifications, and the result has none. */
  stream: v.exactOptional(v.boolean()),
});
const { mode: _mode, flow: _flow, ...surroundings } = request;
/** A run id of the store, or the path of a run directory. */
const storedRun = v.string();
export const replayParams = v.strictObject({
  ...surroundings,
  run: storedRun,
  /** Its first iteration that did not pass, when absent. */
  trace: v.exactOptional(v.string()),
  /** The run's own, when absent. */
  target: v.exactOptional(v.string()),
  ...paramsOf(REPLAYING),
});
export type ReplayParams = v.InferOutput<typeof replayParams>;
export const compareParams = v.strictObject({
  ...surroundings,
  run: storedRun,
  with: v.pipe(v.array(storedRun), v.minLength(1)),
  ...paramsOf(COMPARING),
});
export type CompareParams = v.InferOutput<typeof compareParams>;
export const mergeParams = v.strictObject({
  ...surroundings,
  runs: v.pipe(v.array(storedRun), v.minLength(1)),
  ...paramsOf(MERGING),
});
export type MergeParams = v.InferOutput<typeof mergeParams>;
const {
  trial: trial_s,
  cool_down: cool_down_s,
  threshold: moreThresholds,
  ...searching
} = paramsOf(SEARCHING);
export const capacityParams = v.strictObject({
  ...surroundings,
  flow,
  target,
  /** Search by VUs, not by requests a second. */
  vus: v.exactOptional(v.boolean()),
  ...searching,
  trial_s,
  cool_down_s,
  thresholds: moreThresholds,
});
export type CapacityParams = v.InferOutput<typeof capacityParams>;
const { for: for_s, ...duelling } = paramsOf(DUELLING);
export const duelParams = v.strictObject({
  ...surroundings,
  flow,
  target,
  /** The other target, which is judged. */
  against: target,
  for_s,
  ...duelling,
});
export type DuelParams = v.InferOutput<typeof duelParams>;
export const cancelParams = v.strictObject({
  id: v.union([v.number(), v.string()]),
  now: v.exactOptional(v.boolean()),
});
export type RequestParams = v.InferOutput<typeof compileParams>;
export type ValidateParams = v.InferOutput<typeof validateParams>;
export type PlanParams = v.InferOutput<typeof planParams>;
export type RunParams = v.InferOutput<typeof runParams>;

/** @throws {ResponseError} that says what is wrong with the parameters */
export function readParams<Schema extends v.GenericSchema>(
  schema: Schema,
  params: unknown,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, params ?? {});
  if (result.success) return result.output;
  const said = describeIssues(result.issues).map(({ at, message }) =>
    at === "" ? message : `${at}: ${message}`
  );
  throw new ResponseError(ErrorCodes.InvalidParams, said.join("\n"));
}
