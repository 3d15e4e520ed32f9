import {
  isObject,
  type JsonLeaf,
  type JsonObject,
  type JsonValue,
  setMember,
  withLeaves,
} from "../../../lib/base/values/json.ts";
import {
  type EnvNames,
  isCredential,
  looksLikeCredential,
  type NamedValue,
} from "./credentials.ts";
import type { DraftStep } from "./draft.ts";
import { graphqlBlock } from "./http_request.ts";
import { hiddenInside, isCredentialLeaf, KnownValues } from "./hidden_text.ts";
import {
  type HttpRequest,
  queryPairs,
  type RequestBody,
  splitUrl,
} from "./http_request.ts";
import { Refused } from "../../../lib/base/errors/bench_error.ts";
import { authorized, basicAuth } from "./step_headers.ts";
import { chosenHeaders } from "./step_headers.ts";
import { StepIds } from "./names.ts";
import {
  hasTemplate,
  isEnvironment,
  referenceOf,
  shownText,
} from "./template_text.ts";

/** A step and where it goes. */
export interface WrittenStep {
  readonly step: DraftStep;
  /** Empty where a template begins the URL. */
  readonly origin: string;
}

/** What all steps of a flow are made with. */
export interface StepTools {
  readonly env: EnvNames;
  readonly ids: Pick<StepIds, "of" | "unique">;
  /** Replaced in what is no credential by itself. */
  readonly known: KnownValues;
}

/**
 * Makes all steps, twice: what is found to be a credential in the last of them is
 * a variable in the first.
 *
 * @param extracted what responses before the nth request gave
 */
export function writeSteps<T>(
  requests: readonly T[],
  env: EnvNames,
  write: (request: T, tools: StepTools) => WrittenStep,
  extracted: (index: number) => readonly NamedValue[] = () => [],
): WrittenStep[] {
  const first = { env, ids: new StepIds(), known: new KnownValues() };
  for (const each of requests) write(each, first);
  const ids = new StepIds();
  const secrets = new KnownValues(env.secrets);
  return requests.map((each, index) => {
    const known = new KnownValues(extracted(index), secrets);
    return write(each, { env, ids, known });
  });
}

/** Makes a step of a request; its credentials become variables. */
export function writeStep(
  request: HttpRequest,
  { env, ids, known }: StepTools,
): WrittenStep {
  if (!/^[A-Z]+$/.test(request.method)) {
    throw new Refused(
      `\`${shownText(request.method)}\` is not a method of a flow`,
      "a method is a word in capital letters, such as GET",
    );
  }
  const { url, isLink } = urlOf(request);
  const { body } = request;
  const comments: string[] = [];
  const json = body && "json" in body
    ? withoutNamed(hiddenBody(body.json, { env, known, comments }), known)
    : undefined;
  const chosen = chosenHeaders(request.headers, json !== undefined);
  const { auth: own, headers } = authorized(chosen.headers, env);
  const [user, word = ""] = url.userinfo.split(":").map(decoded);
  const said = headers.some(([name]) => /^authorization$/i.test(name));
  const fromUrl = user && !own && !said
    ? basicAuth(user, word, env)
    : undefined;
  const query = writeQuery(
    url.query,
    { env, known },
    own === undefined && !fromUrl,
  );
  const path = isLink ? url.path : hiddenPath(url.path, { env, known });
  const auth = own ?? fromUrl?.auth ?? query.auth;
  const graphql = graphqlBlock(request.method, json, path + query.rest);
  const id = graphql?.name ??
    (isLink ? `follow ${referenceOf(request.url)}` : undefined);
  const dropped = chosen.dropped.filter((each) => !known.isIn(each));
  return {
    origin: url.origin,
    step: {
      id: id === undefined ? ids.of(request.method, path) : ids.unique(id),
      ...(graphql
        ? { graphql: graphql.block }
        : { call: `${request.method} ${path}${query.rest}` }),
      ...(auth && { auth }),
      headers: Object.fromEntries([
        ...headers.filter(([name]) => !known.isIn(name))
          .map(([name, value]) => [name, known.replaced(value)]),
        ...(fromUrl && !fromUrl.auth
          ? [["Authorization", fromUrl.header] as const]
          : []),
      ]),
      ...(query.map && !graphql && { query: query.map }),
      ...(json !== undefined && !graphql && { body: json }),
      lost: lostOf(body, known),
      comments: dropped.length > 0
        ? [...comments, `Left out: ${dropped.join(", ")}.`]
        : comments,
    },
  };
}

function lostOf(body: RequestBody | undefined, known: KnownValues): string[] {
  if (!body || !("unsendable" in body)) return [];
  const what = known.replaced(body.unsendable);
  return [`Sent ${what}, which a flow cannot: its bodies are JSON.`];
}

