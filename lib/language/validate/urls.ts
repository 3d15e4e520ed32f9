import type { Report, Wording } from "../../base/text/diagnostic.ts";
import { elsewhere } from "../expressions/elsewhere.ts";
import { asTemplate, ONE_BRACE } from "../expressions/one_brace.ts";
import { OPERATORS } from "../expressions/operator.ts";
import type { Registry } from "../flow/registry.ts";
import type { Flow } from "../ir.ts";
import { PLACEHOLDER, writtenCredentials } from "./credentials.ts";
import {
  type CheckedStep,
  flowParts,
  type KnownNames,
  type Parts,
  type PlacedString,
  templatedStrings,
} from "./parts.ts";

/** A user before the host of an absolute URL. */
const USER = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*@/;

/** Refuses URLs with a user in them, whether their hosts are known or not. */
export function checkUserinfo(parts: Parts, report: Report): void {
  for (const { pointer, value: url } of parts.of("url")) {
    if (!USER.test(url)) continue;
    report({
      at: { pointer, inside: url },
      code: "userinfo",
      message: "a URL cannot hold a user or a password before its host",
      hint: "put credentials into `auth`, with {{ env.* }} templates",
    });
  }
}

const NAME = "([A-Za-z_][\\w.-]*)";
/** How other tools and API descriptions write a value that is put into a URL. */
const IN_PATH = new RegExp(
  `(?<![{$])\\{${NAME}\\}(?!\\})|<${NAME}>|(?<=/):${NAME}(?=/|$)`,
  "g",
);
/** The whole value of a parameter. */
const IN_QUERY = new RegExp(
  `(?<==)(?:\\{${NAME}\\}|<${NAME}>|:${NAME})(?=&|#|$)`,
  "g",
);

/** Warns of what looks like a template of another language, and is text. */
export function checkPlaceholders(checked: CheckedStep): void {
  const { step, pointer: at, parts, names, report } = checked;
  const urls = parts.of("url");
  // For a credential that is written out its own rule says how to write it.
  const said = new Set(
    [...urls, ...parts.of("secret"), ...writtenCredentials(parts)]
      .map(({ pointer }) => pointer),
  );
  const others = [...templatedStrings(step, at, parts)]
    .filter(({ pointer }) => !said.has(pointer));
  const texts = [
    ...urls.map(({ pointer, value }) => ({ pointer, found: inUrl(value) })),
    ...[...others, ...comparedTexts(checked)].map(({ pointer, text }) => ({
      pointer,
      found: [...text.matchAll(PLACEHOLDER), ...oneBrace(text, names)],
    })),
  ];
  const inUrls = new Set(urls.map(({ pointer }) => pointer));
  for (const { pointer, found } of texts) {
    const all = new Map(
      found.map(([written, ...captured]) => [
        written,
        captured.find((each) => each !== undefined)!,
      ]),
    );
    for (const [written, name] of all) {
      const becomes = written.startsWith("#") && inUrls.has(pointer)
        ? "begins a fragment, which is not sent"
        : /\/(?:assert|until|match)\b/.test(pointer)
        ? "is compared as it is"
        : "is sent as it is";
      report({
        at: { pointer, inside: written },
        code: "placeholder",
        message: `\`${written}\` ${becomes}: it is not a template`,
        hint: elsewhere("template", name) ??
          asTemplate(written, meantBy(name, names)),
        severity: "warning",
      });
    }
  }
}

/** The texts on the right of assertions; in a pattern, `$` and braces say something else. */
function comparedTexts({ step, pointer, parts }: CheckedStep): PlacedString[] {
  const all = [
    ...(step.assert ?? []).map((value, at) => ({
      pointer: `${pointer}/assert/${at}`,
      value,
    })),
    ...parts.of("assertion"),
  ];
  return all.flatMap(({ pointer, value: { op, value: text } }) =>
    typeof text === "string" && OPERATORS[op].takes !== "a pattern"
      ? [{ pointer, text }]
      : []
  );
}

function inUrl(url: string): RegExpExecArray[] {
  const [, path = "", query = ""] =
    /^((?:[A-Za-z][\w+.-]*:\/\/[^/?#]*)?[^?#]*)(.*)$/s.exec(url)!;
  return [
    ...url.matchAll(PLACEHOLDER),
    ...path.replace(/^[A-Za-z][\w+.-]*:\/\/[^/]*/, "").matchAll(IN_PATH),
    ...query.matchAll(IN_QUERY),
  ];
}

/** References in one brace: a text may well have others. */
function oneBrace(text: string, names: KnownNames): RegExpExecArray[] {
  return [...text.matchAll(ONE_BRACE)].filter(([, name = ""]) => {
    const [root = "", member] = name.split(".");
    return names.extractedBy.has(root) ||
      (member !== undefined && (root === "env" || names.pools.has(root)));
  });
}

/** The reference that a name stands for. */
function meantBy(name: string, names: KnownNames): string {
  const [root = ""] = name.split(".");
  if (names.extractedBy.has(root) || names.pools.has(root)) return name;
  if (name.startsWith("env.")) return name;
  if (/^[A-Z][A-Z0-9_]*$/.test(name)) return `env.${name}`;
  return names.pools.has("user") ? `user.${name}` : name;
}

/**
 * Checks every URL of a flow whose host is known before the run: request
 * URLs and OAuth2 token URLs. A URL whose host is a template is checked when
 * it is used. Relative URLs are handed over as they are written.
 *
 * @param refusal what is wrong with a URL; undefined when it may be contacted
 */
export function checkHosts(
  flow: Flow,
  registry: Registry,
  refusal: (url: string) => Wording | undefined,
  report: Report,
): void {
  const urls = flowParts(flow, registry)
    .flatMap(({ parts }) => parts.of("url"));
  for (const { value: url, pointer } of urls) {
    const known = knownPart(url);
    const refused = known === undefined ? undefined : refusal(known);
    if (!refused) continue;
    const at = { pointer, inside: url };
    report({ ...refused, at, code: "forbidden-host" });
  }
}

/** The URLs of a valid flow, with their templates. */
export function flowUrls(flow: Flow, registry: Registry): readonly string[] {
  return flowParts(flow, registry).flatMap(({ parts }) =>
    parts.of("url").map(({ value }) => value)
  );
}

/** The URLs, each once, that a valid flow's credentials are fetched from. */
export function tokenUrls(
  flow: Flow,
  registry: Registry,
): ReadonlySet<string> {
  const urls = flowParts(flow, registry).flatMap(({ pointer, parts }) =>
    parts.of("url").filter((url) => url.pointer.startsWith(`${pointer}/auth/`))
  );
  return new Set(urls.map(({ value }) => value));
}

/** The URL up to its first template, when the host is before that. */
function knownPart(url: string): string | undefined {
  const template = url.indexOf("{{");
  if (template < 0) return url;
  const known = url.slice(0, template);
  return /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]+[/?#]/.test(known) ||
      /^\/[^/]/.test(known)
    ? known
    : undefined;
}
