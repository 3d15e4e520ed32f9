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
    if (value === undefined) {
      const why = `has no value: the environment variable ${name} is not set`;
      reportUnset(name, pointers, { code: "missing-env", why }, report);
    } else if (value === "") {
      const why =
        `is a credential, but the environment variable ${name} is empty`;
      const credentials = pointers.filter((at) => secret.has(at));
      reportUnset(name, credentials, { code: "empty-env", why }, report);
    } else if (value.length < SHORT) reportShort(name, pointers, report);
  }
  return values;
}

type Pointers = readonly string[];

/** Reports each place of a variable that has no value. */
function reportUnset(
  name: string,
  pointers: Pointers,
  { code, why }: { readonly code: string; readonly why: string },
  report: Report,
) {
  const template = `{{ env.${name} }}`;
  for (const pointer of pointers) {
    report({
      at: { pointer, inside: template },
      code,
      message: `${template} ${why}`,
      hint: `set it: export ${name}=...`,
    });
  }
}

function reportShort(name: string, [first]: Pointers, report: Report) {
  const template = `{{ env.${name} }}`;
  report({
    at: { pointer: first!, inside: template },
    code: "short-secret",
    message:
      `the value of ${template} has fewer than ${SHORT} characters: wherever it occurs, other text is redacted as well`,
    severity: "warning",
  });
}
