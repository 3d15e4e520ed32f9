import { Secrets } from "../../../../lib/results/redact/secrets.ts";

/** Secrets with these values registered. */
export function secretsOf(...values: string[]): Secrets {
  const secrets = new Secrets();
  for (const value of values) secrets.register(value);
  return secrets;
}
