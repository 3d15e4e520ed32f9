import { headerValue } from "../../../lib/base/values/headers.ts";
import { percentDecoded } from "../../../lib/base/values/percent.ts";
import {
  isObject,
  type JsonLeaf,
  type JsonObject,
  type JsonValue,
  leavesOf,
  setMember,
  withLeaves,
} from "../../../lib/base/values/json.ts";
import {
  type EnvNames,
  isCredential,
  isCredentialField,
  looksLikeCredential,
  type NamedValue,
} from "./credentials.ts";
import type { DraftStep } from "./draft.ts";
import {
  graphqlBlock,
  type HttpRequest,
  type MultipartField,
  OPERATION,
  queryPairs,
  type RequestBody,
  splitUrl,
} from "./http_request.ts";
import { hiddenInside, isCredentialLeaf, KnownValues } from "./hidden_text.ts";
import { Refused } from "../../../lib/base/errors/bench_error.ts";
import { authorized, basicAuth, chosenHeaders } from "./step_headers.ts";
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

/** The tools that all steps of a flow are made with. */
export interface StepTools {
  readonly env: EnvNames;
  readonly ids: Pick<StepIds, "of" | "unique">;
  /** Replaced in what is no credential by itself. */
  readonly known: KnownValues;
  /** The `auth` of the step is said by something else than the request. */
  readonly isAuthorized?: boolean;
}

/**
 * Makes all steps, twice: what is found to be a credential in the last of them is
 * a variable in the first.
 *
 * @param extracted what responses before the nth request gave
 */
export function writeSteps<T, W>(
  requests: readonly T[],
  env: EnvNames,
  write: (request: T, tools: StepTools) => W,
  extracted: (index: number) => readonly NamedValue[] = () => [],
): W[] {
  const first = { env, ids: new StepIds(), known: new KnownValues() };
  for (const each of requests) write(each, first);
  const ids = new StepIds();
  const secrets = new KnownValues(env.secrets);
  return requests.map((each, index) => {
    const known = new KnownValues(extracted(index), secrets);
    return write(each, { env, ids, known });
  });
}

/** Puts the name of a request into the message of a refusal. */
export function within<T>(name: string, make: () => T): T {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const { message, hint } = error;
    throw new Refused(`\`${shownText(name)}\`: ${message}`, hint);
  }
}

/** Makes a step of a request; its credentials become variables. */
export function writeStep(
  request: HttpRequest,
  { env, ids, known, isAuthorized = false }: StepTools,
): WrittenStep {
  if (!/^[A-Z]+(?:-[A-Z]+)*$/.test(request.method)) {
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
  const sent = body && sentBody(body, { env, known });
  const chosen = chosenHeaders(request.headers, body, url.origin);
  const { auth: own, headers } = authorized(chosen.headers, env, isAuthorized);
  const [user, word = ""] = url.userinfo.split(":").map(percentDecoded);
  const said = headerValue(headers, "authorization") !== undefined;
  const fromUrl = user && !own && !said
    ? basicAuth(user, word, env)
    : undefined;
  const query = writeQuery(
    url.query,
    { env, known },
    own === undefined && !fromUrl && !isAuthorized,
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
      ...(query.map && { query: query.map }),
      ...(json !== undefined && !graphql && { body: json }),
      ...sent,
      lost: [...chosen.lost, ...lostOf(body, known)],
      comments: dropped.length > 0
        ? [...comments, `Left out: ${dropped.join(", ")}.`]
        : comments,
    },
  };
}

function lostOf(body: RequestBody | undefined, known: KnownValues): string[] {
  if (!body || !("unsendable" in body)) return [];
  return [`Left out ${known.replaced(body.unsendable)}.`];
}

/** A body that is no JSON, its credentials variables. */
function sentBody(
  body: RequestBody,
  hiding: Hiding,
): Pick<DraftStep, "form" | "multipart" | "text" | "file"> {
  if ("form" in body) return { form: hiddenForm(body.form, hiding) };
  if ("file" in body) return { file: body.file };
  if ("multipart" in body) {
    return { multipart: hiddenForm(body.multipart, hiding) };
  }
  if (!("text" in body)) return {};
  const { env, known } = hiding;
  env.noteAll(body.text, "a body");
  return { text: known.replaced(hiddenInside(body.text, env, "a body")) };
}

function hiddenForm(
  fields: readonly MultipartField[],
  hiding: Hiding,
): Record<string, JsonValue> {
  const form: Record<string, JsonValue> = {};
  for (const [name, part] of fields) {
    const value = typeof part === "string"
      ? hiddenField(name, part, hiding)
      : "text" in part
      ? { ...part, text: hiddenField(name, part.text, hiding) }
      : { ...part };
    addParameter(form, hiding.known.replaced(name), value);
  }
  return form;
}

