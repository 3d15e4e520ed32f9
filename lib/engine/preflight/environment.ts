import type { Flow } from "../../model/ir/flow.ts";
import type { Report } from "../../base/text/report.ts";
import { referencedEnv } from "../../language/validate/environment.ts";
import type { World } from "./world.ts";

/** Shorter values are parts of ordinary text. */
const SHORT = 4;

/**
 * Reads the environment variables the flow names, and no others. A missing
 * one is reported wherever it is used, a short one where it is used first.
 */
export function readEnvironment(
  flow: Flow,
  world: World,
  report: Report,
): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [name, pointers] of referencedEnv(flow)) {
    const value = world.env(name);
    const template = `{{ env.${name} }}`;
    if (value !== undefined) {
      values.set(name, value);
      if (value !== "" && value.length < SHORT) {
        report(
          pointers[0]!,
          "short-secret",
          `the value of ${template} has fewer than ${SHORT} characters: wherever it occurs, other text is redacted as well`,
          undefined,
          template,
          "warning",
        );
      }
      continue;
    }
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
