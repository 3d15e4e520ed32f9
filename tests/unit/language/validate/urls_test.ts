import { deepEqual } from "node:assert/strict";
import type { Flow } from "../../../../lib/language/ir.ts";
import { checkHosts } from "../../../../lib/language/validate/urls.ts";
import { registry } from "../../../../lib/steps/registry.ts";

const call = (id: string, url: string) => ({
  id,
  kind: "call",
  block: { method: "GET", url },
  on_failure: "record" as const,
});

const FLOW: Flow = {
  ir: 1,
  flow: "x",
  profile: { mode: "integration", vus: 1 },
  steps: [
    {
      ...call("a", "https://a.example/{{ env.PART }}"),
      auth: {
        scheme: "oauth2_client_credentials",
        token_url: "https://id.example/token",
        client_id: "x",
        client_secret: "{{ env.SECRET }}",
      },
    },
    call("b", "https://{{ env.HOST }}/x"),
    call("c", "/relative/{{ env.PART }}"),
  ],
};

Deno.test("checkHosts() asks about every host that is known before the run", () => {
  const asked: string[] = [];
  checkHosts(FLOW, registry, (url) => void asked.push(url), () => {});
  deepEqual(asked, [
    "https://a.example/",
    "https://id.example/token",
    "/relative/",
  ]);
});

Deno.test("checkHosts() reports the refused URL at its location", () => {
  const found: string[] = [];
  checkHosts(
    FLOW,
    registry,
    (url) =>
      url.includes("id.example") ? { message: "no", hint: "ask" } : undefined,
    ({ at, code, message, hint }) =>
      found.push([JSON.stringify(at), code, message, hint].join(" ")),
  );
  deepEqual(found, [
    '{"pointer":"/steps/0/auth/token_url","inside":"https://id.example/token"} forbidden-host no ask',
  ]);
});
