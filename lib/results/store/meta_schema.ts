import * as v from "valibot";
import {
  comparisonOf,
  parseThreshold,
} from "../../language/expressions/threshold.ts";
import {
  row,
  type RowSummary,
  type RunMeta,
  runMeta,
  threshold,
} from "../../model/result/run.ts";
import { RUN_SCHEMA } from "../../model/result/stored.ts";
import { unreadable } from "./layout.ts";

/** Earlier versions wrote a threshold as its text alone. */
const anyThreshold = v.pipe(
  v.looseObject({ expression: v.string() }),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
    if ("metric" in value) return value;
    try {
      return { ...value, ...comparisonOf(parseThreshold(value.expression)) };
    } catch {
      addIssue({ expected: "a threshold" });
      return NEVER;
    }
  }),
  threshold,
);

const readMeta = v.looseObject({
  ...runMeta.entries,
  thresholds: v.array(anyThreshold),
});

/**
 * Reads the text of a `meta.json`.
 *
 * @param path for the message
 * @throws {StoreError} when it is no JSON, of a newer schema, or misses something
 */
export function parseMeta(text: string, path: string): RunMeta {
  return fitting(readMeta, parseStored(text, path), path);
}

/** The content of a file, as its schema says. @throws {StoreError} when it is not that */
export function fitting<T>(
  schema: v.GenericSchema<unknown, T>,
  value: unknown,
  path: string,
): T {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  const [issue] = result.issues;
  const where = v.getDotPath(issue) ?? "the file";
  throw unreadable(
    path,
    issue.received === "undefined"
      ? `\`${where}\` is missing`
      : `\`${where}\`: expected ${issue.expected}, but it is ${issue.received}`,
  );
}

/** The rows of a `rows.json`. @throws {StoreError} */
export function parseRows(value: unknown, path: string): RowSummary[] {
  const result = v.safeParse(v.array(row), value);
  if (result.success) return result.output;
  throw unreadable(path, "it holds no rows of a run");
}

/**
 * Reads any JSON file of a run directory, refusing a newer schema.
 *
 * @throws {StoreError}
 */
export function parseStored(text: string, path: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw unreadable(path, `it is not JSON: ${(error as Error).message}`);
  }
  const schema = (value as { readonly schema?: unknown } | null)?.schema;
  if (typeof schema === "number" && schema > RUN_SCHEMA) {
    throw unreadable(
      path,
      `it has schema ${schema}, this bench reads schema ${RUN_SCHEMA} and older`,
      "read it with the bench that wrote it, or a newer one",
    );
  }
  return value;
}
