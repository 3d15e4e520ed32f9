import { ifPossible } from "../../base/values/if_possible.ts";
import { readable } from "../../base/values/canonical.ts";
import { isObject, type JsonValue } from "../../base/values/json.ts";
import { AuthError, THROTTLED } from "./scheme.ts";

/** The response of the token endpoint. */
export interface TokenEndpointResponse {
  readonly status: number;
  readonly body: string;
  /** Milliseconds that `Retry-After` asks for. */
  readonly retryAfterMs?: number | undefined;
}

/** The error of an endpoint in place of a token. */
export class TokenRefusal extends AuthError {
  /** How long it wants to be left alone at the least. */
  readonly retryAfterMs: number | undefined;

  constructor(
    message: string,
    { status, retryAfterMs }: Omit<TokenEndpointResponse, "body">,
  ) {
    const throttled = status === 429;
    // Wrong credentials do not become right.
    const passes = throttled || status >= 500;
    super(
      throttled ? THROTTLED : "token-status",
      message,
      undefined,
      passes ? status : undefined,
    );
    this.retryAfterMs = retryAfterMs;
  }
}

interface FetchedToken {
  readonly token: string;
  /** Seconds; undefined when the endpoint does not say. */
  readonly expiresIn: number | undefined;
}

/** Whether a status says that there is a token: 200, and 201 in the field. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

/**
 * Reads a successful response (RFC 6749 section 5.1). An absent `token_type` is
 * taken for bearer, and `expires_in` may be a number written as a string: both
 * are common in the field.
 *
 * @throws {AuthError} when there is no bearer token in it
 */
export function readToken(
  response: TokenEndpointResponse,
  url: string,
): FetchedToken {
  const { status, body } = response;
  if (!isSuccess(status)) {
    throw new TokenRefusal(
      `token endpoint \`${url}\` must respond with status 200, but it responded with ${status}${
        reason(body)
      }`,
      response,
    );
  }
  const fields = parse(body);
  if (!isObject(fields)) {
    throw new AuthError(
      "token-not-json",
      `token endpoint \`${url}\` must respond with a JSON object, but the body is ${
        sort(body, fields)
      }`,
    );
  }
  const { access_token: token, token_type: type = "bearer" } = fields;
  if (typeof token !== "string" || token === "") {
    throw new AuthError(
      "token-missing",
      `token endpoint \`${url}\` responded with status ${status} ${
        token === undefined
          ? `without an \`access_token\`${reason(body)}`
          : "with an `access_token` that is empty or no text"
      }`,
    );
  }
  if (typeof type !== "string" || type.toLowerCase() !== "bearer") {
    throw new AuthError(
      "token-type",
      `\`token_type\` from \`${url}\` must be bearer, but it is ${
        readable(type)
      }`,
    );
  }
  return { token, expiresIn: readLifetime(fields.expires_in, url) };
}

/** ` (code: description)` of an error response (RFC 6749 section 5.2), or nothing. */
export function reason(body: string): string {
  const fields = parse(body);
  if (!isObject(fields) || typeof fields.error !== "string") return "";
  const { error, error_description: description } = fields;
  return typeof description === "string"
    ? ` (${error}: ${description})`
    : ` (${error})`;
}

function readLifetime(
  value: JsonValue | undefined,
  url: string,
): number | undefined {
  if (value === undefined || value === null) return undefined;
  const seconds = typeof value === "string" && /^\d+(\.\d+)?$/.test(value)
    ? Number(value)
    : value;
  if (typeof seconds === "number" && seconds >= 0) return seconds;
  throw new AuthError(
    "token-lifetime",
    `\`expires_in\` from \`${url}\` must be a number of seconds, 0 or more, but it is ${
      readable(value)
    }`,
  );
}

/** The kind of text that was there instead; never the text itself, which may hold a token. */
function sort(body: string, fields: unknown): string {
  if (fields !== undefined) return "other JSON";
  return body.trim() === "" ? "an empty body" : "text that is not JSON";
}

function parse(body: string): JsonValue | undefined {
  return ifPossible(() => JSON.parse(body), undefined);
}
