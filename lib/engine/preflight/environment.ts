import type { Flow } from "../../language/ir.ts";
import type { Report } from "../../base/text/diagnostic.ts";
import { flowCredentials } from "../../language/validate/credentials.ts";
import { referencedEnv } from "../../language/validate/environment.ts";
import { registry } from "../../steps/registry.ts";
import type { World } from "./prepared_run.ts";

/** Shorter values are parts of ordinary text. */
const SHORT = 4;

/**
 * Reads the environment variables the flow names, and no others. A missing one
 * is reported wherever it is used, an empty one wherever it is a credential, a
 * short one where it is used first.
 */
export function readEnvironment(
  flow: Flow,
  world: World,
  report: Report,
): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const secret = new Set(
    flowCredentials(flow, registry).map(({ pointer }) => pointer),
  );
  for (const [name, pointers] of referencedEnv(flow, registry)) {
    const value = world.env(name);
    if (value !== undefined) values.set(name, value);
    if (world.lenient) continue;
    const template = `{{ env.${name} }}`;
    const unset = (places: readonly string[], code: string, why: string) => {
      for (const pointer of places) {
        report({
          at: { pointer, inside: template },
          code,
          message: `${template} ${why}`,
          hint: `set it: export ${name}=...`,
        });
      }
    };
    if (value === undefined) {
      const why = `has no value: the environment variable ${name} is not set`;
      unset(pointers, "missing-env", why);
    } else if (value === "") {
      const why =
        `is a credential, but the environment variable ${name} is empty`;
      unset(pointers.filter((at) => secret.has(at)), "empty-env", why);
    } else if (value.length < SHORT) {
      report({
        at: { pointer: pointers[0]!, inside: template },
        code: "short-secret",
        message:
          `the value of ${template} has fewer than ${SHORT} characters: wherever it occurs, other text is redacted as well`,
        severity: "warning",
      });
    }
  }
  return values;
}
