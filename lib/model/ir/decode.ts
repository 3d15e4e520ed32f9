import type { Diagnostic } from "../../base/text/diagnostic.ts";
import * as v from "valibot";
import { isObject } from "../../base/values/json.ts";
import { type Flow, flowSchema, IR_VERSION } from "./flow.ts";
import { describeIssues } from "./issues.ts";
import { checkJsonText, type JsonPlace, JsonTextError } from "./json_text.ts";

/** Takes one diagnostic: of JSON itself by its position, else by JSON Pointer. */
export type DecodeReport = (diagnostic: Diagnostic<string | JsonPlace>) => void;

/**
 * Reads IR JSON strictly: unknown keys, missing keys and another IR version
 * are refused by name. The blocks of protocols and auth schemes stay sealed;
 * `validateFlow` opens them.
 */
export function decodeFlow(
  text: string,
  report: DecodeReport,
): Flow | undefined {
  const json = text.startsWith("\ufeff") ? text.slice(1) : text;
  try {
    checkJsonText(json);
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    const { code, message, number, place } = error;
    const hint = number && `as a string it keeps its digits: "${number}"`;
    report({ at: place, code, message, hint });
    return;
  }
  const value: unknown = JSON.parse(json);
  if (!isObject(value)) {
    report({
      at: "",
      code: "wrong-type",
      message: "IR JSON must be an object",
    });
    return;
  }
  if (!checkVersion(value.ir, report)) return;
  const result = v.safeParse(flowSchema, value);
  if (result.success) return result.output;
  describeIssues(result.issues).forEach(report);
}

function checkVersion(version: unknown, report: DecodeReport): boolean {
  if (version === IR_VERSION) return true;
  if (version === undefined) {
    report({
      at: "",
      code: "ir-version",
      message: "`ir` is missing: this is not IR JSON",
      hint: "`bench compile <flow.yaml>` writes IR JSON",
    });
  } else if (typeof version === "number" && version > IR_VERSION) {
    report({
      at: "/ir",
      code: "ir-version",
      message:
        `this IR is version ${version}, but this bench reads version ${IR_VERSION}`,
      hint: "it needs a newer bench",
    });
  } else {
    report({
      at: "/ir",
      code: "ir-version",
      message: `\`ir\` must be ${IR_VERSION}, but it is ${
        JSON.stringify(version)
      }`,
    });
  }
  return false;
}
