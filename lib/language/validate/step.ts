import * as v from "valibot";
import { describeIssues } from "../fields/issues.ts";
import type { Step } from "../ir.ts";
import { misplaced } from "../flow/action.ts";
import { type Kind, type Kinds, STEP_KEYS } from "../flow/kind.ts";
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
  kinds: Kinds,
  report: Report,
): boolean {
  if (step.kind === "") return false;
  const kind = kinds.get(step.kind);
  if (!kind) {
    const all = [...kinds.keys()];
    const near = nearest(step.kind, all);
    report({
      at: `${pointer}/kind`,
      code: "unknown-kind",
      message: `unknown kind \`${step.kind}\``,
      hint: near ? `did you mean \`${near}\`?` : `one of: ${all.join(", ")}`,
    });
    return false;
  }
  checkKeys(step, kind, pointer, report);
  const result = v.safeParse(kind.block.schema, step.block);
  if (result.success) return true;
  for (const each of describeIssues(result.issues)) {
    report({ ...each, at: `${pointer}/block${each.at}` });
  }
  return false;
}

function checkKeys(
  step: Step,
  kind: Kind,
  pointer: string,
  report: Report,
): void {
  for (const key of STEP_KEYS) {
    if (step[key] === undefined || kind.keys.includes(key)) continue;
    const hint = `remove \`${key}\``;
    const said = misplaced(key, kind, `step \`${step.id}\``);
    report({ hint, ...said, at: `${pointer}/${key}` });
  }
}
