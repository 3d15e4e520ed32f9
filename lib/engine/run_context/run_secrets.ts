import { irWords } from "../../language/flow/format_words.ts";
import { Secrets } from "../../results/redact/secrets.ts";
import { registry } from "../../steps/registry.ts";
import type { PreparedRun } from "../preflight/prepared_run.ts";
import type { RunOptions } from "./run_context.ts";

/** What must not be stored of a run. */
export function secretsOf(
  prepared: PreparedRun,
  { agentToken }: Pick<RunOptions, "agentToken">,
): Secrets {
  const secrets = new Secrets(irWords(registry));
  for (const value of prepared.secrets) secrets.register(value);
  if (agentToken) secrets.register(agentToken);
  return secrets;
}
