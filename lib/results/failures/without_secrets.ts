import { redact } from "../redact/redacted.ts";
import { MARK, Secrets } from "../redact/secrets.ts";
import type { IterationResult } from "../../model/result/iteration.ts";

/** A text without the plain values: enough to compare texts, not to store one. */
export function plainlyHidden(
  text: string,
  { secrets = [] }: IterationResult,
): string {
  return secrets.reduce(
    (shown, value) => value === "" ? shown : shown.replaceAll(value, MARK),
    text,
  );
}

/**
 * What is stored of an iteration, without the values that are secrets in it
 * alone. They are hidden where they are recorded and known nowhere else: a run
 * may make a million of them.
 */
export function withoutSecrets<T>(
  kept: T,
  { secrets: values }: IterationResult,
): T {
  if (!values) return kept;
  const secrets = new Secrets();
  for (const value of values) secrets.register(value);
  return redact(kept, secrets);
}
