import {
  isObject,
  type JsonObject,
  type JsonValue,
  setMember,
} from "../../../lib/base/values/json.ts";
import type { Draft, DraftStep } from "./draft.ts";
import { snakeCase, UniqueNames } from "./names.ts";
import { hasTemplate, shownText, textParts } from "./template_text.ts";

/** The pool whose one row holds texts with braces. */
export const LITERAL_POOL = "literal";

/**
 * The draft with its templates in braces. Braces that were imported stay text: in
 * a URL by their codes, elsewhere in a row of data, which is never read as a
 * template; what neither can say is left out and named.
 */
export function withLiteralBraces(draft: Draft): Draft {
  const texts = new LiteralTexts();
  const { auth } = draft;
  const steps = draft.steps.map((each) => finished(each, texts));
  return {
    ...draft,
    ...(auth && { auth: finishedAuth(auth, texts) }),
    steps,
    env: draft.env.map(({ name, about }) => ({
      name,
      about: shownText(about),
    })),
    notes: draft.notes.map(shownText),
    ...(texts.columns.size > 0 && {
      literals: Object.fromEntries(texts.columns),
    }),
  };
}

/** Texts with braces, by the column that holds them. */
class LiteralTexts {
  readonly columns = new Map<string, string>();
  readonly #byText = new Map<string, string>();
  readonly #names = new UniqueNames();

  /** The text as a template says it. */
  written(text: string, likeness: string): string {
    const parts = textParts(text);
    return parts.map((part, index) => {
      if (index % 2 === 1) return `{{ ${part} }}`;
      const isBefore = index < parts.length - 1;
      return opensTemplate(part, isBefore)
        ? `{{ ${LITERAL_POOL}.${this.#column(part, likeness)} }}`
        : part;
    }).join("");
  }

  #column(text: string, likeness: string): string {
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    const plain = snakeCase(likeness);
    const name = this.#names.of(/^[a-z]/.test(plain) ? plain : "text");
    this.#byText.set(text, name);
    this.columns.set(name, text);
    return name;
  }
}

/** Whether a literal text would be read as a template, or begin one. */
function opensTemplate(literal: string, isBeforeTemplate: boolean): boolean {
  return literal.includes("{{") || (isBeforeTemplate && literal.endsWith("{"));
}

function finished(step: DraftStep, texts: LiteralTexts): DraftStep {
  const { call, graphql, headers = {}, body, auth } = step;
  const { form, multipart, text } = step;
  const query = splitQuery(step.query ?? {});
  const lost: string[] = [];
  const leaves = (value: JsonValue, key: string) =>
    finishedJson(value, key, texts, lost);
  return {
    ...step,
    ...(call !== undefined && { call: urlWith(call, query.inUrl) }),
    ...(graphql && { graphql: finishedGraphql(graphql, leaves) }),
    headers: Object.fromEntries(
      Object.entries(headers).map((
        [name, value],
      ) => [name, texts.written(value, name)]),
    ),
    query: query.map,
    ...(body !== undefined && { body: leaves(body, "body") }),
    ...(form && { form: leaves(form, "form") as JsonObject }),
    ...(multipart &&
      { multipart: leaves(multipart, "multipart") as JsonObject }),
    ...(text !== undefined && { text: texts.written(text, "text") }),
    ...(auth && { auth: finishedAuth(auth, texts) }),
    comments: step.comments.map(shownText),
    lost: [...step.lost.map(shownText), ...lost],
  };
}

/** `METHOD URL` with more parameters. */
function urlWith(call: string, more: readonly string[]): string {
  const at = call.indexOf(" ") + 1;
  const url = finishedUrl(call.slice(at));
  const separator = url.includes("?") ? "&" : "?";
  return call.slice(0, at) + url +
    (more.length > 0 ? separator + more.join("&") : "");
}

function finishedUrl(url: string): string {
  return textParts(url).map((part, index) =>
    index % 2 === 1
      ? `{{ ${part} }}`
      : part.replaceAll(NOT_IN_URL, (each) => encodeURIComponent(each))
  ).join("");
}

// deno-lint-ignore no-control-regex
const NOT_IN_URL = /[\x00-\x20\x7f-\xa0"<>\\^`{|}\u2028\u2029]/g;

/** Parameters with braces are written into the URL; the others are a mapping. */
function splitQuery(query: Readonly<Record<string, JsonValue>>) {
  const map: Record<string, JsonValue> = {};
  const inUrl: string[] = [];
  for (const [name, value] of Object.entries(query)) {
    const values = [value].flat().map(String);
    const opens = values.some((each) =>
      textParts(each).some((part, index, all) =>
        index % 2 === 0 && opensTemplate(part, index < all.length - 1)
      )
    );
    if (opens || hasTemplate(name) || name.includes("{{")) {
      inUrl.push(...values.map((each) => `${encoded(name)}=${encoded(each)}`));
    } else {
      setMember(
        map,
        name,
        Array.isArray(value)
          ? value.map((each) =>
            typeof each === "string" ? shownText(each) : each
          )
          : typeof value === "string"
          ? shownText(value)
          : value,
      );
    }
  }
  return { map, inUrl };
}

function encoded(text: string): string {
  return textParts(text).map((part, index) =>
    index % 2 === 1 ? `{{ ${part} }}` : encodeURIComponent(part.toWellFormed())
  ).join("");
}

function finishedGraphql(
  { url, variables, ...rest }: JsonObject,
  leaves: (value: JsonValue, key: string) => JsonValue,
): JsonObject {
  return {
    url: finishedUrl(String(url)),
    ...rest,
    ...(variables !== undefined && {
      variables: leaves(variables, "variables"),
    }),
  };
}

function finishedAuth(auth: JsonObject, texts: LiteralTexts): JsonObject {
  const { token_url: url, ...rest } = auth;
  const fields = Object.entries(rest).map(([name, value]) => [
    name,
    typeof value === "string" ? texts.written(value, name) : value,
  ]);
  return {
    ...Object.fromEntries(fields.slice(0, 1)),
    ...(url !== undefined && { token_url: finishedUrl(String(url)) }),
    ...Object.fromEntries(fields.slice(1)),
  };
}

/** A body in the words of a flow; names what of it a flow cannot say. */
function finishedJson(
  value: JsonValue,
  key: string,
  texts: LiteralTexts,
  lost: string[],
): JsonValue {
  if (typeof value === "string") return texts.written(value, key);
  if (typeof value === "number" && !Number.isFinite(value)) {
    lost.push(`Field ${key} is null: its number is too large for JSON.`);
    return null;
  }
  if (Array.isArray(value)) {
    return value.map((each) => finishedJson(each, key, texts, lost));
  }
  if (!isObject(value)) return value;
  const object: Record<string, JsonValue> = {};
  for (const [name, each] of Object.entries(value)) {
    if (name.includes("{{")) {
      lost.push(`Left out field ${name}: names of fields hold no braces.`);
    } else {
      const plain = shownText(name).toWellFormed();
      setMember(object, plain, finishedJson(each, plain, texts, lost));
    }
  }
  return object;
}
