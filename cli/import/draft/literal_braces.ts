import {
  isObject,
  type JsonObject,
  type JsonValue,
  setMember,
} from "../../../lib/base/values/json.ts";
import type { Draft, DraftStep } from "./draft.ts";
import {
  parseReference,
  writeTemplate,
} from "../../../lib/language/expressions/template.ts";
import { hasTemplate, shownText, textParts } from "./template_text.ts";

/**
 * The draft with its templates in braces. Braces that were imported stay text: in
 * a URL by their codes, elsewhere as version 1 of the flow file says them; names
 * that hold them are left out and named.
 */
export function withLiteralBraces(draft: Draft): Draft {
  const { auth } = draft;
  return {
    ...draft,
    ...(auth && { auth: finishedAuth(auth) }),
    steps: draft.steps.map(finished),
    env: draft.env.map(({ name, about }) => ({
      name,
      about: shownText(about),
    })),
    notes: draft.notes.map(shownText),
  };
}

/** The text as a template says it. */
function written(text: string): string {
  return writeTemplate(
    textParts(text).map((part, index) =>
      index % 2 === 1 ? parseReference(part)! : part
    ),
  );
}

function finished(step: DraftStep): DraftStep {
  const { call, graphql, headers = {}, body, auth } = step;
  const { form, multipart, text } = step;
  const query = splitQuery(step.query ?? {}, graphql !== undefined);
  const lost: string[] = [];
  const leaves = (value: JsonValue, key: string) =>
    finishedJson(value, key, lost);
  return {
    ...step,
    ...(call !== undefined && { call: callWith(call, query.inUrl) }),
    ...(graphql &&
      { graphql: finishedGraphql(graphql, leaves, query.inUrl) }),
    headers: Object.fromEntries(
      Object.entries(headers).map((
        [name, value],
      ) => [name, written(value)]),
    ),
    query: query.map,
    ...(body !== undefined && { body: leaves(body, "body") }),
    ...(form && { form: leaves(form, "form") as JsonObject }),
    ...(multipart &&
      { multipart: leaves(multipart, "multipart") as JsonObject }),
    ...(text !== undefined && { text: written(text) }),
    ...(auth && { auth: finishedAuth(auth) }),
    comments: step.comments.map(shownText),
    lost: [...step.lost.map(shownText), ...lost],
  };
}

/** `METHOD URL` with more parameters. */
function callWith(call: string, more: readonly string[]): string {
  const at = call.indexOf(" ") + 1;
  return call.slice(0, at) + finishedUrl(call.slice(at), more);
}

function finishedUrl(text: string, more: readonly string[] = []): string {
  const url = textParts(text).map((part, index) =>
    index % 2 === 1
      ? `{{ ${part} }}`
      : part.replaceAll(NOT_IN_URL, (each) => encodeURIComponent(each))
  ).join("");
  if (more.length === 0) return url;
  return url + (url.includes("?") ? "&" : "?") + more.join("&");
}

// deno-lint-ignore no-control-regex
const NOT_IN_URL = /[\x00-\x20\x7f-\xa0"<>\\^`{|}\u2028\u2029]/g;

/**
 * Parameters with braces in their names are written into the URL, and all of a
 * GraphQL step, which has no mapping; the others are one.
 */
function splitQuery(
  query: Readonly<Record<string, JsonValue>>,
  isGraphql: boolean,
) {
  const map: Record<string, JsonValue> = {};
  const inUrl: string[] = [];
  for (const [name, value] of Object.entries(query)) {
    const values = [value].flat().map(String);
    if (isGraphql || hasTemplate(name) || name.includes("{{")) {
      inUrl.push(...values.map((each) => `${encoded(name)}=${encoded(each)}`));
    } else {
      const texts = [value].flat()
        .map((each) => typeof each === "string" ? written(each) : each);
      setMember(map, name, Array.isArray(value) ? texts : texts[0]!);
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
  parameters: readonly string[],
): JsonObject {
  return {
    url: finishedUrl(String(url), parameters),
    ...rest,
    ...(variables !== undefined && {
      variables: leaves(variables, "variables"),
    }),
  };
}

function finishedAuth(auth: JsonObject): JsonObject {
  const { token_url: url, ...rest } = auth;
  const fields = Object.entries(rest).map(([name, value]) => [
    name,
    typeof value === "string" ? written(value) : value,
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
  lost: string[],
): JsonValue {
  if (typeof value === "string") return written(value);
  if (typeof value === "number" && !Number.isFinite(value)) {
    lost.push(`Field ${key} is null: its number is too large for JSON.`);
    return null;
  }
  if (Array.isArray(value)) {
    return value.map((each) => finishedJson(each, key, lost));
  }
  if (!isObject(value)) return value;
  const object: Record<string, JsonValue> = {};
  for (const [name, each] of Object.entries(value)) {
    if (name.includes("{{") || hasTemplate(name)) {
      const shown = shownText(name);
      lost.push(`Left out field ${shown}: names of fields hold no braces.`);
    } else {
      const plain = name.toWellFormed();
      setMember(object, plain, finishedJson(each, plain, lost));
    }
  }
  return object;
}
