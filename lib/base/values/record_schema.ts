import * as v from "valibot";
import { isObject } from "./json.ts";

/** To the library of schemas a list is an object with the keys `0`, `1`, and so on. */
const object = v.custom<object>(isObject);

/** The schema of an object, which refuses lists. */
export function noList<Schema extends v.GenericSchema<unknown, unknown>>(
  schema: Schema,
): Schema {
  const run: Schema["~run"] = (dataset, config) =>
    Array.isArray(dataset.value)
      ? object["~run"](dataset, config) as never
      : schema["~run"](dataset, config);
  return { ...schema, "~run": run };
}

/** `v.record`, which passes over names that an author may well give: `constructor`. */
export function recordOf<T>(
  key: v.GenericSchema<unknown, string>,
  value: v.GenericSchema<unknown, T>,
): v.GenericSchema<unknown, Record<string, T>> {
  const record = v.record(key as v.GenericSchema<string, string>, value);
  const run: typeof record["~run"] = (dataset, config) => {
    const input = dataset.value;
    if (!isObject(input)) return object["~run"](dataset, config) as never;
    const issues: v.BaseIssue<unknown>[] = [];
    const entries = Object.entries(input).map(([name, given]) => {
      const read = value["~run"]({ value: given }, config);
      const found = [key["~run"]({ value: name }, config), read];
      for (const issue of found.flatMap((each) => each.issues ?? [])) {
        const at = {
          type: "object",
          origin: "value",
          input,
          key: name,
        } as const;
        const path = [{ ...at, value: given }, ...issue.path ?? []] as const;
        issues.push({ ...issue, path: path as never });
      }
      return [name, read.value as T];
    });
    const whole = { value: Object.fromEntries(entries) as Record<string, T> };
    return issues.length === 0
      ? { ...whole, typed: true }
      : { ...whole, typed: false, issues: issues as never };
  };
  return { ...record, "~run": run };
}
