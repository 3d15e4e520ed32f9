import { requestOf } from "./request.ts";
import { Variables } from "./variables.ts";
import { TOKEN } from "../../../lib/base/values/headers.ts";
import { percentDecoded } from "../../../lib/base/values/percent.ts";
import {
  isObject,
  type JsonObject,
  type JsonValue,
  objectsIn,
} from "../../../lib/base/values/json.ts";
import { Refused } from "../../../lib/base/errors/bench_error.ts";
import { assemble, readBy } from "../draft/assemble.ts";
import { EnvNames } from "../draft/credentials.ts";
import type { Draft, DraftOptions } from "../draft/draft.ts";
import type { HttpRequest } from "../draft/http_request.ts";
import { kebabCase } from "../draft/names.ts";
import { basicAuth, scopesOf } from "../draft/step_headers.ts";
import {
  type StepTools,
  within,
  writeStep,
  writeSteps,
  type WrittenStep,
} from "../draft/step_writer.ts";
import {
  hasTemplate,
  isEnvironment,
  referenceOf,
} from "../draft/template_text.ts";
import {
  type Collection,
  type Item,
  scriptNote,
  textOrEmpty,
  type Variable,
} from "./collection.ts";
import { readTestScript, type TestScript } from "./test_script.ts";

/**
 * A flow of a collection: a step a request, in its order. What no flow can send is
 * left out and named.
 *
 * @param environment its values stand for those of the collection
 * @throws {Refused} when nothing is left
 */
export function importPostman(
  collection: Collection,
  environment: ReadonlyMap<string, Variable>,
  options: DraftOptions,
): Draft {
  const env = new EnvNames();
  const variables = new Variables(
    new Map([...collection.variables, ...environment]),
    env,
  );
  const notes = new Set(collection.scripts);
  const refused = new Map<Item, Refused>();
  const steps = writeSteps(collection.items, env, (item, tools) => {
    variables.begin(item);
    try {
      return within(
        item.name || "a request without a name",
        () => stepOf(item, variables, tools, notes),
      );
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      refused.set(item, error);
      return undefined;
    }
  });
  const whole = steps.filter((each) => each !== undefined);
  const written = whole.map((each) => withRead(each, readBy(whole)));
  const [why] = refused.values();
  if (why && written.length === 0) throw why;
  const isRead = readBy(written);
  const drawn = Object.entries(variables.drawn)
    .filter(([name]) => isRead(name));
  const name = flowName(collection.name);
  const draft = assemble(written, {
    ...(name !== undefined && { name }),
    origin: "postman",
    env: env.variables,
    notes: [
      ...[...refused.values()].map(({ message }) => `left out: ${message}`),
      ...notes,
      ...variables.notes(isRead),
    ],
    ...(drawn.length > 0 && { values: Object.fromEntries(drawn) }),
    // As Postman does, which has one jar for all requests.
    keepsCookies: written.length > 1,
    ...options,
  });
  return { ...draft, recorded: env.recorded };
}

/** The step with the variables that others read; one that has any ends its iteration where it fails. */
function withRead(
  { step: { extract = {}, ...step }, origin }: WrittenStep,
  isRead: (reference: string) => boolean,
): WrittenStep {
  const read = Object.entries(extract).filter(([name]) => isRead(name));
  if (read.length === 0) return { step, origin };
  const { onFailure: _, ...rest } = step;
  return { step: { ...rest, extract: Object.fromEntries(read) }, origin };
}

/** A name in letters, digits, `_` and `-`; undefined where nothing is left. */
function flowName(text: string): string | undefined {
  const plain = kebabCase(text, 50);
  if (plain === "") return undefined;
  return /^[a-z_]/.test(plain) ? plain : `on-${plain}`;
}

