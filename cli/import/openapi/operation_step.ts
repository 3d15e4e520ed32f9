import { isObject, type JsonObject } from "../../../lib/base/values/json.ts";
import type { HttpRequest } from "../draft/http_request.ts";
import { betweenWords, kebabCase } from "../draft/names.ts";
import {
  type StepTools,
  within,
  writeStep,
  type WrittenStep,
} from "../draft/step_writer.ts";
import type { Examples } from "./examples.ts";
import type { OpenapiDocument } from "../../../lib/openapi/description.ts";
import { NO_HOST, type Operation } from "../../../lib/openapi/operations.ts";
import { type HeaderList, TOKEN } from "../../../lib/base/values/headers.ts";
import { hasStyles, styledParameter } from "./parameter_style.ts";
import { bodyOf } from "./operation_body.ts";
import { scopesOf } from "../draft/step_headers.ts";

/** The tools that all steps of a description are made with. */
interface OperationTools extends StepTools {
  readonly document: OpenapiDocument;
  readonly examples: Examples;
  readonly baseUrl: string;
}

/** The step of an operation: required parameters, a body, the documented status. */
export function operationStep(
  operation: Operation,
  tools: OperationTools,
): WrittenStep {
  const { ids } = tools;
  const { madeUp, lost }: Shortfalls = { madeUp: [], lost: [] };
  const security = secured(operation, tools);
  const { auth, headers, comments } = security;
  const parameters = operation.parameters
    .filter((each) => !isWritten(each, security));
  const request = within(
    `${operation.method} ${operation.path}`,
    () => requestOf({ ...operation, parameters }, tools, { madeUp, lost }),
  );
  const { step } = writeStep(
    { ...request, headers: [...request.headers, ...headers] },
    {
      ...tools,
      isAuthorized: auth !== undefined,
      ids: {
        of: (method, path) =>
          // One in other letters gives no id.
          operation.id === undefined || kebabCase(operation.id, 60) === ""
            ? ids.of(method, path)
            : ids.unique(betweenWords(operation.id, "-")),
        unique: (base) => ids.unique(base),
      },
    },
  );
  const { auth: found, ...rest } = step;
  const chosen = auth ?? found;
  return {
    origin: tools.baseUrl,
    step: {
      ...rest,
      ...(chosen && { auth: chosen }),
      assert: statusChecks(operation.responses),
      onFailure: "record",
      lost: [...step.lost, ...lost],
      comments: [
        ...operation.summary === undefined
          ? []
          : [operation.summary.replaceAll(/\s+/g, " ")],
        ...step.comments,
        ...comments,
        ...madeUp.length > 0
          ? [`Made up, for want of an example: ${madeUp.join(", ")}.`]
          : [],
      ],
    },
  };
}

/** How a request falls short of its description. */
interface Shortfalls {
  /** Names of what has no example. */
  readonly madeUp: string[];
  /** Sentences. */
  readonly lost: string[];
}

function requestOf(
  operation: Operation,
  { document, examples }: OperationTools,
  { madeUp, lost }: Shortfalls,
): HttpRequest {
  const { method, parameters } = operation;
  let { path } = operation;
  const query: string[] = [];
  const headers: [string, string][] = [];
  const cookies: string[] = [];
  for (const each of parameters) {
    const name = String(each["name"]);
    const location = each["in"];
    if (each["required"] !== true && location !== "path") continue;
    if (location === "header" && OF_HTTP.test(name)) continue;
    if (!hasStyles(each)) continue;
    const { value, madeUp: made } = examples.ofParameter(each);
    if (made) madeUp.push(name);
    const styled = styledParameter(each, value);
    lost.push(...styled.lost);
    const { text } = styled;
    if (location === "path") path = path.replaceAll(`{${name}}`, () => text);
    else if (location === "header") headers.push([name, text]);
    else if (location === "cookie") cookies.push(text);
    else if (text !== "") query.push(text);
  }
  if (cookies.length > 0) headers.push(["Cookie", cookies.join("; ")]);
  const { body, type } = bodyOf(operation.body, document, examples, madeUp);
  if (type !== undefined) headers.push(["Content-Type", type]);
  // What is left in braces was never described.
  path = path.replaceAll(/\{([^{}]*)\}/g, (_, name: string) => {
    madeUp.push(name);
    return encodeURIComponent(name);
  });
  return {
    method,
    url: `${NO_HOST}${path}${query.length > 0 ? `?${query.join("&")}` : ""}`,
    headers,
    ...(body && { body }),
  };
}

/** Said by other parts of a description. */
const OF_HTTP = /^(?:accept|content-type|authorization)$/i;

/** The documented success: the lowest of them, or all of a kind. */
function statusChecks(responses: JsonObject): string[] {
  const codes = Object.keys(responses).map((each) => each.toUpperCase());
  const exact = codes.filter((each) => /^[23]\d\d$/.test(each)).sort()[0];
  if (exact !== undefined) return [`status == ${exact}`];
  const range = codes.find((each) => /^[23]XX$/.test(each));
  if (range === undefined) return [];
  const from = Number(range[0]) * 100;
  return [`status >= ${from}`, `status < ${from + 100}`];
}

