import type { JsonValue } from "../../base/values/json.ts";
import { leavesOf } from "../../base/values/json_leaves.ts";
import { child } from "../../base/values/pointer.ts";
import { plural } from "../../results/report/figures.ts";
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
          `the value of ${template} has fewer than ${SHORT} characters: it is redacted only where it is a whole value`,
        severity: "warning",
      });
    }
    if (value) warnOfWritten(flow, value, template, report);
  }
  return values;
}

/** Keys whose values are words of the language. */
const WORDS: ReadonlySet<string> = new Set([
  ...["kind", "method", "mode", "scheme", "op"],
  ...["algorithm", "encoding", "in", "from"],
]);

/** What the author wrote is no secret, whatever the environment holds. */
function warnOfWritten(
  flow: Flow,
  value: string,
  template: string,
  report: Report,
): void {
  const [first, ...more] = leavesOf(flow as unknown as JsonValue)
    .filter(({ value: leaf, key }) => !WORDS.has(key) && holds(leaf, value));
  if (!first) return;
  report({
    at: { pointer: first.path.reduce<string>(child, "") },
    code: "env-in-flow",
    message: `the value of ${template} is also written here${
      more.length === 0 ? "" : `, and in ${plural(more.length, "other place")}`
    }: what a flow says is not redacted in flow.json, step ids and checks`,
    hint:
      `where it has to stay hidden, write ${template}, or call it something else`,
    severity: "warning",
  });
}

function holds(leaf: unknown, value: string): boolean {
  if (typeof leaf === "number") {
    return value.length >= SHORT && String(leaf) === value;
  }
  if (typeof leaf !== "string") return false;
  return value.length < SHORT
    ? leaf === value
    : leaf.replaceAll(/\{\{.*?\}\}/g, "\0").includes(value);
}