function stepOf(
  item: Item,
  variables: Variables,
  { env, ids, known }: StepTools,
  notes: Set<string>,
): WrittenStep {
  const plain = requestOf(item, variables);
  const auth = authOf(item, variables, env, notes);
  const request = withCredential(plain, auth);
  const scheme = auth && "auth" in auth ? auth.auth : undefined;
  const { step, origin } = writeStep(request, {
    ...{ env, known, isAuthorized: scheme !== undefined },
    ids: {
      of: (method, path) =>
        item.name === "" ? ids.of(method, path) : ids.unique(item.name),
      unique: (base) => ids.unique(item.name || base),
    },
  });
  const { auth: found, ...rest } = step;
  const chosen = scheme ?? found;
  const script = scriptOf(item, notes);
  const extract = variables.set(script.extract);
  const looksAtStatus = script.assert.some((each) => /^status /.test(each));
  const assert = [
    ...(item.status === undefined || looksAtStatus
      ? []
      : [`status == ${item.status}`]),
    ...script.assert.filter((each) => !known.isIn(each)),
  ];
  return {
    origin,
    step: {
      ...rest,
      ...(chosen && { auth: chosen }),
      extract,
      ...(assert.length > 0 && { assert }),
      onFailure: "record",
      lost: [
        ...step.lost,
        ...plain.headers.filter(([, value]) => value === "").map(([name]) =>
          `Left out header ${name}: it has no value.`
        ),
      ],
      comments: [
        ...step.comments,
        ...(auth === undefined && isAuthorized(item)
          ? [`Its ${textOrEmpty(item.auth?.["type"])} auth is not taken over.`]
          : []),
        ...script.notes,
      ],
    },
  };
}

/**
 * The scripts of a request as far as a flow can say them, and notes of the rest.
 *
 * @param shared takes those of scripts that other requests have too
 */
