import * as v from "valibot";
import { schemes } from "../../steps/auth/registry.ts";
import type { Scheme } from "../../steps/auth/scheme.ts";
import {
  parseTemplate,
  type Reference,
  wholeReference,
} from "../expressions/template.ts";
import { describeIssues } from "../../model/ir/issues.ts";
import type { Step } from "../../model/ir/flow.ts";
import type { Report } from "../../base/text/diagnostic.ts";
import type { JsonObject } from "../../base/values/json.ts";
import { protocols } from "../../steps/registry.ts";
import { child } from "../../base/values/pointer.ts";
import { checkQueryClash } from "./auth_query.ts";
import type { KnownNames } from "./known_names.ts";

/**
 * Checks the shape of a step's auth block.
 *
 * @returns its scheme, when the block fits it
 */
export function checkAuthBlock(
  auth: JsonObject,
  pointer: string,
  report: Report,
): Scheme | undefined {
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
  const result = v.safeParse(scheme.schema, auth);
  if (result.success) return scheme;
  for (const each of describeIssues(result.issues)) {
    report({ ...each, at: pointer + each.at });
  }
}

/** Checks what an auth block that fits its scheme says: credentials are templates. */
export function checkCredentials(
  auth: JsonObject,
  scheme: Scheme,
  pointer: string,
  names: KnownNames,
  report: Report,
): void {
  for (const key of scheme.secrets) {
    const value = auth[key];
    if (typeof value === "string") {
      checkSecret(value, key, scheme, child(pointer, key), names, report);
    }
  }
  for (const each of scheme.check(auth)) {
    report({ ...each, at: pointer + each.at });
  }
}

/** Refuses a header and a query parameter that both the step and its auth write. */
export function checkAuthClash(
  step: Step,
  scheme: Scheme,
  pointer: string,
  report: Report,
): void {
  checkQueryClash(step, scheme, pointer, report);
  const written = new Set(scheme.headerNames(step.auth!));
  const protocol = protocols.get(step.kind);
  for (const name of written) {
    if (!protocol?.reserves?.(name)) continue;
    report({
      at: { pointer: `${pointer}/auth`, inside: name },
      code: "reserved-header",
      message:
        `\`${name}\` cannot carry credentials: the engine writes it for \`${step.kind}\``,
      hint: "choose another header field",
    });
  }
  const declared = step.block.headers;
  if (typeof declared !== "object" || declared === null) return;
  for (const name of Object.keys(declared)) {
    if (!written.has(name.toLowerCase())) continue;
    report({
      at: { pointer: child(`${pointer}/block/headers`, name), inside: name },
      code: "auth-header-clash",
      message:
        `step \`${step.id}\` declares the header \`${name}\`, which its \`${scheme.name}\` auth writes too`,
      hint: "remove the header, or opt out with `auth: { scheme: none }`",
    });
  }
}

function checkSecret(
  text: string,
  key: string,
  scheme: Scheme,
  pointer: string,
  names: KnownNames,
  report: Report,
): void {
  const references = referencesOf(text);
  // A malformed template is reported where all templates are checked.
  if (!references) return;
  const whole = wholeReference(text);
  if (whole?.root === "env") return;
  const variable = scheme.allowsVariable && whole &&
    !names.pools.has(whole.root) && whole.root !== "user";
  // An unknown name is reported where all templates are checked.
  if (variable) return;
  const wanted = scheme.allowsVariable
    ? "one {{ env.* }} template or one extracted variable"
    : "one {{ env.* }} template";
  report({
    at: pointer,
    code: "secret-not-env",
    message: `\`${key}\` must be exactly ${wanted}, but it is ${
      kindOf(references, text, names)
    }`,
    hint: wayOut(key, text, scheme),
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

function wayOut(key: string, text: string, scheme: Scheme): string {
  const word = key === "value" ? scheme.name : key;
  const name = /\{\{ (env\.[^ }]+) \}\}/.exec(text)?.[1] ??
    `env.${word.toUpperCase()}`;
  if (scheme.name === "bearer" && /^Bearer\s/i.test(text)) {
    return `the scheme writes \`Bearer\` itself: {{ ${name} }}`;
  }
  return `credentials come from the environment, so that they are redacted: {{ ${name} }}`;
}
