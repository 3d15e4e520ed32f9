import { deepEqual, equal } from "node:assert/strict";
import type { Target } from "../../../../lib/language/ir.ts";
import { readTargetInput } from "../../../../lib/language/flow/input.ts";
import { registry } from "../../../../lib/steps/registry.ts";
import { Reader } from "../../../../lib/language/source/reader.ts";
import { yamlInput } from "../../../support/run_in_process.ts";

const HEAD = "name: staging\nbase_urls: [https://example.com/api]\n";
const BARE: Target = {
  name: "staging",
  base_urls: ["https://example.com/api"],
  request_timeout_us: 30_000_000,
};

function parse(text: string): [Target | undefined, string[]] {
  const reader = new Reader("target.yaml");
  const target = readTargetInput(yamlInput("f", text), registry, reader);
  return [target, reader.diagnostics.found.map(({ code }) => code)];
}

const READ: readonly [why: string, text: string, more: Partial<Target>][] = [
  ["the required keys alone", "", {}],
  ["0 as unset", "max_vus: 0\nmax_rps: 0\nrequest_timeout: 0\n", {}],
  ["0s as the default timeout", "request_timeout: 0s\n", {}],
  ["ceilings", "max_vus: 50\nmax_rps: 200\n", { max_vus: 50, max_rps: 200 }],
  ["a timeout", "request_timeout: 1.5s\n", { request_timeout_us: 1_500_000 }],
  ["an agent's address", "agent_addr: 10.0.0.5:9090\n", {
    agent_addr: "10.0.0.5:9090",
  }],
  ["an IPv6 agent", 'agent_addr: "[::1]:9090"\n', { agent_addr: "[::1]:9090" }],
  ["modes", "disallowed_modes: [stress, soak]\n", {
    disallowed_modes: ["stress", "soak"],
  }],
  ["an empty list of modes", "disallowed_modes: []\n", {}],
];

for (const [why, text, more] of READ) {
  Deno.test(`readTargetInput() reads ${why}`, () => {
    deepEqual(parse(HEAD + text), [{ ...BARE, ...more }, []]);
  });
}

const URLS: readonly [url: string, code: string][] = [
  ["http://localhost:8080", ""],
  ["https://example.com", ""],
  ["HTTPS://Example.COM/base/", ""],
  ["http://[::1]:8080/x", ""],
  ["grpcs://example.com:443", ""],
  ["wss://example.com/socket", ""],
  ["example.com", "bad-base-url"],
  ["example.com:8080", "bad-base-url"],
  ["//example.com", "bad-base-url"],
  ["file:///etc/passwd", "bad-base-url"],
  ["https://", "bad-base-url"],
  ["https://exa mple.com", "bad-base-url"],
  ["https://example.com:99999", "bad-base-url"],
  ["https://example.com:0", "bad-base-url"],
  ["https://a..b", "bad-base-url"],
  ["https://a,b", "bad-base-url"],
  ["https://ex%61mple.com", "bad-base-url"],
  ["https:///path", "bad-base-url"],
  ["https://b\u00fccher.example", ""],
  ["https://example.com\\@evil.com", "bad-base-url"],
  ["https://example.com?x=1", "bad-base-url"],
  ["https://example.com/#top", "bad-base-url"],
  ["https://user@example.com", "credentials-in-target"],
  ["https://user:pass@example.com/x", "credentials-in-target"],
  ["https://@example.com", "credentials-in-target"],
  ["https://{{ env.HOST }}", "template-not-allowed"],
  ["", "bad-base-url"],
];

for (const [url, code] of URLS) {
  Deno.test(`readTargetInput() ${code ? `refuses (${code})` : "takes"} the base URL "${url}"`, () => {
    const [, found] = parse(`name: x\nbase_urls: [${JSON.stringify(url)}]\n`);
    equal(found.join(), code);
  });
}

const ADDRESSES: readonly [address: string, code: string][] = [
  ["host:1", ""],
  ["host:65535", ""],
  ["host:65536", "bad-address"],
  ["host:0", "bad-address"],
  ["host", "bad-address"],
  [":9090", "bad-address"],
  ["::1:9090", "bad-address"],
  ["http://host:9090", "bad-address"],
  ["user@host:9090", "bad-address"],
  ["host:9090/metrics", "bad-address"],
];

for (const [address, code] of ADDRESSES) {
  Deno.test(`readTargetInput() ${code ? "refuses" : "takes"} the agent at "${address}"`, () => {
    const [, found] = parse(`${HEAD}agent_addr: "${address}"\n`);
    equal(found.join(), code);
  });
}