function scriptOf(
  { scripts }: Item,
  shared: Set<string>,
): Omit<TestScript, "left"> & { readonly notes: string[] } {
  const read = scripts.filter(({ kind }) => kind === "test").map((each) => ({
    ...each,
    ...readTestScript(each.code, each.owner !== undefined),
  }));
  const others = scripts.filter(({ kind }) => kind !== "test");
  for (const { left, owner } of read) {
    if (owner === undefined || left.length === 0) continue;
    shared.add(leftNote(`the test script of ${owner}`, left));
  }
  return {
    extract: new Map(read.flatMap(({ extract }) => [...extract])),
    assert: [...new Set(read.flatMap(({ assert }) => assert))],
    notes: [
      ...others.map(({ kind, lines }) =>
        `${scriptNote(`Its ${kind} script`, lines)}.`
      ),
      ...read.filter(({ left, owner }) => left.length > 0 && !owner)
        .map(({ left }) =>
          `${capitalized(leftNote("its test script", left))}.`
        ),
    ],
  };
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function leftNote(script: string, left: readonly number[]): string {
  const shown = left.slice(0, MOST_LINES).join(", ");
  const more = left.length > MOST_LINES ? ", …" : "";
  return `of ${script} ${
    left.length === 1 ? "the statement in line" : "the statements in lines"
  } ${shown}${more} ${
    left.length === 1 ? "is" : "are"
  } not taken over: a flow has \`assert\` and \`extract\` for ${
    left.length === 1 ? "it" : "them"
  }`;
}

/** Named in a note. */
const MOST_LINES = 10;

type StepAuth =
  | { readonly auth: JsonObject }
  | { readonly header: readonly [name: string, value: string] }
  | { readonly query: readonly [name: string, value: string] }
  | undefined;

/**
 * The request with a credential that no scheme can say, and without the field of the same
 * name, which Postman replaces.
 */
function withCredential(plain: HttpRequest, auth: StepAuth): HttpRequest {
  if (!auth) return plain;
  const field = fieldOf(auth)?.toLowerCase();
  const headers = plain.headers.filter(([name]) =>
    name.toLowerCase() !== field
  );
  const asked = "query" in auth
    ? auth.query[0]
    : "auth" in auth && auth.auth["in"] === "query"
    ? textOrEmpty(auth.auth["name"])
    : undefined;
  const url = asked === undefined
    ? plain.url
    : withoutParameter(plain.url, asked);
  const request = { ...plain, headers, url };
  if ("auth" in auth) return request;
  if ("header" in auth) {
    return { ...request, headers: [...headers, auth.header] };
  }
  const [name, value] = auth.query;
  const address = url.replace(/#.*$/, "");
  const joined = `${address}${address.includes("?") ? "&" : "?"}`;
  return { ...request, url: `${joined}${encodeURIComponent(name)}=${value}` };
}

function withoutParameter(url: string, name: string): string {
  const [, address = url, query] = /^([^?#]*)\?([^#]*)/.exec(url) ?? [];
  if (query === undefined) return url;
  const kept = query.split("&").filter((each) =>
    percentDecoded(each.split("=")[0]!) !== name
  );
  return kept.length === 0 ? address : `${address}?${kept.join("&")}`;
}

/** The header field that an auth writes; undefined of one that writes none. */
function fieldOf(auth: NonNullable<StepAuth>): string | undefined {
  if ("header" in auth) return auth.header[0];
  if ("query" in auth || auth.auth["in"] === "query") return undefined;
  return textOrEmpty(auth.auth["name"]) || "Authorization";
}

function isAuthorized({ auth }: Item): boolean {
  return !/^(?:|noauth)$/.test(textOrEmpty(auth?.["type"]));
}

/** How a request is authorized; undefined where nothing is said, or nothing can be. */
function authOf(
  { auth = {} }: Item,
  variables: Variables,
  env: EnvNames,
  notes: Set<string>,
): StepAuth {
  const type = textOrEmpty(auth["type"]);
  const facts = new Map(factsOf(auth[type]));
  const fact = (name: string) => variables.in(facts.get(name) ?? "");
  const secret = (text: string, likeness: string) =>
    text === ""
      ? unsetSecret(likeness, type, env, notes)
      : env.templateOf(text, likeness, `${type} auth`);
  switch (type) {
    case "":
    case "noauth":
      return undefined;
    case "basic": {
      const user = fact("username");
      const password = fact("password");
      if (!hasTemplate(user + password)) {
        const made = basicAuth(user, password, env);
        return made.auth
          ? { auth: made.auth }
          : { header: ["Authorization", made.header] };
      }
      const word = env.fixedTemplateOf(password, "API_PASSWORD", "basic auth");
      return { auth: { scheme: "basic", username: user, password: word } };
    }
    case "bearer":
      return {
        auth: { scheme: "bearer", token: secret(fact("token"), "API_TOKEN") },
      };
    case "apikey": {
      const name = fact("key");
      if (TOKEN.test(name)) {
        return apiKey(name, secret(fact("value"), name), fact("in"));
      }
      notes.add("apikey auth: its key is not the name of a field");
      return undefined;
    }
    case "oauth2": {
      const client = clientCredentials(fact, env);
      if (client) return { auth: client };
      const token = secret(fact("accessToken"), "ACCESS_TOKEN");
      notes.add(
        "oauth2 auth: a token is read from the environment of the run; `auth: { scheme: oauth2_client_credentials }` fetches one",
      );
      return { auth: { scheme: "bearer", token } };
    }
    default:
      notes.add(`${type} auth: there is no such auth scheme`);
      return undefined;
  }
}

/** The variable of a credential that is empty in the collection. */
function unsetSecret(
  likeness: string,
  type: string,
  env: EnvNames,
  notes: Set<string>,
): string {
  const about = `${type} auth`;
  const unset = env.templateOf(`{{${likeness}}}`, likeness, about, false);
  const name = referenceOf(unset)!.slice("env.".length);
  notes.add(
    `${about} has no value in the collection, and Postman sends none: set ${name} for the run, or remove the \`auth\``,
  );
  return unset;
}

/** The auth of a key of the environment; one that a response gives goes as any other field. */
function apiKey(name: string, value: string, place: string): StepAuth {
  const isQuery = place === "query";
  if (!isEnvironment(value)) {
    return isQuery ? { query: [name, value] } : { header: [name, value] };
  }
  return {
    auth: {
      scheme: "api_key",
      ...(isQuery && { in: "query" }),
      ...{ name, value },
    },
  };
}

/** The auth that fetches a token; undefined where not all of it is said. */
function clientCredentials(
  fact: (name: string) => string,
  env: EnvNames,
): JsonObject | undefined {
  const url = tokenUrl(fact("accessTokenUrl"));
  const id = fact("clientId");
  const word = fact("clientSecret");
  const isOfClient = fact("grant_type") === "client_credentials";
  if (!isOfClient || url === undefined || id === "" || word === "") return;
  const scopes = scopesOf(fact("scope").split(/\s+/));
  return {
    scheme: "oauth2_client_credentials",
    token_url: url,
    client_id: env.templateOf(id, "CLIENT_ID", "client id", false),
    client_secret: env.fixedTemplateOf(word, "CLIENT_SECRET", "client secret"),
    ...(scopes.length > 0 && { scopes }),
  };
}

/** Without a user and a query, which may be credentials. */
function tokenUrl(text: string): string | undefined {
  const url = hasTemplate(text) ? undefined : URL.parse(text);
  return url && /^https?:$/.test(url.protocol)
    ? url.origin + url.pathname
    : undefined;
}

/** A list of keys and values (v2.1), or an object (v2.0). */
function factsOf(block: JsonValue | undefined): [string, string][] {
  return isObject(block)
    ? Object.entries(block).map(([name, value]) => [name, textOrEmpty(value)])
    : objectsIn(block).map((each) => [
      textOrEmpty(each["key"]),
      textOrEmpty(each["value"]),
    ]);
}
