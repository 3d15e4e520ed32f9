import { percentDecoded } from "../../base/values/percent.ts";
import type { IrLocation, Report } from "../../base/text/diagnostic.ts";
import {
  badInValue,
  FRAMING_FIELDS,
  TOKEN,
} from "../../base/values/headers.ts";
import { child } from "../../base/values/json.ts";
import {
  parseTemplate,
  quote,
  type Reference,
  wholeReference,
} from "../expressions/template.ts";
import type { Part } from "../fields/field.ts";
import type { AuthScheme } from "../flow/registry.ts";
import {
  type CheckedStep,
  declaredHeaders,
  type KnownNames,
  type LoneStep,
  type Parts,
} from "./parts.ts";

/** Checks the header fields a step declares. */
export function checkHeaders(parts: Parts, report: Report): void {
  const first = new Map<string, string>();
  for (const { name, text: value, pointer: at } of declaredHeaders(parts)) {
    const lower = name.toLowerCase();
    const twin = first.get(lower);
    if (twin === undefined) first.set(lower, name);
    else {
      report({
        at: { pointer: at, key: name },
        code: "duplicate-header",
        message:
          `\`${twin}\` and \`${name}\` are the same header: letter case does not count`,
        hint: "keep one of them",
      });
    }
    if (!TOKEN.test(name)) reportName(name, at, report);
    else if (FRAMING_FIELDS.has(lower)) {
      report({
        at: { pointer: at, key: name },
        code: "framing-header",
        message:
          `\`${name}\` cannot be declared: the engine writes what frames a request`,
        hint: "remove the header",
      });
    }
    const bad = badInValue(value);
    if (bad !== undefined) {
      report({
        at,
        code: "bad-header",
        message: `the value of header \`${name}\` holds ${bad}`,
        hint: "a header is one line without control characters",
      });
    }
  }
}

function reportName(name: string, at: string, report: Report): void {
  report({
    at: { pointer: at, key: name },
    code: "bad-header",
    message: name === ""
      ? "a header's name cannot be empty"
      : `"${name}" is not a header name`,
    hint: name.includes("{{")
      ? "keys are not templated: put the template into the value"
      : "a header's name has letters, digits and !#$%&'*+-.^_`|~ only",
  });
}

/** Checks what an auth block that fits its scheme says: credentials are templates. */
export function checkCredentials(checked: CheckedStep): void {
  for (const part of checked.parts.of("secret")) checkSecret(part, checked);
  checkAuthValues(checked);
}

/** Checks what the fields of the scheme cannot. */
export function checkAuthValues(
  { step, pointer, scheme, hasWholeAuth, report }: LoneStep,
): void {
  for (const each of scheme?.check?.(step.auth!, hasWholeAuth) ?? []) {
    report({ ...each, at: `${pointer}/auth${each.at}` });
  }
}

/**
 * Refuses a header and a query parameter that both the step and its auth write,
 * and a credential that its request has no place for.
 */
export function checkAuthClash(checked: LoneStep): void {
  const { step, pointer, kind, scheme, parts, report } = checked;
  if (!scheme || !checked.hasWholeAuth) return;
  checkQueryClash(checked, new Set(scheme.queryNames?.(step.auth!)));
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
    const [key = ""] = Object.entries(step.auth!)
      .find(([, value]) => String(value).toLowerCase() === name) ?? [];
    report({
      at: key === "" ? `${pointer}/auth` : child(`${pointer}/auth`, key),
      code: "reserved-header",
      message:
        `\`${name}\` cannot carry credentials: the engine writes it for \`${step.kind}\``,
      hint: "choose another header field",
    });
  }
  for (const { name, pointer: at, text } of declaredHeaders(parts)) {
    clash(checked, written, "header", name, { pointer: at, key: name });
    if (name.toLowerCase() === "cookie") checkCookieClash(checked, at, text);
  }
}

/** Refuses a cookie that is written in the request and by its auth too. */
function checkCookieClash(checked: LoneStep, pointer: string, field: string) {
  const { scheme, step } = checked;
  const written = new Set(scheme!.cookieNames?.(step.auth!));
  for (const inside of field.split(";").map((pair) => pair.trim())) {
    const name = inside.replace(/=.*$/s, "");
    clash(checked, written, "cookie", name, { pointer, inside });
  }
}

/** Refuses a query parameter that is written in the request and by its auth too. */
function checkQueryClash(
  checked: LoneStep,
  written: ReadonlySet<string>,
): void {
  const { parts } = checked;
  const what = "query parameter";
  for (const { pointer: above, value } of parts.of("query")) {
    for (const name of Object.keys(value)) {
      const pointer = child(above, name);
      clash(checked, written, what, name, { pointer, key: name });
    }
  }
  for (const { pointer, value } of parts.of("url")) {
    const query = /^[^?#]*\?([^#]*)/.exec(value)?.[1] ?? "";
    for (const inside of query.split("&")) {
      const name = percentDecoded(inside.replace(/=.*$/s, ""));
      clash(checked, written, what, name, { pointer, inside });
    }
  }
}

const CLASHES = {
  header: "auth-header-clash",
  cookie: "auth-cookie-clash",
  "query parameter": "auth-query-clash",
};

/** Refuses what both a step and its auth write: which of the two counts would be the server's choice. */
function clash(
  { step, report }: LoneStep,
  written: ReadonlySet<string>,
  what: keyof typeof CLASHES,
  name: string,
  at: IrLocation,
): void {
  if (!written.has(what === "header" ? name.toLowerCase() : name)) return;
  report({
    at,
    code: CLASHES[what],
    message:
      `step \`${step.id}\` declares the ${what} \`${name}\`, which its \`${
        step.auth!.scheme
      }\` auth writes too`,
    hint: "remove it, or opt out with `auth: { scheme: none }`",
  });
}

function checkSecret(
  { value: text, pointer, variable: orVariable }: Extract<
    Part,
    { role: "secret" }
  >,
  { scheme, names, report }: CheckedStep,
): void {
  const key = pointer.slice(pointer.lastIndexOf("/") + 1);
  const references = referencesOf(text);
  // A malformed template is reported where all templates are checked.
  if (!references) return;
  const whole = wholeReference(text);
  if (whole?.root === "env") return;
  // An unknown name is reported where all templates are checked.
  if (orVariable && whole && !isFixture(whole, names)) return;
  const expected = orVariable
    ? "one {{ env.* }} template or one extracted variable"
    : "one {{ env.* }} template";
  report({
    at: pointer,
    code: "secret-not-env",
    message: `\`${key}\` must be exactly ${expected}, but it is ${
      kindOf(references, text, names)
    }`,
    hint: wayOut(key, text, references, scheme!),
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
  if (isFixture(first, names)) return "a fixture value";
  return names.values.has(first.root)
    ? "a value that is drawn"
    : "an extracted variable";
}

function isFixture({ root }: Reference, { pools }: KnownNames): boolean {
  return pools.has(root) || root === "user";
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