/** How an operation is authorized, in the words of a flow. */
interface Secured {
  readonly auth?: JsonObject;
  /** Credentials beside the first. */
  readonly headers: HeaderList;
  readonly comments: readonly string[];
}

/** The first requirement that a step can fulfil; without one, the first that names a scheme. */
function secured(
  { security }: Operation,
  { document: { root, resolve }, ...tools }: OperationTools,
): Secured {
  const declared = resolve(resolve(root["components"])["securitySchemes"]);
  const alternatives = security.map((each) =>
    Object.entries(each).map(([name, scopes]) => ({
      name,
      scopes: scopesOf(scopes),
      scheme: resolve(
        Object.hasOwn(declared, name) ? declared[name] : undefined,
      ),
    }))
  ).filter((each) => each.length > 0);
  const required =
    alternatives.find((each) =>
      each.every(({ scheme }) => isKnown(scheme)) &&
      each.filter(({ scheme }) => !isHeaderKey(scheme)).length <= 1
    ) ?? alternatives[0] ?? [];
  let auth: JsonObject | undefined;
  const headers: [string, string][] = [];
  const comments: string[] = [];
  // A key beside the `auth` of a step is a header like any other.
  const keysLast = required.toSorted((a, b) =>
    Number(isHeaderKey(a.scheme)) - Number(isHeaderKey(b.scheme))
  );
  for (const { name, scopes, scheme } of keysLast) {
    const made = authOf(scheme, scopes, name, tools);
    if (!made) comments.push(`Requires \`${name}\`, which no auth scheme is.`);
    else if (!auth) auth = made;
    else if (isHeaderKey(scheme)) {
      headers.push([String(made["name"]), String(made["value"])]);
    } else comments.push(`Also requires \`${name}\`; a step has one auth.`);
  }
  return { ...(auth && { auth }), headers, comments };
}

/** Whether the auth of a step writes a parameter, which is not said twice. */
function isWritten(
  { in: place, name }: JsonObject,
  { auth = {}, headers }: Secured,
): boolean {
  const written = auth["scheme"] === "cookie"
    ? "cookie"
    : auth["in"] ?? "header";
  const isSame = (other: unknown) =>
    String(other).toLowerCase() === String(name).toLowerCase();
  return (place === written && isSame(auth["name"])) ||
    (place === "header" && headers.some(([other]) => isSame(other)));
}

function isHeaderKey(scheme: JsonObject): boolean {
  return scheme["type"] === "apiKey" && scheme["in"] === "header";
}

/** Whether there is an auth scheme of a flow for it. */
function isKnown({ type, scheme, name }: JsonObject): boolean {
  switch (type) {
    case "http":
      return /^(?:basic|bearer)$/i.test(String(scheme));
    case "apiKey":
      return TOKEN.test(String(name));
    default:
      return type === "oauth2" || type === "openIdConnect";
  }
}

function authOf(
  scheme: JsonObject,
  scopes: readonly string[],
  name: string,
  { env, baseUrl }: Pick<OperationTools, "env" | "baseUrl">,
): JsonObject | undefined {
  const variable = (likeness: string, about: string) =>
    env.templateOf(`${name} ${likeness}`, likeness, `${about} (${name})`);
  if (!isKnown(scheme)) return;
  switch (scheme["type"]) {
    case "http":
      return /^basic$/i.test(String(scheme["scheme"]))
        ? {
          scheme: "basic",
          username: variable("API_USERNAME", "user of basic auth"),
          password: variable("API_PASSWORD", "password of basic auth"),
        }
        : { scheme: "bearer", token: variable("API_TOKEN", "bearer token") };
    case "apiKey":
      return keyAuth(scheme, variable);
    default:
      return oauth2(scheme, scopes, variable, baseUrl);
  }
}

type Variable = (likeness: string, about: string) => string;

function keyAuth(scheme: JsonObject, variable: Variable): JsonObject {
  const field = String(scheme["name"]);
  const value = variable(field, `${scheme["in"]} ${field}`);
  if (scheme["in"] === "cookie") {
    return { scheme: "cookie", name: field, value };
  }
  return {
    scheme: "api_key",
    ...(scheme["in"] === "query" && { in: "query" }),
    name: field,
    value,
  };
}

function oauth2(
  scheme: JsonObject,
  scopes: readonly string[],
  variable: Variable,
  baseUrl: string,
): JsonObject {
  const flows = isObject(scheme["flows"]) ? scheme["flows"] : {};
  const flow = flows["clientCredentials"];
  const url = isObject(flow) ? flow["tokenUrl"] : undefined;
  // A relative one is that of the server.
  const token = typeof url === "string" ? URL.parse(url, `${baseUrl}/`) : null;
  if (!token || token.origin === NO_HOST || !/^https?:$/.test(token.protocol)) {
    return {
      scheme: "bearer",
      token: variable("ACCESS_TOKEN", "access token"),
    };
  }
  return {
    scheme: "oauth2_client_credentials",
    token_url: token.origin + token.pathname,
    client_id: variable("CLIENT_ID", "client id"),
    client_secret: variable("CLIENT_SECRET", "client secret"),
    ...(scopes.length > 0 && { scopes }),
  };
}
