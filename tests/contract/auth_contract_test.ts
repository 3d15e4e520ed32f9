import { deepStrictEqual } from "node:assert/strict";
import { createHmac } from "node:crypto";
import { schemes } from "../../lib/steps/registry.ts";
import { scopeOf } from "../unit/steps/auth/recording_tools.ts";
import { type AuthCase, authContract } from "./auth_contract.ts";

const NO_BODY =
  "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

const cases: Readonly<Record<string, Omit<AuthCase, "scheme">>> = {
  none: {
    block: {},
    env: {},
    expected: { headers: [], query: [] },
    secrets: [],
  },
  bearer: {
    block: { token: "{{ env.TOKEN }}" },
    env: { TOKEN: "t-1" },
    expected: { headers: [["Authorization", "Bearer t-1"]], query: [] },
    // From the environment, so the registry has it already.
    secrets: [],
  },
  basic: {
    block: { username: "Aladdin", password: "{{ env.PASSWORD }}" },
    env: { PASSWORD: "open sesame" },
    // RFC 7617 section 2.
    expected: {
      headers: [["Authorization", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="]],
      query: [],
    },
    secrets: ["QWxhZGRpbjpvcGVuIHNlc2FtZQ=="],
  },
  api_key: {
    block: { name: "X-Api-Key", value: "{{ env.KEY }}" },
    env: { KEY: "k-1" },
    expected: { headers: [["X-Api-Key", "k-1"]], query: [] },
    secrets: [],
  },
  cookie: {
    block: { name: "session", value: "{{ env.SESSION }}" },
    env: { SESSION: "s-1" },
    expected: { headers: [], query: [], cookie: ["session", "s-1"] },
    secrets: [],
  },
  oauth2_client_credentials: {
    block: {
      token_url: "http://127.0.0.1/token",
      client_id: "app",
      client_secret: "{{ env.SECRET }}",
    },
    env: { SECRET: "s" },
    expected: { headers: [["Authorization", "Bearer fetched-1"]], query: [] },
    change(tools) {
      tools.held = "fetched-2";
      return scopeOf();
    },
    // The token source registers what it fetches: tokens_test.ts.
    secrets: [],
  },
  hmac: {
    block: { secret: "{{ env.SECRET }}" },
    env: { SECRET: "s" },
    expected: {
      headers: [[
        "X-Signature",
        createHmac("sha256", "s").update(`GET\n/\n0\n${NO_BODY}`).digest("hex"),
      ]],
      query: [],
    },
    change(tools) {
      tools.clock.time = 1_000;
      return scopeOf();
    },
    // The signature is the one derived value that stays readable.
    secrets: [],
  },
};

for (const [name, scheme] of schemes) {
  const each = cases[name];
  if (each) authContract({ scheme, ...each });
}

Deno.test("schemes: each has its case, under its own name", () => {
  deepStrictEqual([...schemes.keys()].sort(), Object.keys(cases).sort());
  deepStrictEqual(
    [...schemes].filter(([name, scheme]) => name !== scheme.name),
    [],
  );
});
