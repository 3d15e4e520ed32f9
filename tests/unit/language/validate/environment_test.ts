import { deepEqual } from "node:assert/strict";
import type { Flow } from "../../../../lib/language/ir.ts";
import { referencedEnv } from "../../../../lib/language/validate/environment.ts";
import { registry } from "../../../../lib/steps/registry.ts";

const FLOW: Flow = {
  ir: 1,
  flow: "x",
  profile: { mode: "integration", vus: 1 },
  steps: [
    {
      id: "a",
      kind: "call",
      block: {
        method: "POST",
        url: "https://a.example/{{ env.PART }}",
        headers: { "X-A": "{{ env.A }}{{ env.A }}" },
        body: { deep: [{ b: "x {{ env.B }}" }], "{{ env.KEY }}": "{{ v }}" },
      },
      auth: {
        scheme: "oauth2_client_credentials",
        token_url: "https://id.example/token",
        client_id: "x",
        client_secret: "{{ env.SECRET }}",
        scopes: ["{{ env.A }}"],
      },
      on_failure: "record",
    },
    { id: "b", kind: "wait", block: { duration_us: 1 }, on_failure: "record" },
    {
      id: "c",
      kind: "call",
      block: { method: "GET", url: "https://{{ env.HOST }}/x" },
      on_failure: "record",
    },
    {
      id: "d",
      kind: "call",
      block: { method: "GET", url: "/relative/{{ env.PART }}" },
      auth: {
        scheme: "hmac",
        secret: "{{ env.SECRET }}",
        sign: "{method} {{ env.NOT_A_TEMPLATE }}",
      },
      on_failure: "record",
    },
  ],
};

Deno.test("referencedEnv() lists each variable with every location that uses it", () => {
  deepEqual(Object.fromEntries(referencedEnv(FLOW, registry)), {
    PART: ["/steps/0/block/url", "/steps/3/block/url"],
    A: ["/steps/0/block/headers/X-A", "/steps/0/auth/scopes/0"],
    B: ["/steps/0/block/body/deep/0/b"],
    SECRET: ["/steps/0/auth/client_secret", "/steps/3/auth/secret"],
    HOST: ["/steps/2/block/url"],
  });
});
