import type { JsonObject, JsonValue } from "../../../lib/base/values/json.ts";
import {
  type EnvNames,
  isCredential,
  isCredentialField,
  looksLikeCredential,
} from "./credentials.ts";
import type { DraftStep } from "./draft.ts";
import { graphqlBlock } from "./graphql_block.ts";
import { type HttpRequest, queryPairs, splitUrl } from "./http_request.ts";
import { Refused } from "../../../lib/base/errors/bench_error.ts";
import { withLeaves } from "../../../lib/base/values/json_leaves.ts";
import { authorized, basicAuth } from "./step_auth.ts";
import { chosenHeaders } from "./step_headers.ts";
import type { StepIds } from "./names.ts";

/** A step and where it goes. */
export interface WrittenStep {
  readonly step: DraftStep;
  /** Empty where a template begins the URL. */
  readonly origin: string;
}

/** Makes a step of a request; its credentials become variables. */
export function writeStep(
  request: HttpRequest,
  env: EnvNames,
  ids: Pick<StepIds, "of" | "unique">,
): WrittenStep {
  const isLink = /^\{\{ (?!env\.)[^{}]*\}\}$/.test(request.url);
  const url = isLink
    ? {
      origin: request.origin ?? "",
      path: request.url,
      query: "",
      userinfo: "",
    }
    : splitUrl(request.url);
  if (!url) {
    throw new Refused(
      `\`${request.url}\` is not a URL of HTTP`,
      "a flow sends to http:// and https:// URLs",
    );
  }
  if (url.origin.includes("{{")) {
    throw new Refused(
      `the host in \`${request.url}\` comes from a variable`,
      "the allow-list names hosts: write the host out",
    );
  }
  const { body } = request;
  const json = body && "json" in body ? hidden(body.json, env) : undefined;
  const chosen = chosenHeaders(request.headers, json !== undefined);
  const { auth: own, headers } = authorized(chosen.headers, env);
  const [user, word = ""] = url.userinfo.split(":").map(decodeURIComponent);
  const said = headers.some(([name]) => /^authorization$/i.test(name));
  const fromUrl = user && !own && !said
    ? basicAuth(user, word, env)
    : undefined;
  const query = writeQuery(url.query, env, own === undefined && !fromUrl);
  const path = hiddenPath(url.path, env);
  const auth = own ?? fromUrl?.auth ?? query.auth;
  const graphql = graphqlBlock(request.method, json, path + query.rest);
  const id = graphql?.name ?? (isLink ? `follow ${request.url}` : undefined);
  return {
    origin: url.origin,
    step: {
      id: id === undefined ? ids.of(request.method, path) : ids.unique(id),
      ...(graphql
        ? { graphql: graphql.block }
        : { call: `${request.method} ${path}${query.rest}` }),
      ...(auth && { auth }),
      headers: Object.fromEntries([
        ...headers,
        ...(fromUrl && !fromUrl.auth
          ? [["Authorization", fromUrl.header] as const]
          : []),
      ]),
      ...(query.map && !graphql && { query: query.map }),
      ...(json !== undefined && !graphql && { body: json }),
      comments: commentsOf(request, chosen.dropped),
    },
  };
}

/** What of the request the step does not have. */
function commentsOf(
  { body }: HttpRequest,
  dropped: readonly string[],
): string[] {
  const unsendable = body && "unsendable" in body
    ? [`Sent ${body.unsendable}, which a flow cannot: its bodies are JSON.`]
    : [];
  return dropped.length > 0
    ? [...unsendable, `Left out: ${dropped.join(", ")}.`]
    : unsendable;
}

interface WrittenQuery {
  readonly map?: Record<string, JsonValue>;
  /** A query that stays in the URL. */
  readonly rest: string;
  readonly auth?: JsonObject;
}

function writeQuery(
  query: string,
  env: EnvNames,
  mayAuthorize: boolean,
): WrittenQuery {
  if (query === "") return { rest: "" };
  const pairs = queryPairs(query);
  if (!pairs) return { rest: `?${query}` };
  const map: Record<string, JsonValue> = {};
  let auth: JsonObject | undefined;
  for (const [name, value] of pairs) {
    env.noteAll(value, `query parameter ${name}`);
    if (value === "" || !isCredential(name, value)) {
      add(map, name, value);
      continue;
    }
    const about = `query parameter ${name}`;
    const template = value.includes("{{ ")
      ? value
      : env.templateOf(value, name, about);
    if (mayAuthorize && !auth && /^\{\{ env\.[^{}]*\}\}$/.test(template)) {
      auth = { scheme: "api_key", in: "query", name, value: template };
    } else add(map, name, template);
  }
  return { map, rest: "", ...(auth && { auth }) };
}

function add(
  map: Record<string, JsonValue>,
  name: string,
  text: string,
): void {
  const there = map[name];
  const value = plainValue(text);
  map[name] = there === undefined ? value : [there, value].flat();
}

/** A number where its text comes out the same: `page: 2` is not quoted. */
function plainValue(text: string): JsonValue {
  return /^-?\d{1,15}$/.test(text) && String(Number(text)) === text
    ? Number(text)
    : text;
}

function hiddenPath(path: string, env: EnvNames): string {
  env.noteAll(path, "the path");
  return path.split("/").map((part) =>
    looksLikeCredential(part)
      ? env.templateOf(part, "PATH_TOKEN", "a part of the path")
      : part
  ).join("/");
}

/** A body whose credentials are variables. */
function hidden(body: JsonValue, env: EnvNames): JsonValue {
  return withLeaves(body, ({ value, key }) => {
    if (typeof value !== "string") return value;
    const about = `field ${key} of a body`;
    env.noteAll(value, about);
    return value !== "" && !value.includes("{{ ") &&
        isCredentialField(key, value)
      ? env.templateOf(value, key, about)
      : value;
  });
}
