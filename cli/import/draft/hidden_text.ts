import { readJson } from "../../../lib/base/values/read_json.ts";
import { canonical } from "../../../lib/base/values/canonical.ts";
import {
  isDeeper,
  type JsonLeaf,
  type JsonValue,
  withLeaves,
} from "../../../lib/base/values/json.ts";
import {
  type EnvNames,
  isCredential,
  isCredentialField,
  type NamedValue,
} from "./credentials.ts";
import { MOST_LEVELS } from "./http_request.ts";
import { changeLiterals, hasTemplate, template } from "./template_text.ts";

/** A shorter value is equal to another by accident. */
const SHORTEST = 4;
/** From here on a value is itself, whatever is around it. */
const TELLING = 8;
/** `admin`, `password`, `string`: as likely the name of something else as the credential. */
const WORD = /^[A-Za-z]{1,11}$/;

/** Values that are variables, replaced wherever they are in other text. */
export class KnownValues {
  /** Forms of values, longest first, by how they begin. */
  readonly #byStart = new Map<string, NamedValue[]>();

  /** @param beyond replaced after these */
  constructor(
    values: Iterable<NamedValue> = [],
    readonly beyond?: KnownValues,
  ) {
    const seen = new Set<string>();
    for (const [value, reference] of values) {
      if (value.length < SHORTEST || WORD.test(value)) continue;
      for (const form of formsOf(value)) {
        if (seen.has(form)) continue;
        seen.add(form);
        const start = form.slice(0, SHORTEST);
        const list = this.#byStart.get(start);
        if (list) list.push([form, reference]);
        else this.#byStart.set(start, [[form, reference]]);
      }
    }
    for (const list of this.#byStart.values()) {
      list.sort(([a], [b]) => b.length - a.length);
    }
  }

  /** The text with variables in place of what is known. */
  replaced(text: string): string {
    const own = this.#byStart.size === 0
      ? text
      : changeLiterals(text, (literal) => this.#replacedIn(literal));
    return this.beyond?.replaced(own) ?? own;
  }

  #replacedIn(text: string): string {
    let written = "";
    let from = 0;
    for (let at = 0; at + SHORTEST <= text.length; at++) {
      const found = this.#byStart.get(text.slice(at, at + SHORTEST))
        ?.find(([form]) =>
          text.startsWith(form, at) && isApart(text, at, form)
        );
      if (!found) continue;
      written += text.slice(from, at) + template(found[1]);
      from = at + found[0].length;
      at = from - 1;
    }
    return written + text.slice(from);
  }

  /** Whether something of it is in the text. */
  isIn(text: string): boolean {
    return this.replaced(text) !== text;
  }
}

/** Whether a short value is a word of its own. */
function isApart(text: string, at: number, form: string): boolean {
  return form.length >= TELLING ||
    !/[A-Za-z\d]/.test(
      (text[at - 1] ?? "") + (text[at + form.length] ?? ""),
    );
}

/** A value as JSON, URLs and forms write it. */
function formsOf(value: string): string[] {
  const inUrl = encodeURIComponent(value);
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    inUrl,
    inUrl.replaceAll("%20", "+"),
  ];
}

/**
 * `password: "x"` in a GraphQL document, also as the default of a variable, and
 * `"password": "x"` in what would be JSON without the templates in it, and
 * `password="x"` in XML. Names have an end: in `a-a-a-` each letter could begin one.
 */
const MEMBER =
  /\b([A-Za-z_][\w-]{0,79})("?\s*[:=]\s*(?:[\w![\]]+\s*=\s*)?)("""|")((?:(?!\3)(?:\\[^]|[^\\]))*)\3/g;
/** `<password>x</password>` */
const ELEMENT = /(<(?:[\w.-]+:)?([\w.-]{1,80})(?:\s[^<>]*)?>)([^<>]+)(?=<\/)/g;
/** `password=x` in a URL or a form that is part of a text. */
const PARAMETER = /(^|[?&;\s])([\w.~[\]-]{1,80})=([^&;#\s"'<>]+)/g;
/** Who a URL is for. */
const USERINFO = /(:\/\/)([^\s/?#@:"'<>]{1,200}):([^\s/?#@"'<>]{1,200})(?=@)/g;

/**
 * A text of a body with variables in place of credentials inside it: in a GraphQL
 * document, in JSON, in URLs and forms. It was checked as a whole before.
 */
export function hiddenInside(
  text: string,
  env: EnvNames,
  about: string,
): string {
  if (text.length > LONGEST) return text;
  if (hasTemplate(text)) {
    return changeLiterals(text, (each) => hiddenInside(each, env, about));
  }
  const hide = (value: string, name: string) =>
    env.templateOf(value, name, `${name} in ${about}`);
  const inJson = hiddenInJson(text, hide);
  if (inJson !== undefined) return inJson;
  return text.replaceAll(
    MEMBER,
    (all, name: string, between: string, quote: string, value: string) =>
      value !== "" && isCredentialField([name], value)
        ? name + between + quote + hide(value, name) + quote
        : all,
  ).replaceAll(
    ELEMENT,
    (all, tag: string, name: string, value: string) =>
      value.trim() !== "" && isCredentialField([name], value)
        ? tag + hide(value, name)
        : all,
  ).replaceAll(
    USERINFO,
    (_, start: string, user: string, word: string) =>
      `${start}${hide(user, "API_USERNAME")}:${hide(word, "API_PASSWORD")}`,
  ).replaceAll(
    PARAMETER,
    (all, before: string, name: string, value: string) =>
      isCredential(name, value) && !hasTemplate(value)
        ? `${before}${name}=${hide(value, name)}`
        : all,
  );
}

const LONGEST = 1 << 20;

/** JSON inside a text, written anew where a credential is in it; undefined when it is none. */
function hiddenInJson(
  text: string,
  hide: (value: string, name: string) => string,
): string | undefined {
  if (!/^\s*[[{]/.test(text)) return;
  let value: JsonValue;
  try {
    value = readJson(text);
  } catch {
    return;
  }
  if (isDeeper(value, MOST_LEVELS)) return text;
  let changed = false;
  const hidden = withLeaves(value, (leaf) => {
    const content = typeof leaf.value === "string"
      ? JSON.stringify(leaf.value).slice(1, -1)
      : String(leaf.value);
    if (!isCredentialLeaf(leaf)) return leaf.value;
    changed = true;
    return hide(content, leaf.key);
  });
  return changed ? canonical(hidden) : text;
}

/** Whether a value in JSON is a credential, by its names or its looks. */
export function isCredentialLeaf({ value, path }: JsonLeaf): boolean {
  return typeof value !== "boolean" && value !== null && value !== "" &&
    isCredentialField(path, String(value));
}