function hiddenField(
  name: string,
  value: string,
  { env, known }: Hiding,
): string {
  const about = `field ${name} of a form`;
  env.noteAll(value, about);
  const secret = value !== "" && !hasTemplate(value) &&
    isCredentialField([name], value);
  return secret
    ? env.templateOf(value, name, about)
    : known.replaced(hiddenInside(value, env, about));
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
    // Anything behind the host may be a credential.
    const [, scheme = "", host = ""] = /^(\S*?:\/\/)(?:[^/?#@]*@)?([^/?#]*)/
      .exec(request.url) ?? [];
    throw new Refused(
      host === ""
        ? "its URL names no host"
        : `\`${shownText(scheme + host)}\` is not a URL of HTTP`,
      "a flow sends to http:// and https:// URLs",
    );
  }
  if (hasTemplate(url.origin)) {
    throw new Refused(
      `the host in \`${shownText(url.origin)}\` comes from a variable`,
      "the allow-list names hosts: write the host out",
    );
  }
  return { url, isLink: false };
}

const LONGEST_URL = 16_384;

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
  const lists: string[] = [];
  const parts = query.split("&").filter((each) => each !== "");
  let auth: JsonObject | undefined;
  for (const [index, [name, value]] of pairs.entries()) {
    const about = `query parameter ${name}`;
    env.noteAll(value, about);
    if (value === "" || !isCredential(name, value)) {
      const text = known.replaced(hiddenInside(value, env, about));
      const part = parts[index]!;
      if (isList(part, value) && text === value && !known.isIn(name)) {
        lists.push(part);
      } else addParameter(map, known.replaced(name), text);
      continue;
    }
    const hidden = hasTemplate(value)
      ? value
      : env.templateOf(value, name, about);
    const isOnce = pairs.filter(([each]) => each === name).length === 1;
    if (
      mayAuthorize && !auth && isOnce && isEnvironment(hidden) &&
      !name.includes("{{")
    ) {
      auth = { scheme: "api_key", in: "query", name, value: hidden };
    } else addParameter(map, name, hidden);
  }
  const rest = lists.length > 0 ? `?${lists.join("&")}` : "";
  return { map, rest, ...(auth && { auth }) };
}

/** Whether commas separate values: a mapping would escape them, as those inside a value. */
function isList(part: string, value: string): boolean {
  return part.includes(",") && !/^[[{]/.test(value) && !hasTemplate(part);
}

/** A query that stays as it is written, but for its credentials. */
function hiddenParts(query: string, { env, known }: Hiding): string {
  return query.split("&").map((part) => {
    const [, name = "", value = ""] = /^([^=]*)=(.*)$/s.exec(part) ?? [];
    const plain = percentDecoded(value.replaceAll("+", " "));
    return plain !== "" && !hasTemplate(value) && isCredential(name, plain)
      ? `${name}=${env.templateOf(plain, name, `query parameter ${name}`)}`
      : known.replaced(part);
  }).join("&");
}

function addParameter(
  map: Record<string, JsonValue>,
  name: string,
  part: string | JsonObject,
): void {
  const there = Object.hasOwn(map, name) ? map[name] : undefined;
  const value = typeof part === "string" ? plainValue(part) : part;
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
  const asked = credentialVariables(body);
  return withLeaves(body, (leaf) => {
    const { value, key } = leaf;
    const about = `field ${key} of a body`;
    if (typeof value !== "string") return hiddenNumber(leaf);
    env.noteAll(value, about);
    if (hasTemplate(value)) return known.replaced(value);
    if (isSecret(leaf)) return env.templateOf(value, key, about);
    // A template alone would send the number that a response gave, not its text.
    return /^\d+$/.test(value)
      ? known.beyond?.replaced(value) ?? value
      : known.replaced(hiddenInside(value, env, about));
  });

  function isSecret(leaf: JsonLeaf): boolean {
    const at = leaf.path.indexOf("variables");
    return isCredentialLeaf(leaf) ||
      (at >= 0 && asked.has(String(leaf.path[at + 1])));
  }

  function hiddenNumber(leaf: JsonLeaf): JsonValue {
    if (!isSecret(leaf)) return leaf.value;
    comments.push(
      `Field ${leaf.key} was a number; from a variable it is text.`,
    );
    const about = `field ${leaf.key} of a body`;
    return env.templateOf(String(leaf.value), leaf.key, about);
  }
}

/** Variables of GraphQL documents that are given for a credential: `password: $p`. */
function credentialVariables(body: JsonValue): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { value } of leavesOf(body)) {
    if (typeof value !== "string" || !OPERATION.test(value)) continue;
    for (const [, field, name] of value.matchAll(GIVEN)) {
      if (isCredentialField([field!], "")) names.add(name!);
    }
  }
  return names;
}

const GIVEN = /\b([A-Za-z_]\w*)\s*:\s*\$([A-Za-z_]\w*)/g;

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
