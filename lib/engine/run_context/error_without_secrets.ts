import type { Secrets } from "../../results/redact/secrets.ts";

/** An error of this program is printed with its stack, whatever that quotes. */
export function errorWithoutSecrets(error: unknown, secrets: Secrets): unknown {
  if (!(error instanceof Error)) return secrets.scrub(String(error));
  const stack = secrets.scrub(error.stack ?? "");
  error.message = secrets.scrub(error.message);
  error.stack = stack;
  return error;
}
