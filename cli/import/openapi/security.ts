import { TOKEN } from "../../../lib/base/values/field_names.ts";
import {
  isObject,
  type JsonObject,
  type JsonValue,
} from "../../../lib/base/values/json.ts";
import type { EnvNames } from "../draft/credentials.ts";
import type { OpenapiDocument, Operation } from "./openapi_file.ts";

/** How an operation is authorized, in the words of a flow. */
interface Secured {
  readonly auth?: JsonObject;
  /** Credentials beside the first. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly comments: readonly string[];
}

/** The first requirement that names a scheme. */
export function secured(
  { security }: Operation,
  { root, resolve }: OpenapiDocument,
  env: EnvNames,
): Secured {
  const required = security.find((each) => Object.keys(each).length > 0);
  if (!required) return { headers: [], comments: [] };
  const schemes = resolve(resolve(root["components"])["securitySchemes"]);
  let auth: JsonObject | undefined;
  const headers: [string, string][] = [];
  const comments: string[] = [];
  for (const [name, scopes] of Object.entries(required)) {
    const scheme = resolve(
      Object.hasOwn(schemes, name) ? schemes[name] : undefined,
    );
    const made = authOf(scheme, scopesOf(scopes), name, env);
    if (!auth) auth = made;
    else if (made?.["scheme"] === "api_key" && made["in"] !== "query") {
      headers.push([String(made["name"]), String(made["value"])]);
    } else comments.push(`Also requires \`${name}\`; a step has one auth.`);
    if (!made) comments.push(`Requires \`${name}\`, which no auth scheme is.`);
  }
  return { ...(auth && { auth }), headers, comments };
}

function authOf(
  scheme: JsonObject,
  scopes: readonly string[],
  name: string,
  env: EnvNames,
): JsonObject | undefined {
  const variable = (likeness: string, about: string) =>
    env.templateOf(`${name} ${likeness}`, likeness, `${about} (${name})`);
  switch (scheme["type"]) {
    case "http":
      if (/^basic$/i.test(String(scheme["scheme"]))) {
        return {
          scheme: "basic",
          username: variable("API_USERNAME", "user of basic auth"),
          password: variable("API_PASSWORD", "password of basic auth"),
        };
      }
      return /^bearer$/i.test(String(scheme["scheme"]))
        ? { scheme: "bearer", token: variable("API_TOKEN", "bearer token") }
        : undefined;
    case "apiKey":
      return TOKEN.test(String(scheme["name"]))
        ? keyAuth(scheme, variable)
        : undefined;
    case "oauth2":
    case "openIdConnect":
      return oauth2(scheme, scopes, variable);
    default:
      return undefined;
  }
}

/** As RFC 6749 (section 3.3) spells them, without braces, which are templates. */
function scopesOf(scopes: JsonValue): string[] {
  return Array.isArray(scopes)
    ? scopes.filter((each) =>
      typeof each === "string" && /^[!#-[\]-z|~]+$/.test(each)
    )
    : [];
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
): JsonObject {
  const flows = isObject(scheme["flows"]) ? scheme["flows"] : {};
  const flow = flows["clientCredentials"];
  const url = isObject(flow) ? flow["tokenUrl"] : undefined;
  const token = typeof url === "string" ? URL.parse(url) : null;
  if (!token || !/^https?:$/.test(token.protocol)) {
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
