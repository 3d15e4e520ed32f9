import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { schemes } from "../../../../lib/steps/registry.ts";
import { DEMO_CREDENTIALS } from "../../../../cli/demo/shop.ts";
import { apply } from "../../../contract/auth_contract.ts";
import {
  defaultsOf,
  draftOf,
  recordingTools,
  scopeOf,
} from "../../steps/auth/recording_tools.ts";
import { demoTest } from "./visitor.ts";

const { clientId, clientSecret } = DEMO_CREDENTIALS;
const BASIC = `Basic ${btoa(`${clientId}:${clientSecret}`)}`;

/** What our own schemes send, against what the demo target wants. */
const accepted = [
  ["bearer", "/auth/bearer", { token: "{{ env.token }}" }],
  ["basic", "/auth/basic", {
    username: "{{ env.username }}",
    password: "{{ env.password }}",
  }],
  ["api_key", "/auth/api-key", {
    name: "X-Api-Key",
    value: "{{ env.apiKey }}",
  }],
  ["api_key", "/auth/api-key", {
    name: "api_key",
    value: "{{ env.apiKey }}",
    in: "query",
  }],
  ["cookie", "/auth/cookie", { name: "session", value: "{{ env.session }}" }],
] as const;

for (const [name, path, block] of accepted) {
  demoTest(
    `demo: ${path} takes what ${name} sends (${
      Object.keys(block)
    }), and nothing else`,
    async (ask) => {
      const scheme = schemes.get(name)!;
      const authorizer = scheme.prepare(
        { scheme: name, ...defaultsOf(scheme), ...block },
        recordingTools({ ...DEMO_CREDENTIALS }),
      );
      const { headers, query, cookie } = await apply(authorizer, scopeOf());
      const parameters = new URLSearchParams(
        query.map(([key, value]) => [key, value]),
      );
      const sent = cookie
        ? { cookie: `other=1; ${cookie.join("=")}` }
        : Object.fromEntries(headers);
      const seen = await ask(`GET ${path}?${parameters}`, { headers: sent });
      deepStrictEqual([seen.status, seen.body], [200, { ok: true }]);
      strictEqual((await ask(`GET ${path}`)).status, 401);
    },
  );
}

for (const method of ["GET", "POST"]) {
  demoTest(
    `demo: /auth/hmac takes what hmac sends, for ${method}`,
    async (ask, clock) => {
      const scheme = schemes.get("hmac")!;
      const tools = recordingTools({ ...DEMO_CREDENTIALS });
      tools.clock.time = clock.ms;
      const { sign } = scheme.prepare({
        scheme: "hmac",
        ...defaultsOf(scheme),
        secret: "{{ env.hmacSecret }}",
        key_id: DEMO_CREDENTIALS.hmacKeyId,
        timestamp_header: "X-Timestamp",
      }, tools);
      const body = method === "POST" ? { a: 1 } : undefined;
      const draft = draftOf({
        method,
        path: "/auth/hmac",
        body: new TextEncoder().encode(body ? JSON.stringify(body) : ""),
      });
      const headers = Object.fromEntries(sign!(draft, scopeOf()));
      const status = async () =>
        (await ask(`${method} /auth/hmac?x=1`, { headers, body })).status;
      strictEqual(await status(), 200);
      clock.ms += 301_000;
      strictEqual(await status(), 401);
      clock.ms -= 301_000;
      headers["X-Signature"] = "0".repeat(64);
      strictEqual(await status(), 401);
    },
  );
}

const grants = [
  ["HTTP Basic", { authorization: BASIC }, {}, 200],
  ["the form", {}, { client_id: clientId, client_secret: clientSecret }, 200],
  ["nothing", {}, {}, 401],
  ["a wrong secret", {}, { client_id: clientId, client_secret: "x" }, 401],
] as const;

for (const [how, headers, more, expected] of grants) {
  demoTest(
    `demo: /oauth/token with the client in ${how} returns ${expected}`,
    async (ask) => {
      const { status, body } = await ask("POST /oauth/token", {
        headers,
        form: { grant_type: "client_credentials", ...more },
      });
      strictEqual(status, expected);
      if (expected !== 200) return strictEqual(body.error, "invalid_client");
      deepStrictEqual([body.token_type, body.expires_in], ["Bearer", 3600]);
      const authorization = `Bearer ${body.access_token}`;
      const known = await ask("GET /auth/bearer", {
        headers: { authorization },
      });
      strictEqual(known.status, 200);
    },
  );
}

demoTest("demo: /oauth/token knows one grant type", async (ask) => {
  const { status, body } = await ask("POST /oauth/token", {
    headers: { authorization: BASIC },
    form: { grant_type: "password" },
  });
  deepStrictEqual([status, body.error], [400, "unsupported_grant_type"]);
});
