import * as v from "valibot";
import type { Report } from "../../base/text/diagnostic.ts";
import { didYouMean } from "../../base/text/suggest.ts";
import { describeIssues } from "../fields/issues.ts";
import { misplaced } from "../flow/action.ts";
import { type Kinds, STEP_KEYS } from "../flow/kind.ts";
import {
  type AuthScheme,
  schemeMapping,
  type Schemes,
} from "../flow/scheme.ts";
import type { Step } from "../ir.ts";
import type { IsSound } from "./checked_step.ts";

/**
 * Checks that a step's block and keys fit its kind. The empty kind stands for
 * an action that was reported already.
 *
 * @returns whether the block may be opened
 */
export function checkBlock(
  step: Step,
  pointer: string,
  kinds: Kinds,
  isSound: IsSound,
  report: Report,
): boolean {
  if (step.kind === "") return false;
  const kind = kinds.get(step.kind);
  if (!kind) {
    const all = [...kinds.keys()];
    report({
      at: `${pointer}/kind`,
      code: "unknown-kind",
      message: `unknown kind \`${step.kind}\``,
      hint: didYouMean(step.kind, all) ?? `one of: ${all.join(", ")}`,
    });
    return false;
  }
  for (const key of STEP_KEYS) {
    if (step[key] === undefined || kind.keys.includes(key)) continue;
    const said = misplaced(key, kind, `step \`${step.id}\``);
    report({ hint: `remove \`${key}\``, ...said, at: `${pointer}/${key}` });
  }
  return opens(
    step.block,
    kind.block.schema,
    `${pointer}/block`,
    isSound,
    report,
  );
}

/** The scheme of a step's auth, when the block may be opened. */
export function checkAuthBlock(
  { auth }: Step,
  pointer: string,
  schemes: Schemes,
  isSound: IsSound,
  report: Report,
): AuthScheme | undefined {
  if (!auth) return;
  const scheme = schemes.get(String(auth.scheme));
  if (!scheme) {
    report({
      at: `${pointer}/auth/scheme`,
      code: "unknown-value",
      message: `unknown auth scheme \`${auth.scheme}\``,
      hint: `one of: ${[...schemes.keys()].join(", ")}`,
    });
    return;
  }
  const { schema } = schemeMapping(scheme, schemes);
  return opens(auth, schema, `${pointer}/auth`, isSound, report)
    ? scheme
    : undefined;
}

/** What was reported in the words of its file has parts missing, and none that do not fit. */
function opens(
  value: unknown,
  schema: v.GenericSchema,
  pointer: string,
  isSound: IsSound,
  report: Report,
): boolean {
  if (!isSound(pointer)) return true;
  const { issues, success } = v.safeParse(schema, value);
  for (const each of describeIssues(issues ?? [])) {
    report({ ...each, at: pointer + each.at });
  }
  return success;
}
