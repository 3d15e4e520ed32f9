import { createHash } from "node:crypto";
import { Secrets } from "../../../../lib/results/redact/secrets.ts";

/** Secrets with these values registered. */
export function secretsOf(...values: string[]): Secrets {
  const secrets = new Secrets();
  for (const value of values) secrets.register(value);
  return secrets;
}

/** What stands for a text that hides a secret. */
export function withheld(text: string): string {
  const hash = createHash("sha256").update(text).digest("hex");
  return `[redacted: ${text.length} characters, SHA-256 ${hash}]`;
}
