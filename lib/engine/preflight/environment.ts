import type { Flow } from "../../model/ir/flow.ts";
import type { Report } from "../../base/text/report.ts";
import { referencedEnv } from "../../language/validate/environment.ts";
import type { World } from "./world.ts";

/**
 * Reads the environment variables the flow names, and no others. A missing
 * one is reported where it is first used.
 */
export function readEnvironment(
  flow: Flow,
  world: World,
  report: Report,
): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [name, pointers] of referencedEnv(flow)) {
    const value = world.env(name);
    if (value !== undefined) {
      values.set(name, value);
      continue;
    }
    const template = `{{ env.${name} }}`;
    for (const pointer of pointers) {
      report(
        pointer,
        "missing-env",
        `${template} has no value: the environment variable ${name} is not set`,
        `set it: export ${name}=...`,
        template,
      );
    }
  }
  return values;
}
