import type { JsonObject, JsonValue } from "../../../lib/base/values/json.ts";
import { type EnvNames, isCredential } from "./credentials.ts";
import { hiddenInside } from "./hidden_text.ts";
import { cookiesIn, type RequestBody } from "./http_request.ts";
import { hasTemplate, isEnvironment, referenceOf } from "./template_text.ts";
import {
  badInValue,
  FRAMING_FIELDS,
  type HeaderList,
  TOKEN,
} from "../../../lib/base/values/headers.ts";

/** The credentials of a request, and its other headers. */
interface AuthorizedHeaders {
  readonly auth?: JsonObject;
  readonly headers: HeaderList;
}

/**
 * Takes the credentials out of a request's headers: one becomes `auth`, that of
 * `Authorization` before any other; the rest are headers with variables in them.
 *
 * @param isAuthorized all of them are, because something else is `auth`
 */
export function authorized(
  headers: HeaderList,
  env: EnvNames,
  isAuthorized = false,
): AuthorizedHeaders {
  const all = headers.map(([name, value]) => ({
    ...{ name, value },
    made: credentialOf(name, value, env),
  }));
  const possible = isAuthorized ? [] : all.filter(({ made }) => made?.auth);
  const chosen = possible.find(({ name }) => /^authorization$/i.test(name)) ??
    possible[0];
  const auth = chosen?.made?.auth;
  return {
    ...(auth && { auth }),
    headers: all.filter((each) => each !== chosen)
      .map(({ name, value, made }) => [name, made?.header ?? value]),
  };
}

interface Credential {
  readonly auth?: JsonObject;
  /** The credential as a header's value. */
  readonly header: string;
}

function credentialOf(
  name: string,
  value: string,
  env: EnvNames,
): Credential | undefined {
  const lower = name.toLowerCase();
  if (lower === "authorization") return authorizationOf(value, env);
  if (lower === "cookie") return cookiesOf(value, env);
  if (value === "" || !isCredential(name, value)) {
    env.noteAll(value, `header ${name}`);
    // `Referer` and its like hold URLs.
    const header = hiddenInside(value, env, `header ${name}`);
    return header === value ? undefined : { header };
  }
  if (isPartlyTemplate(value)) {
    env.noteAll(value, `header ${name}`);
    return { header: value };
  }
  const template = env.templateOf(value, name, `header ${name}`);
  return {
    auth: { scheme: "api_key", name, value: template },
    header: template,
  };
}

/** Words and a template, or one that is no variable of the environment: no credential is in it. */
function isPartlyTemplate(value: string): boolean {
  return hasTemplate(value) && !isEnvironment(value);
}

function authorizationOf(value: string, env: EnvNames): Credential {
  const [, scheme = "", rest = ""] = /^(\S+)\s+(.*)$/.exec(value) ?? [];
  const reference = referenceOf(rest);
  // A token is never a cell of a fixture.
  const isOne = reference === undefined
    ? !hasTemplate(rest)
    : !reference.startsWith("user.");
  if (/^bearer$/i.test(scheme) && isOne) {
    const token = env.templateOf(rest, "API_TOKEN", "bearer token");
    return { auth: { scheme: "bearer", token }, header: `${scheme} ${token}` };
  }
  const pair = /^basic$/i.test(scheme) ? decodeBasic(rest) : undefined;
  if (pair?.includes(":")) {
    const at = pair.indexOf(":");
    return basicAuth(pair.slice(0, at), pair.slice(at + 1), env);
  }
  // Only the shell knows what is user and what is password.
  if (pair !== undefined && hasTemplate(pair)) {
    return basicBlob(pair, pair, env);
  }
  if (isPartlyTemplate(value)) {
    env.noteAll(value, "header Authorization");
    return { header: value };
  }
  // Anything else: the scheme's word stays, what follows is the credential.
  const about = scheme === ""
    ? "header Authorization"
    : `header Authorization, after \`${scheme}\``;
  const hidden = env.templateOf(rest || value, "AUTHORIZATION", about);
  return { header: scheme === "" ? hidden : `${scheme} ${hidden}` };
}

function decodeBasic(blob: string): string | undefined {
  try {
    return new TextDecoder().decode(Uint8Array.fromBase64(blob));
  } catch {
    return;
  }
}

/** User and password, both from the environment. */
export function basicAuth(
  user: string,
  password: string,
  env: EnvNames,
): Credential {
  if (user !== "" && password !== "") {
    const username = env.templateOf(
      user,
      "API_USERNAME",
      "user of basic auth",
      false,
    );
    const word = env.fixedTemplateOf(
      password,
      "API_PASSWORD",
      "password of basic auth",
    );
    return {
      auth: { scheme: "basic", username, password: word },
      // Never used beside another Authorization.
      header: "",
    };
  }
  // The scheme wants both; a key alone goes as the finished header.
  const pair = `${user}:${password}`;
  return basicBlob(
    pair,
    hasTemplate(pair) ? pair : user === "" ? ":<password>" : "<user or key>:",
    env,
  );
}

/** The finished header of credentials that the scheme cannot say. */
function basicBlob(pair: string, shown: string, env: EnvNames): Credential {
  const about = `base64 of \`${shown}\`${
    shown.endsWith(":") ? " (with the colon)" : ""
  }`;
  const blob = env.templateOf(`basic ${pair}`, "BASIC_CREDENTIALS", about);
  return { header: `Basic ${blob}` };
}

