import { StoreError } from "../../lib/results/store/layout.ts";
import * as v from "valibot";
import {
  type AgentSeries,
  READING_FIELDS,
} from "../../lib/model/result/agent.ts";
import { jsonError } from "../../lib/base/values/read_json.ts";
import {
  type Histograms,
  histograms,
  type Series,
  series,
} from "../../lib/model/result/series.ts";
import { type Trace, trace } from "../../lib/model/result/trace.ts";
import { fitting } from "../../lib/results/store/meta_schema.ts";

/*
 * The schemas of the files beside meta.json. A run directory may have been written
 * by anyone: a file that does not fit is an error, and never shown.
 */

const n = v.number();
/** Of a run, or since the epoch. */
const milliseconds = v.pipe(n, v.minValue(-1e13), v.maxValue(1e13));
/** A field is null where the agent's kernel does not report it; an old file misses some. */
const sample = v.object({
  t_ms: milliseconds,
  ts_ms: milliseconds,
  ...v.entriesFromList(READING_FIELDS, v.optional(v.nullable(n), null)),
});
const agent = v.looseObject({ samples: v.array(sample) });

/** @throws {StoreError} when the text is not JSON that a flow could be */
export function checkFlow(text: string, path: string): string {
  const error = jsonError(text, { keepsIntegers: true });
  if (!error) return text;
  throw new StoreError(`Cannot read \`${path}\`: ${error.message}`);
}

/** Gives what the file at a path holds, as it should be. */
const checker =
  <T>(schema: v.GenericSchema<unknown, unknown>) =>
  (value: unknown, path: string): T => fitting(schema, value, path) as T;

/** Checks of the files, which throw a `StoreError` when one is not what it should be. */
export const checkTrace = checker<Trace>(trace);
export const checkSeries = checker<Series>(series);
export const checkHistograms = checker<Histograms>(histograms);
export const checkAgent = checker<AgentSeries>(agent);
