/** The forms a reading is served in. */
type Form = "json" | "prometheus";

const PROMETHEUS = new Set([
  "text/plain",
  "text/*",
  "application/openmetrics-text",
]);
const JSON_TYPES = new Set(["application/json", "application/*"]);

/**
 * The form an `Accept` field asks for (RFC 9110 section 12.5.1): Prometheus text
 * where text is named and preferred to JSON; JSON in every other case.
 */
export function formOf(accept: string | null): Form {
  let text = 0;
  let json = 0;
  for (const range of (accept ?? "").split(",")) {
    const [type = "", ...parameters] = range.split(";")
      .map((part) => part.trim().toLowerCase());
    const weight = weightOf(parameters);
    if (PROMETHEUS.has(type)) text = Math.max(text, weight);
    if (JSON_TYPES.has(type)) json = Math.max(json, weight);
  }
  return text > json ? "prometheus" : "json";
}

function weightOf(parameters: readonly string[]): number {
  const text = parameters.find((each) => each.startsWith("q="))?.slice(2);
  const weight = text === undefined ? 1 : Number(text);
  return weight >= 0 && weight <= 1 ? weight : 0;
}