function urlOf(request: HttpRequest) {
  if (request.url.length > LONGEST_URL) {
    throw new Refused(
      `a URL has ${request.url.length} characters; at most ${LONGEST_URL} are read`,
      "leave the request out",
    );
  }
  const reference = referenceOf(request.url);
  if (reference !== undefined && !isEnvironment(request.url)) {
    const { origin = "" } = request;
    const url = { origin, path: request.url, query: "", userinfo: "" };
    return { url, isLink: true };
  }
  const url = splitUrl(request.url);
  if (!url) {
    throw new Refused(
      `\`${shownText(request.url)}\` is not a URL of HTTP`,
      "a flow sends to http:// and https:// URLs",
    );
  }
  if (hasTemplate(url.origin)) {
    throw new Refused(
      `the host in \`${shownText(request.url)}\` comes from a variable`,
      "the allow-list names hosts: write the host out",
    );
  }
  return { url, isLink: false };
}

const LONGEST_URL = 16_384;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

interface WrittenQuery {
  readonly map?: Record<string, JsonValue>;
  /** A query that stays in the URL. */
  readonly rest: string;
  readonly auth?: JsonObject;
}

type Hiding = Pick<StepTools, "env" | "known">;

function writeQuery(
  query: string,
  { env, known }: Hiding,
  mayAuthorize: boolean,
): WrittenQuery {
  if (query === "") return { rest: "" };
  const pairs = queryPairs(query);
  if (!pairs) {
    env.noteAll(query, "the query");
    return { rest: `?${hiddenParts(query, { env, known })}` };
  }
  const map: Record<string, JsonValue> = {};
  let auth: JsonObject | undefined;
  for (const [name, value] of pairs) {
    const about = `query parameter ${name}`;
    env.noteAll(value, about);
    if (value === "" || !isCredential(name, value)) {
      const text = known.replaced(hiddenInside(value, env, about));
      addParameter(map, known.replaced(name), text);
      continue;
    }
    const hidden = hasTemplate(value)
      ? value
      : env.templateOf(value, name, about);
    if (
      mayAuthorize && !auth && isEnvironment(hidden) && !name.includes("{{")
    ) {
      auth = { scheme: "api_key", in: "query", name, value: hidden };
    } else addParameter(map, name, hidden);
  }
  return { map, rest: "", ...(auth && { auth }) };
}

/** A query that stays as it is written, but for its credentials. */
function hiddenParts(query: string, { env, known }: Hiding): string {
  return query.split("&").map((part) => {
    const [, name = "", value = ""] = /^([^=]*)=(.*)$/s.exec(part) ?? [];
    const plain = decoded(value.replaceAll("+", " "));
    return plain !== "" && !hasTemplate(value) && isCredential(name, plain)
      ? `${name}=${env.templateOf(plain, name, `query parameter ${name}`)}`
      : known.replaced(part);
  }).join("&");
}

function addParameter(
  map: Record<string, JsonValue>,
  name: string,
  text: string,
): void {
  const there = Object.hasOwn(map, name) ? map[name] : undefined;
  const value = plainValue(text);
  setMember(map, name, there === undefined ? value : [there, value].flat());
}

/** A number where its text comes out the same: `page: 2` is not quoted. */
function plainValue(text: string): JsonValue {
  return /^-?\d{1,15}$/.test(text) && String(Number(text)) === text
    ? Number(text)
    : text;
}

function hiddenPath(path: string, { env, known }: Hiding): string {
  env.noteAll(path, "the path");
  return path.split("/").map((part) =>
    looksLikeCredential(part)
      ? env.templateOf(part, "PATH_TOKEN", "a part of the path")
      : known.replaced(part)
  ).join("/");
}

/** A body whose credentials are variables. */
function hiddenBody(
  body: JsonValue,
  { env, known, comments }: Hiding & { readonly comments: string[] },
): JsonValue {
  return withLeaves(body, (leaf) => {
    const { value, key } = leaf;
    const about = `field ${key} of a body`;
    if (typeof value !== "string") return hiddenNumber(leaf);
    env.noteAll(value, about);
    if (hasTemplate(value)) return known.replaced(value);
    return isCredentialLeaf(leaf)
      ? env.templateOf(value, key, about)
      : known.replaced(hiddenInside(value, env, about));
  });

  function hiddenNumber(leaf: JsonLeaf): JsonValue {
    if (!isCredentialLeaf(leaf)) return leaf.value;
    comments.push(
      `Field ${leaf.key} was a number; from a variable it is text.`,
    );
    const about = `field ${leaf.key} of a body`;
    return env.templateOf(String(leaf.value), leaf.key, about);
  }
}

/** Without members whose name holds a credential: names are never templates. */
function withoutNamed(value: JsonValue, known: KnownValues): JsonValue {
  if (Array.isArray(value)) {
    return value.map((each) => withoutNamed(each, known));
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([name]) => !known.isIn(name))
      .map(([name, each]) => [name, withoutNamed(each, known)]),
  );
}
