import { ErrorCodes, ResponseError } from "vscode-jsonrpc";
import * as v from "valibot";
import { documentSchema } from "../../lib/language/source/document.ts";
import { describeIssues } from "../../lib/language/fields/issues.ts";
import { ARRIVALS } from "../../lib/engine/plan/arrival_pattern.ts";
import { HTTP_CHOICES } from "../../lib/model/result/http_version.ts";
import { MODES } from "../../lib/model/mode.ts";

const whole = v.pipe(v.number(), v.integer(), v.minValue(0));

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
export const runParams = v.strictObject({
  ...request,
  target,
  seed: v.exactOptional(v.pipe(whole, v.maxValue(0xffffffff))),
  /** The run store; `null` stores nothing. */
  store: v.exactOptional(v.nullable(v.string())),
  workers: v.exactOptional(v.pipe(whole, v.minValue(1), v.maxValue(256))),
  /** The one fixture row to run, 0-based; integration and system modes. */
  row: v.exactOptional(whole),
  cacert: v.exactOptional(v.string()),
  cert: v.exactOptional(v.string()),
  key: v.exactOptional(v.string()),
  insecure: v.exactOptional(v.boolean()),
  http: v.exactOptional(v.picklist(HTTP_CHOICES)),
  /** `host:port:address`, each. */
  resolve: v.exactOptional(v.array(v.string())),
  proxy: v.exactOptional(v.string()),
  /** Judge the run beside those of the profile. */
  thresholds: v.exactOptional(v.array(v.string())),
  stop_on_breach: v.exactOptional(v.boolean()),
  /** `p99 within 5%` */
  until: v.exactOptional(v.string()),
  arrivals: v.exactOptional(v.picklist(ARRIVALS)),
  /** Iterations come as notifications, and the result has none. */
  stream: v.exactOptional(v.boolean()),
});
export const replayParams = v.strictObject({
  /** A run id of the store, or the path of a run directory. */
  run: v.string(),
  /** Its first iteration that did not pass, when absent. */
  trace: v.exactOptional(v.string()),
  /** The run's own, when absent. */
  target: v.exactOptional(v.string()),
  store: v.exactOptional(v.string()),
  env: v.exactOptional(v.record(v.string(), v.string())),
  cwd: v.exactOptional(v.string()),
  cacert: v.exactOptional(v.string()),
  cert: v.exactOptional(v.string()),
  key: v.exactOptional(v.string()),
  insecure: v.exactOptional(v.boolean()),
  http: v.exactOptional(v.picklist(HTTP_CHOICES)),
});
export type ReplayParams = v.InferOutput<typeof replayParams>;
export const compareParams = v.strictObject({
  /** A run id of the store, or the path of a run directory. */
  run: v.string(),
  with: v.pipe(v.array(v.string()), v.minLength(1)),
  /** A share: 0.05 is 5 %. */
  margin: v.exactOptional(v.pipe(v.number(), v.gtValue(0), v.maxValue(1))),
  across_targets: v.exactOptional(v.boolean()),
  store: v.exactOptional(v.string()),
  env: v.exactOptional(v.record(v.string(), v.string())),
  cwd: v.exactOptional(v.string()),
});
export type CompareParams = v.InferOutput<typeof compareParams>;
const { mode: _, ...asked } = request;
/** What load is carried out with, where several runs make one result. */
const load = v.strictObject({
  ...asked,
  target,
  seed: v.exactOptional(v.pipe(whole, v.maxValue(0xffffffff))),
  workers: v.exactOptional(v.pipe(whole, v.minValue(1), v.maxValue(256))),
  store: v.exactOptional(v.string()),
  cacert: v.exactOptional(v.string()),
  cert: v.exactOptional(v.string()),
  key: v.exactOptional(v.string()),
  insecure: v.exactOptional(v.boolean()),
  http: v.exactOptional(v.picklist(HTTP_CHOICES)),
});
export type LoadParams = v.InferOutput<typeof load>;
const positive = v.pipe(v.number(), v.gtValue(0));
const share = v.pipe(positive, v.maxValue(1));
export const capacityParams = v.strictObject({
  ...load.entries,
  /** Search by VUs, not by requests a second. */
  vus: v.exactOptional(v.boolean()),
  from: v.exactOptional(positive),
  most: v.exactOptional(positive),
  precision: v.exactOptional(share),
  trial_s: v.exactOptional(v.pipe(v.number(), v.minValue(0.1))),
  cool_down_s: v.exactOptional(v.pipe(v.number(), v.minValue(0))),
  thresholds: v.exactOptional(v.array(v.string())),
});
export type CapacityParams = v.InferOutput<typeof capacityParams>;
export const duelParams = v.strictObject({
  ...load.entries,
  /** The other target, which is judged. */
  against: target,
  for_s: v.exactOptional(v.pipe(v.number(), v.minValue(10))),
  vus: v.exactOptional(v.pipe(whole, v.minValue(1))),
  margin: v.exactOptional(share),
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
