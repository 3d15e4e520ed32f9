import { Buffer } from "node:buffer";
import type { Report } from "../../base/text/diagnostic.ts";
import { isCredentialField } from "../../base/values/headers.ts";
import { child, leavesOf } from "../../base/values/json.ts";
import type { Registry } from "../flow/registry.ts";
import type { Flow } from "../ir.ts";
import {
  namesCredential,
  namesSessionCookie,
  parameterHoldsCredential,
} from "../source/credentials.ts";
import {
  declaredHeaders,
  flowParts,
  type Parts,
  type PlacedString,
} from "./parts.ts";
import { resolveText } from "./resolved.ts";

/**
 * The strings of a valid flow that are credentials and nothing else: secrets of
 * auth schemes, and the values of such headers.
 */
export function flowCredentials(
  flow: Flow,
  registry: Registry,
): readonly PlacedString[] {
  return flowParts(flow, registry).flatMap(({ parts }) => [
    ...parts.of("secret").map(({ pointer, value: text }) => ({
      pointer,
      text,
    })),
    ...credentialHeaders(parts),
  ]);
}

/**
 * The texts that a flow sends as credentials: secrets of auth schemes, and what it
 * sends under a name that people keep credentials under.
 */
export function sentCredentials(
  flow: Flow,
  registry: Registry,
): readonly string[] {
  return flowParts(flow, registry).flatMap(({ parts }) => [
    ...parts.of("secret").map(({ value }) => value),
    ...credentialsByName(parts).map(({ text }) => text),
  ]);
}

/** Warns of credentials that are written out in a step, or among values. */
export function checkLiteralCredentials(
  where: Parts | Pick<Flow, "values">,
  report: Report,
): void {
  const literals = "all" in where
    ? writtenCredentials(where)
    : literalsOfValues(where);
  for (const { what, name, text, pointer, mark } of literals) {
    report({
      at: { pointer, ...mark },
      code: "literal-credential",
      message: `${what} holds a literal credential`,
      hint: wayOut(name, text.trim()),
      severity: "warning",
    });
  }
}

/**
 * The credentials that are written out in a flow, or in its headers once the
 * environment is in them, which are secrets all the same: the value of the field, that
 * value without its scheme, the password of HTTP Basic, and as it is when a URL has it
 * percent-encoded.
 */
export function literalCredentials(
  flow: Flow,
  registry: Registry,
  env: ReadonlyMap<string, string>,
): readonly string[] {
  const steps = flowParts(flow, registry)
    .flatMap(({ parts }) =>
      literalsOf(parts, (text) => resolveText(text, env))
    );
  return [...steps, ...literalsOfValues(flow)]
    .map(({ text }) => text.trim())
    .flatMap((value) => [
      value,
      value.replace(/^[\w-]+ +(?=\S)/, ""),
      basicPassword(value),
      unescape(value),
    ]);
}

/** Empty where there is none. */
function basicPassword(value: string): string {
  const [, blob = ""] = /^basic +(\S+)$/i.exec(value) ?? [];
  const [, password = ""] =
    /^[^:]*:(.*)$/s.exec(Buffer.from(blob, "base64").toString()) ?? [];
  return password;
}

