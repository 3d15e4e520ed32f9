import * as v from "valibot";
import {
  parseTemplate,
  quote,
  type Reference,
  wholeReference,
} from "../expressions/template.ts";
import type { Part } from "../fields/value.ts";
import { describeIssues } from "../fields/issues.ts";
import {
  type AuthScheme,
  schemeMapping,
  type Schemes,
} from "../flow/scheme.ts";
import type { Kind } from "../flow/kind.ts";
import type { Step } from "../ir.ts";
import type { Report } from "../../base/text/diagnostic.ts";
import type { JsonObject } from "../../base/values/json.ts";
import { checkQueryClash } from "./auth_query.ts";
import type { KnownNames } from "./known_names.ts";
import { declaredHeaders, type Parts } from "./parts.ts";

/**
 * Checks the shape of a step's auth block.
 *
 * @returns its scheme, when the block fits it
 */
export function checkAuthBlock(
  auth: JsonObject,
  pointer: string,
  schemes: Schemes,
  report: Report,
): AuthScheme | undefined {
  const scheme = schemes.get(String(auth.scheme));
  if (!scheme) {
    report({
      at: `${pointer}/scheme`,
      code: "unknown-value",
      message: `unknown auth scheme \`${auth.scheme}\``,
      hint: `one of: ${[...schemes.keys()].join(", ")}`,
    });
    return;
  }
  const result = v.safeParse(schemeMapping(scheme, schemes).schema, auth);
  if (result.success) return scheme;
  for (const each of describeIssues(result.issues)) {
    report({ ...each, at: pointer + each.at });
  }
}

/**
 * Checks what an auth block that fits its scheme says: credentials are templates.
 *
 * @param parts those of the auth
 */
export function checkCredentials(
  auth: JsonObject,
  scheme: AuthScheme,
  pointer: string,
  { names, parts }: { readonly names: KnownNames; readonly parts: Parts },
  report: Report,
): void {
  for (const part of parts.of("secret")) {
    checkSecret(part, scheme, names, report);
  }
  for (const each of scheme.check?.(auth) ?? []) {
    report({ ...each, at: pointer + each.at });
  }
}

/**
 * Refuses a header and a query parameter that both the step and its auth write,
 * and a credential that its request has no place for.
 *
 * @param parts those of the step
 */
export function checkAuthClash(
  step: Step,
  scheme: AuthScheme,
  pointer: string,
  { kind, parts }: { readonly kind: Kind | undefined; readonly parts: Parts },
  report: Report,
): void {
  checkQueryClash(step, scheme, parts, report);
  const query = kind?.noQuery && scheme.queryAt?.(step.auth!);
  if (query) {
    report({
      ...query,
      at: `${pointer}/auth${query.at}`,
      code: "auth-without-query",
      message:
        `step \`${step.id}\` is a \`${step.kind}\` request, which has no query for a credential`,
    });
  }
  const written = new Set(scheme.headerNames?.(step.auth!));
  for (const name of written) {
    if (!kind?.reserves?.(name)) continue;
    report({
      at: { pointer: `${pointer}/auth`, inside: name },
      code: "reserved-header",
      message:
        `\`${name}\` cannot carry credentials: the engine writes it for \`${step.kind}\``,
      hint: "choose another header field",
    });
  }
  for (const { name, pointer: at } of declaredHeaders(parts)) {
    if (!written.has(name.toLowerCase())) continue;
    report({
      at: { pointer: at, inside: name },
      code: "auth-header-clash",
      message:
        `step \`${step.id}\` declares the header \`${name}\`, which its \`${scheme.name}\` auth writes too`,
      hint: "remove the header, or opt out with `auth: { scheme: none }`",
    });
  }
}

function checkSecret(
  { value: text, pointer, variable: orVariable }: Extract<
    Part,
    { role: "secret" }
  >,
  scheme: AuthScheme,
  names: KnownNames,
  report: Report,
): void {
  const key = pointer.slice(pointer.lastIndexOf("/") + 1);
  const references = referencesOf(text);
  // A malformed template is reported where all templates are checked.
  if (!references) return;
  const whole = wholeReference(text);
  if (whole?.root === "env") return;
  const variable = orVariable && whole &&
    !names.pools.has(whole.root) && whole.root !== "user";
  // An unknown name is reported where all templates are checked.
  if (variable) return;
  const expected = orVariable
    ? "one {{ env.* }} template or one extracted variable"
    : "one {{ env.* }} template";
  report({
    at: pointer,
    code: "secret-not-env",
    message: `\`${key}\` must be exactly ${expected}, but it is ${
      kindOf(references, text, names)
    }`,
    hint: wayOut(key, text, references, scheme),
  });
}

function referencesOf(text: string): Reference[] | undefined {
  try {
    return parseTemplate(text).filter((part) => typeof part === "object");
  } catch {
    return undefined;
  }
}

function kindOf(
  references: readonly Reference[],
  text: string,
  names: KnownNames,
): string {
  const [first] = references;
  if (!first) return "a literal";
  if (!wholeReference(text)) return "a template with other text";
  return names.pools.has(first.root) || first.root === "user"
    ? "a fixture value"
    : "an extracted variable";
}

function wayOut(
  key: string,
  text: string,
  references: readonly Reference[],
  scheme: AuthScheme,
): string {
  const word = key === "value" ? scheme.name : key;
  const env = references.find(({ root }) => root === "env");
  const template = env ? quote(env) : `{{ env.${word.toUpperCase()} }}`;
  const [first = ""] = text.split(/\s/, 1);
  if (scheme.prefix && first.toLowerCase() === scheme.prefix.toLowerCase()) {
    return `the scheme writes \`${scheme.prefix}\` itself: ${template}`;
  }
  return `credentials come from the environment, so that they are redacted: ${template}`;
}
