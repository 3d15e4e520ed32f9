import type { Report } from "../../base/text/diagnostic.ts";
import { isCredentialField } from "../../base/values/field_names.ts";
import type { Registry } from "../flow/registry.ts";
import type { Flow } from "../ir.ts";
import {
  credentials,
  declaredHeaders,
  type Parts,
  stepParts,
} from "./parts.ts";
import type { PlacedString } from "./strings.ts";

/**
 * The strings of a valid flow that are credentials and nothing else: secrets of
 * auth schemes, and the values of such headers.
 */
export function flowCredentials(
  flow: Flow,
  registry: Registry,
): readonly PlacedString[] {
  return flow.steps.flatMap((step, index) =>
    credentials(stepParts(step, `/steps/${index}`, registry))
  );
}

/** Warns of credentials that are written out in a step's headers. */
export function checkLiteralCredentials(parts: Parts, report: Report): void {
  for (const { name, value, pointer } of literalsOf(parts)) {
    report({
      at: { pointer, inside: name },
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
export function literalCredentials(
  flow: Flow,
  registry: Registry,
): readonly string[] {
  return flow.steps.flatMap((step) => literalsOf(stepParts(step, "", registry)))
    .flatMap(({ value }) => [value, value.replace(/^[\w-]+ +(?=\S)/, "")]);
}

interface Literal {
  readonly name: string;
  readonly value: string;
  readonly pointer: string;
}

function literalsOf(parts: Parts): readonly Literal[] {
  return declaredHeaders(parts).flatMap(({ name, text, pointer }) =>
    isCredentialField(name) && text.trim() !== "" && !text.includes("{{")
      ? [{ name, value: text.trim(), pointer }]
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
