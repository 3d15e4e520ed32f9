import { readJson } from "../../../lib/base/values/read_json.ts";
import { canonical } from "../../../lib/base/values/canonical.ts";
import {
  isDeeper,
  type JsonLeaf,
  withLeaves,
} from "../../../lib/base/values/json_leaves.ts";
import type { JsonValue } from "../../../lib/base/values/json.ts";
import { OPERATION } from "./graphql_block.ts";
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

/** Values that are variables, replaced wherever they stand in other text. */
export class KnownValues {
  readonly #references = new Map<string, string>();
  readonly #pattern: RegExp | undefined;

  constructor(values: Iterable<NamedValue> = []) {
    for (const [value, reference] of values) {
      if (value.length < SHORTEST || /^(?:true|false|null)$/.test(value)) {
        continue;
      }
      for (const form of formsOf(value)) {
        if (!this.#references.has(form)) this.#references.set(form, reference);
      }
    }
    const forms = [...this.#references.keys()]
      .sort((a, b) => b.length - a.length);
    if (forms.length > 0) {
      this.#pattern = new RegExp(forms.map(patternOf).join("|"), "g");
    }
  }

  /** The text with variables in place of what is known. */
  replaced(text: string): string {
    const pattern = this.#pattern;
    if (!pattern) return text;
    return changeLiterals(text, (literal) =>
      literal.replaceAll(
        pattern,
        (found) => template(this.#references.get(found)!),
      ));
  }

  /** Whether something of it is in the text. */
  isIn(text: string): boolean {
    return this.replaced(text) !== text;
  }
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

function patternOf(value: string): string {
  const literal = RegExp.escape(value);
  return value.length < TELLING
    ? `(?<![A-Za-z\\d])${literal}(?![A-Za-z\\d])`
    : literal;
}

/** `password: "x"` in a GraphQL document, also as the default of a variable. */
const GRAPHQL_ARGUMENT =
  /\b([A-Za-z_]\w*)(\s*:\s*(?:[\w![\]]+\s*=\s*)?)("""|")((?:(?!\3)(?:\\[^]|[^\\]))*)\3/g;
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
  if (text.length > LONGEST || hasTemplate(text)) return text;
  const hide = (value: string, name: string) =>
    env.templateOf(value, name, `${name} in ${about}`);
  const inJson = hiddenInJson(text, hide);
  if (inJson !== undefined) return inJson;
  if (OPERATION.test(text)) {
    return text.replaceAll(
      GRAPHQL_ARGUMENT,
      (all, name: string, between: string, quote: string, value: string) =>
        value !== "" && isCredentialField([name], value)
          ? name + between + quote + hide(value, name) + quote
          : all,
    );
  }
  return text.replaceAll(
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