function unescape(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

/** A text under a name of credentials. */
interface NamedCredential extends PlacedString {
  /** Where it is, in words. */
  readonly what: string;
  /** Of the field that has it. */
  readonly name: string;
  /** The part, or the key, that a diagnostic marks at its pointer. */
  readonly mark?: { readonly inside: string } | { readonly key: string };
  /** It is a query parameter. */
  readonly inQuery?: true;
}

function credentialHeaders(parts: Parts) {
  return declaredHeaders(parts).filter(({ name }) => isCredentialField(name));
}

/** How other tools write a value within a text. */
export const PLACEHOLDER = /[$#]\{([A-Za-z_][\w.-]*)\}/g;

/** The credentials of a step that are written out, but for what stands for one elsewhere: `Bearer ${token}`. */
export function writtenCredentials(parts: Parts): NamedCredential[] {
  return literalsOf(parts).filter(({ text }) =>
    text.trim().replace(/^[\w-]+ +(?=\S)/, "")
      .replaceAll(PLACEHOLDER, "") !== ""
  );
}

/** The credentials of a step, by their names, that are written out. */
function literalsOf(
  parts: Parts,
  resolved?: (text: string) => string,
): NamedCredential[] {
  return credentialsByName(parts, resolved)
    .filter(({ text }) => !text.includes("{{"));
}

/** Every text of a step under a name that people keep credentials under. */
function credentialsByName(
  parts: Parts,
  resolved = (text: string) => text,
): NamedCredential[] {
  const all: NamedCredential[] = [
    ...declaredHeaders(parts)
      .map((each) => ({ ...each, text: resolved(each.text) }))
      .flatMap(credentialsOfHeader),
    ...parts.of("query").flatMap(({ value, pointer }) =>
      Object.entries(value).flatMap(([name, values]) =>
        [values].flat().map((text) => ({
          what: `the query parameter \`${name}\``,
          name,
          text: String(text),
          pointer: child(pointer, name),
          mark: { key: name },
          inQuery: true as const,
        }))
      )
    ),
    ...parts.of("url").flatMap(({ value, pointer }) =>
      [...value.matchAll(/[?&]([^?&#={}]+)=([^&#]*)/g)].map((
        [written, name = "", text = ""],
      ) => ({
        what: `the query parameter \`${name}\``,
        name,
        text,
        pointer,
        mark: { inside: written.slice(1) },
        inQuery: true as const,
      }))
    ),
    ...parts.of("template").flatMap(({ value, pointer, name = "" }) =>
      [...leavesOf(value, [], name)].flatMap(({ value, key, path }) =>
        typeof value === "string"
          ? [{
            what: `\`${key}\``,
            name: key,
            text: value,
            pointer: path.reduce<string>(child, pointer),
          }]
          : []
      )
    ),
  ];
  return all.filter(({ name, text, inQuery }) =>
    namesSecret(name, inQuery && unescape(text)) && text.trim() !== ""
  );
}

/** The texts of values that are called like a credential. */
function literalsOfValues(
  { values = [] }: Pick<Flow, "values">,
): NamedCredential[] {
  return values.flatMap((value, index) => {
    const { name, kind } = value;
    const isLiteral = kind === "text" && namesSecret(name) &&
      value.text.trim() !== "" && !value.text.includes("{{");
    const pointer = `/values/${index}/text`;
    return isLiteral
      ? [{ what: `the value \`${name}\``, name, text: value.text, pointer }]
      : [];
  });
}

/** Of a `Cookie` header the cookies, as far as they are credentials by their names. */
function credentialsOfHeader(
  { name, text, pointer }: PlacedString & { readonly name: string },
): NamedCredential[] {
  const header = {
    what: `the header \`${name}\``,
    name,
    text,
    pointer,
    mark: { key: name },
  };
  if (name.toLowerCase() !== "cookie") return [header];
  return text.split(";").flatMap((pair) => {
    const [, cookie = "", value = ""] = /^\s*([^=]*)=(.*)$/.exec(pair) ?? [];
    return namesSessionCookie(cookie) || namesSecret(cookie)
      ? [{ ...header, text: value }]
      : [];
  });
}

/** Tokens that say where a list goes on, or which request it is. */
const NO_SECRET =
  /(?:page|next|previous|prev|continuation|continue|sync|cursor|start|end|max|min|idempotency|request)[_-]?tokens?$/i;

/** @param inQuery the value of a query parameter */
function namesSecret(name: string, inQuery?: string): boolean {
  const isNamed = inQuery === undefined
    ? namesCredential(name)
    : parameterHoldsCredential(name, inQuery);
  return isCredentialField(name) || isNamed && !NO_SECRET.test(name);
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
