import * as v from "valibot";
import type { Diagnostic } from "../../base/text/diagnostic.ts";
import { positionAt } from "../../base/text/lines.ts";
import type { TextPosition } from "../../base/text/within.ts";
import { isObject } from "../../base/values/json.ts";
import { readJson } from "../../base/values/read_json.ts";
import { jsonError } from "../../base/values/strict_json.ts";
import { describeIssues } from "../fields/issues.ts";
import { type Flow, flowSchema, IR_VERSION, IR_VERSIONS } from "./flow.ts";

/** Takes one diagnostic: of JSON itself by its position, else by JSON Pointer. */
type DecodeReport = (
  diagnostic: Diagnostic<string | TextPosition>,
) => void;

/**
 * Reads IR JSON strictly: unknown keys, missing keys and another IR version
 * are refused by name. The blocks of kinds and auth schemes stay sealed;
 * `validateFlow` opens them.
 */
export function decodeFlow(
  text: string,
  report: DecodeReport,
): Flow | undefined {
  const json = text.startsWith("\ufeff") ? text.slice(1) : text;
  const error = jsonError(json, { keepsIntegers: true });
  if (error) {
    const { at, number, ...rest } = error;
    const hint = number && `as a string it keeps its digits: "${number}"`;
    report({ ...rest, at: positionAt(json, at), hint });
    return;
  }
  const value: unknown = readJson(json);
  if (!isObject(value)) {
    const message = "IR JSON must be an object";
    report({ at: "", code: "wrong-type", message });
    return;
  }
  const { ir } = value;
  if (!IR_VERSIONS.some((each) => each === ir)) {
    report({ code: "ir-version", ...otherVersion(ir) });
    return;
  }
  const result = v.safeParse(flowSchema, value);
  if (result.success) return result.output;
  describeIssues(result.issues).forEach((each) => report(each));
}

function otherVersion(
  version: unknown,
): Omit<Diagnostic<string>, "code"> {
  if (version === undefined) {
    return {
      at: "",
      message: "`ir` is missing: this is not IR JSON",
      hint: "`bench compile <flow.yaml>` writes IR JSON",
    };
  }
  if (typeof version === "number" && version > IR_VERSION) {
    return {
      at: "/ir",
      message: `this IR is version ${version}, but this bench reads versions ${
        IR_VERSIONS.join(" and ")
      }`,
      hint: "it needs a newer bench",
    };
  }
  const is = JSON.stringify(version);
  return {
    at: "/ir",
    message: `\`ir\` must be ${IR_VERSIONS.join(" or ")}, but it is ${is}`,
  };
}
