import {
  badInValue,
  FRAMING_FIELDS,
  TOKEN,
} from "../../../lib/base/values/field_names.ts";

/** What browsers and proxies add to any request, and no server asks of an API. */
const NOISE =
  /^(?:sec-.*|dnt|priority|pragma|upgrade-insecure-requests|te|x-client-data|if-none-match|if-modified-since)$/i;

/** The headers that belong into a step, and the names of those that do not. */
export function chosenHeaders(
  headers: readonly (readonly [name: string, value: string])[],
  sendsJson: boolean,
): {
  readonly headers: [string, string][];
  readonly dropped: string[];
} {
  const kept = new Map<string, [string, string]>();
  const dropped: string[] = [];
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (name.startsWith(":") || FRAMING_FIELDS.has(lower)) continue;
    if (isDefault(lower, value, sendsJson)) continue;
    const sendable = TOKEN.test(name) && badInValue(value) === undefined;
    if (NOISE.test(name) || !sendable) dropped.push(name);
    else kept.set(lower, [name, codings(lower, value)]);
  }
  return { headers: [...kept.values()], dropped };
}

/** Said by the engine, or as good as not said. */
function isDefault(lower: string, value: string, json: boolean): boolean {
  if (lower === "accept") return value.trim() === "*/*";
  if (lower !== "content-type") return false;
  return !json || /^application\/json(?:\s*;\s*charset=utf-8)?$/i.test(value);
}

/** A response is read in these codings alone. */
function codings(lower: string, value: string): string {
  if (lower !== "accept-encoding") return value;
  const read = value.split(/,\s*/).filter((each) =>
    /^(?:gzip|deflate|br|identity)\b/i.test(each)
  );
  return read.join(", ");
}
