import { credentialsOf } from "../../steps/auth/credentials.ts";
import type { Flow, Step } from "../../model/ir/flow.ts";
import type { Report } from "../../base/text/diagnostic.ts";
import { isCredentialField } from "../../base/values/field_names.ts";
import { isObject } from "../../base/values/json.ts";
import { child } from "../../base/values/pointer.ts";

/**
 * Whether the string at `pointer` is a credential and nothing else: a secret
 * of an auth scheme, or the value of such a header.
 */
export function carriesCredential(flow: Flow, pointer: string): boolean {
  const [, , index] = pointer.split("/");
  const step = flow.steps[Number(index)];
  return step !== undefined &&
    credentialsOf(step).some((each) =>
      `/steps/${index}${each.pointer}` === pointer
    );
}

/** Warns of credentials that are written out in a step's headers. */
export function checkLiteralCredentials(
  step: Step,
  pointer: string,
  report: Report,
): void {
  for (const { name, value } of literalsOf(step)) {
    report({
      at: { pointer: child(`${pointer}/block/headers`, name), inside: name },
      code: "literal-credential",
      message: `the header \`${name}\` holds a literal credential`,
      hint: wayOut(name, value),
      severity: "warning",
    });
  }
}

/**
 * The credentials that are written out in a flow, which are secrets all the
 * same: the value of the field, and that value without its scheme.
 */
export function literalCredentials(flow: Flow): readonly string[] {
  return flow.steps.flatMap(literalsOf)
    .flatMap(({ value }) => [value, value.replace(/^[\w-]+ +(?=\S)/, "")]);
}

function literalsOf(
  { block: { headers } }: Step,
): { readonly name: string; readonly value: string }[] {
  if (!isObject(headers)) return [];
  return Object.entries(headers).flatMap(([name, value]) =>
    isCredentialField(name) && typeof value === "string" &&
      value.trim() !== "" && !value.includes("{{")
      ? [{ name, value: value.trim() }]
      : []
  );
}

function wayOut(name: string, value: string): string {
  const own = name.toLowerCase() === "authorization";
  const scheme = /^(bearer|basic)\b/i.exec(value)?.[1]?.toLowerCase();
  if (!own || scheme === undefined) {
    return "take it from the environment, so that it is in no file: {{ env.CREDENTIAL }}";
  }
  const fields = scheme === "bearer"
    ? 'token: "{{ env.TOKEN }}"'
    : 'username: ..., password: "{{ env.PASSWORD }}"';
  return `take it from the environment, so that it is in no file: \`auth: { scheme: ${scheme}, ${fields} }\``;
}
