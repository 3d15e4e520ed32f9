import { Buffer } from "node:buffer";
import { createHmac, hash } from "node:crypto";
import { DEMO_CREDENTIALS, tokenOf, userOf } from "./shop.ts";
import {
  type Handler,
  jsonResponse,
  refuse,
  type RequestContext,
  type Routes,
} from "./route.ts";

/** Seconds by which a signature's time may differ from the server's. */
const SKEW = 300;

const BASIC = basicOf(DEMO_CREDENTIALS.username, DEMO_CREDENTIALS.password);
const CLIENT = basicOf(
  DEMO_CREDENTIALS.clientId,
  DEMO_CREDENTIALS.clientSecret,
);

/** One endpoint for each auth scheme, and the token endpoint. */
export const credentialRoutes: Routes = {
  "GET /auth/bearer": ({ request }) => verdict(userOf(request) !== undefined),
  "GET /auth/basic": ({ request }) =>
    verdict(request.headers.get("authorization") === BASIC),
  "GET /auth/api-key": ({ request, query }) =>
    verdict(
      (request.headers.get("x-api-key") ??
        new URLSearchParams(query).get("api_key")) === DEMO_CREDENTIALS.apiKey,
    ),
  "GET /auth/cookie": ({ request }) =>
    verdict(
      (request.headers.get("cookie") ?? "").split("; ")
        .includes(`session=${DEMO_CREDENTIALS.session}`),
    ),
  "POST /oauth/token": giveToken,
  "GET /auth/hmac": checkSignature,
  "POST /auth/hmac": checkSignature,
};

function verdict(known: boolean): Response {
  return known
    ? jsonResponse(200, { ok: true })
    : refuse(401, "the credential is missing or wrong");
}

/** RFC 6749 section 4.4: HTTP Basic, or the credentials in the form. */
async function giveToken({ request }: RequestContext): Promise<Response> {
  const form = new URLSearchParams(await request.text());
  if (form.get("grant_type") !== "client_credentials") {
    return refuse(400, "unsupported_grant_type");
  }
  const inForm = form.get("client_id") === DEMO_CREDENTIALS.clientId &&
    form.get("client_secret") === DEMO_CREDENTIALS.clientSecret;
  if (!inForm && request.headers.get("authorization") !== CLIENT) {
    return refuse(401, "invalid_client");
  }
  return jsonResponse(200, {
    access_token: tokenOf(DEMO_CREDENTIALS.clientId),
    token_type: "Bearer",
    expires_in: 3_600,
  });
}

/**
 * Checks a signature of the default string, hex SHA-256 in `X-Signature`, with
 * the time in `X-Timestamp` and the key in `X-Key-Id`.
 */
async function checkSignature(
  { request, path, clock }: Parameters<Handler>[0],
): Promise<Response> {
  const { headers } = request;
  if (headers.get("x-key-id") !== DEMO_CREDENTIALS.hmacKeyId) {
    return refuse(401, "`X-Key-Id` names no key");
  }
  const timestamp = headers.get("x-timestamp") ?? "";
  if (!(Math.abs(clock.wall() / 1_000 - Number(timestamp)) <= SKEW)) {
    return refuse(401, "`X-Timestamp` is not the time");
  }
  const body = Buffer.from(await request.arrayBuffer());
  const digest = hash("sha256", body);
  const expected = createHmac("sha256", DEMO_CREDENTIALS.hmacSecret)
    .update(`${request.method}\n${path}\n${timestamp}\n${digest}`)
    .digest("hex");
  return headers.get("x-signature") === expected
    ? jsonResponse(200, { ok: true })
    : refuse(401, "`X-Signature` does not fit the request");
}

/** The `Authorization` value of a user with HTTP Basic (RFC 7617). */
function basicOf(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString("base64")}`;
}
