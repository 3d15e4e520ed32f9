import type { Report } from "../../base/text/diagnostic.ts";
import { isCredentialField } from "../../base/values/field_names.ts";
import type { Registry } from "../flow/registry.ts";
import type { Flow } from "../ir.ts";
import {
  declaredHeaders,
  flowParts,
  type Parts,
  type PlacedString,
} from "./parts.ts";

/**
 * The strings of a valid flow that are credentials and nothing else: secrets of
 * auth schemes, and the values of such headers.
 */
export function flowCredentials(
  flow: Flow,
  registry: Registry,
): readonly PlacedString[] {
  return flowParts(flow, registry).flatMap((parts) => [
    ...parts.of("secret").map(({ pointer, value: text }) => ({
      pointer,
      text,
    })),
    ...credentialHeaders(parts),
  ]);
}

/** Warns of credentials that are written out in a step's headers. */
export function checkLiteralCredentials(parts: Parts, report: Report): void {
  for (const { name, text, pointer } of literalsOf(parts)) {
    report({
      at: { pointer, inside: name },
      code: "literal-credential",
      message: `the header \`${name}\` holds a literal credential`,
      hint: wayOut(name, text.trim()),
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
  return flowParts(flow, registry).flatMap(literalsOf)
    .map(({ text }) => text.trim())
    .flatMap((value) => [value, value.replace(/^[\w-]+ +(?=\S)/, "")]);
}

function credentialHeaders(parts: Parts) {
  return declaredHeaders(parts).filter(({ name }) => isCredentialField(name));
}

function literalsOf(parts: Parts) {
  return credentialHeaders(parts)
    .filter(({ text }) => text.trim() !== "" && !text.includes("{{"));
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
