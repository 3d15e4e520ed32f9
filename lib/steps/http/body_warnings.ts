import type { Diagnostic, Report } from "../../base/text/diagnostic.ts";
import { child, type JsonValue } from "../../base/values/json.ts";
import type { KindStep } from "../../language/flow/registry.ts";
import { BODY_FIELDS, type BodyBlock, JSON_TYPE } from "./body_fields.ts";

const BODIES = Object.keys(BODY_FIELDS) as (keyof BodyBlock)[];

/** Refuses two bodies, and warns where one travels under a type that it is not of. */
export function checkBodies(
  steps: readonly KindStep<
    BodyBlock & { readonly headers?: Record<string, string> }
  >[],
  report: Report,
): void {
  for (const { step, block, pointer } of steps) {
    const [first, second] = BODIES.filter((key) => block[key] !== undefined);
    if (second) {
      report({
        at: `${pointer}/block/${second}`,
        code: "two-bodies",
        message:
          `step \`${step.id}\` has two bodies, \`${first}\` and \`${second}\``,
        hint: "a request sends one of them",
      });
    }
    for (const key of ["form", "multipart"] as const) {
      for (const [index, part] of (block[key] ?? []).entries()) {
        const odd = "value" in part &&
          fileInText(
            part.value,
            (path) =>
              `a file is a part of \`multipart\`: \`{ file: ${path} }\``,
          );
        if (odd) report({ ...odd, at: `${pointer}/block/${key}/${index}` });
      }
    }
    for (const [name, value] of Object.entries(block.headers ?? {})) {
      // An empty one is not sent, and of a template only the run knows.
      if (name.toLowerCase() !== "content-type" || value === "") continue;
      const warning = value.includes("{{")
        ? undefined
        : typeWarning(step.id, first, value);
      if (!warning) continue;
      const at = child(`${pointer}/block/headers`, name);
      report({ at, severity: "warning", ...warning });
    }
  }
}

/** Warns of a text that was hardly meant to be sent as a JSON string. */
export function oddPayload(
  value: JsonValue | undefined,
): Omit<Diagnostic, "at"> | undefined {
  if (typeof value !== "string") return undefined;
  const severity = "warning";
  if (isJsonText(value)) {
    return {
      severity,
      code: "json-in-text",
      message: "this is the text of a JSON value, which is sent as a string",
      hint:
        "write it without the quotes around it, as YAML, or in Python as a dict or a list",
    };
  }
  return fileInText(
    value,
    (path) => `with \`version: 1\` a file is sent by \`file: ${path}\``,
  );
}

/** Warns of a text that curl would read a file for. */
function fileInText(
  value: string,
  hint: (path: string) => string,
): Omit<Diagnostic, "at"> | undefined {
  const [, path] = FILE_OF_CURL.exec(value) ?? [];
  return path === undefined ? undefined : {
    severity: "warning",
    code: "file-in-text",
    message: `\`${value}\` is sent as a string: no file is read`,
    hint: hint(path),
  };
}

const FILE_OF_CURL =
  /^@(\S+\.(?:json|xml|txt|csv|ya?ml|bin|data|html|png|jpe?g|gif|webp|svg|pdf|zip|gz|docx?|xlsx?|mp[34]|wav))$/i;

/** Whether it is a list or an object, whatever values its templates have. */
function isJsonText(text: string): boolean {
  // A template alone has the type of its value.
  const filled = text.replaceAll(/\{\{[^{}]*\}\}/g, "0");
  if (!/^\s*[{[][\s\S]*[}\]]\s*$/.test(filled)) return false;
  try {
    JSON.parse(filled);
    return true;
  } catch {
    return false;
  }
}

function typeWarning(
  id: string,
  key: keyof BodyBlock | undefined,
  type: string,
): Omit<Diagnostic, "at"> | undefined {
  if (key === "body" && !JSON_TYPE.test(type)) {
    return {
      code: "body-not-json",
      message:
        `step \`${id}\` sends its body as JSON, but calls it \`${type}\``,
      hint:
        "a body is always sent as JSON: remove the header, or name a JSON type",
    };
  }
  if (key === "multipart") {
    return {
      code: "no-boundary",
      message:
        `step \`${id}\` declares the type of a multipart body, which then has no boundary`,
      hint: "remove the header: it is made with the body",
    };
  }
  const form = /^\s*application\/x-www-form-urlencoded\b/i;
  return key === "form" && !form.test(type)
    ? {
      code: "body-not-form",
      message: `step \`${id}\` sends a form, but calls it \`${type}\``,
      hint: "remove the header: a form has its own type",
    }
    : undefined;
}
