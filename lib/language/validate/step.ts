import * as v from "valibot";
import { describeIssues } from "../../model/ir/issues.ts";
import type { Step } from "../../model/ir/flow.ts";
import type { Protocol, StepKey } from "../../steps/protocol.ts";
import { protocols } from "../../steps/registry.ts";
import type { Report } from "../../base/text/diagnostic.ts";
import { nearest } from "../../base/text/suggest.ts";

/**
 * Checks that a step's block and keys fit its kind. The empty kind stands for
 * an action that was reported already.
 *
 * @returns whether the block may be opened
 */
export function checkStep(
  step: Step,
  pointer: string,
  report: Report,
): boolean {
  if (step.kind === "") return false;
  const protocol = protocols.get(step.kind);
  if (!protocol) {
    const kinds = [...protocols.keys()];
    const near = nearest(step.kind, kinds);
    report({
      at: `${pointer}/kind`,
      code: "unknown-kind",
      message: `unknown kind \`${step.kind}\``,
      hint: near ? `did you mean \`${near}\`?` : `one of: ${kinds.join(", ")}`,
    });
    return false;
  }
  checkKeys(step, protocol, pointer, report);
  const result = v.safeParse(protocol.schema, step.block);
  if (result.success) return true;
  for (const each of describeIssues(result.issues)) {
    report({ ...each, at: `${pointer}/block${each.at}` });
  }
  return false;
}

const KEYS = [
  "extract",
  "assert",
  "retry",
  "throttle",
  "auth",
] as const satisfies readonly StepKey[];

function checkKeys(
  step: Step,
  protocol: Protocol,
  pointer: string,
  report: Report,
): void {
  for (const key of KEYS) {
    if (step[key] === undefined || protocol.keys.includes(key)) continue;
    const silent = key === "auth" && !protocol.requests;
    report({
      at: `${pointer}/${key}`,
      code: silent ? "auth-without-request" : "key-not-allowed",
      message: silent
        ? `step \`${step.id}\` is a \`${step.kind}\`, which makes no request, so it takes no \`auth\``
        : `\`${key}\` does not go with \`${step.kind}\``,
      hint: `remove \`${key}\``,
    });
  }
}