/** As RFC 6749 (section 3.3) spells them, without braces, which are templates. */
export function scopesOf(scopes: JsonValue): string[] {
  return Array.isArray(scopes)
    ? scopes.filter((each) =>
      typeof each === "string" && /^[!#-[\]-z|~]+$/.test(each)
    )
    : [];
}

/** Cookies are credentials unless they are declared not to be. */
function cookiesOf(value: string, env: EnvNames): Credential | undefined {
  const parts = value.split(/;\s*/).filter((each) => each !== "");
  if (parts.length === 0) return;
  const made = parts.map((part) => {
    const [[name, content] = ["", part]] = cookiesIn(part);
    if (content === "" || isPartlyTemplate(content)) return part;
    // Short ones say a language or a colour, and so do other texts.
    const isSecret = content.length >= 8 || isCredential(name, content);
    const about = `cookie ${name}`;
    const hidden = env.templateOf(content, name || "COOKIE", about, isSecret);
    return name === "" ? hidden : `${name}=${hidden}`;
  });
  const header = made.join("; ");
  const [[name, content] = ["", ""]] = cookiesIn(header);
  const alone = made.length === 1 && isEnvironment(content);
  return {
    header,
    ...(alone && { auth: { scheme: "cookie", name, value: content } }),
  };
}

/** Headers that browsers and proxies add to any request, and no API asks for. */
const NOISE =
  /^(?:sec-.*|dnt|priority|pragma|upgrade-insecure-requests|te|x-client-data)$/i;
/** In a request of a browser, of its cache; elsewhere they are what is tried. */
const CONDITIONS = /^if-(?:none-match|modified-since)$/i;

/**
 * The fields, each once: the lines of one are a list (RFC 9110 section 5.3), those of
 * cookies take a semicolon (RFC 9113 section 8.2.3). A line without a value says nothing.
 */
export function joinedLines(
  headers: HeaderList,
): [string, string][] {
  const fields = Map.groupBy(headers, ([name]) => name.toLowerCase());
  return [...fields].map(([lower, lines]) => {
    const values = lines.map(([, value]) => value).filter((each) => each);
    const joined = ONE_VALUE.has(lower)
      ? values.at(-1) ?? ""
      : values.join(lower === "cookie" ? "; " : ", ");
    return [lines[0]![0], joined];
  });
}

/** Fields that are no list. */
const ONE_VALUE: ReadonlySet<string> = new Set([
  "authorization",
  "content-type",
]);

/** Names the fields of which the last line alone is sent. */
function overwritten(
  headers: HeaderList,
): string[] {
  return [...ONE_VALUE].flatMap((lower) => {
    const lines = headers.filter(([name, value]) =>
      name.toLowerCase() === lower && value !== ""
    );
    const [[name = "", value] = [], ...others] = lines;
    return others.some(([, other]) => other !== value)
      ? [`Header ${name} was there ${lines.length} times: the last is sent.`]
      : [];
  });
}

/** The headers that belong into a step, and the names of those that do not. */
export function chosenHeaders(
  headers: HeaderList,
  body: RequestBody | undefined,
  origin: string,
): {
  readonly headers: [string, string][];
  readonly dropped: string[];
  /** Sentences on those that change the request. */
  readonly lost: string[];
} {
  const kept: [string, string][] = [];
  const dropped: string[] = [];
  const lost = overwritten(headers);
  const isBrowsers = headers.some(([name]) => /^sec-/i.test(name));
  for (const [name, value] of joinedLines(headers)) {
    const lower = name.toLowerCase();
    if (name.startsWith(":")) continue;
    if (FRAMING_FIELDS.has(lower)) {
      if (!isUsual(lower, value, origin)) {
        lost.push(`Left out header ${name}: the engine writes it.`);
      }
      continue;
    }
    if (isDefault(lower, value, body)) continue;
    const sendable = TOKEN.test(name) && badInValue(value) === undefined;
    const isNoise = NOISE.test(name) || isBrowsers && CONDITIONS.test(name);
    if (isNoise || !sendable) dropped.push(name);
    else kept.push([name, codings(lower, value)]);
  }
  return { headers: kept, dropped, lost };
}

/** Whether a field that frames a request says no more than the engine does. */
function isUsual(lower: string, value: string, origin: string): boolean {
  if (lower !== "host") return USUAL.test(`${lower}:${value}`);
  const [scheme = ""] = origin.split("//");
  return URL.parse(`${scheme}//${value}`)?.origin === origin;
}

const USUAL =
  /^(?:content-length:.*|keep-alive:.*|te:\s*trailers|(?:proxy-)?connection:\s*keep-alive)$/i;

/** Said by the engine, or as good as not said. */
function isDefault(
  lower: string,
  value: string,
  body: RequestBody | undefined,
): boolean {
  if (lower === "accept") return value.trim() === "*/*";
  if (lower !== "content-type") return false;
  if (!body) return value === "";
  if ("unsendable" in body) return true;
  // An empty one is sent as none; the type of a file is another one by its ending.
  if (value === "" || "file" in body) return false;
  if ("text" in body) return /^text\/plain\s*;\s*charset=utf-8$/i.test(value);
  if ("form" in body) {
    return /^application\/x-www-form-urlencoded$/i.test(value);
  }
  return !("json" in body) ||
    /^application\/json(?:\s*;\s*charset=utf-8)?$/i.test(value);
}

/** A response is read in these codings alone. */
function codings(lower: string, value: string): string {
  if (lower !== "accept-encoding") return value;
  const read = value.split(/,\s*/).filter((each) =>
    /^(?:gzip|deflate|br|identity)\b/i.test(each)
  );
  return read.join(", ");
}
