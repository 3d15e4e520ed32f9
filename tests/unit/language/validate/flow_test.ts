import { deepEqual } from "node:assert/strict";
import type { Flow, Step } from "../../../../lib/language/ir.ts";
import { registry } from "../../../../lib/steps/registry.ts";
import { validateFlow } from "../../../../lib/language/validate/flow.ts";

/*
 * Rules that YAML cannot break, or breaks in another way. The rest have golden
 * cases in tests/golden/diagnostics.
 */
const CALL: Step = {
  id: "a",
  kind: "call",
  block: { method: "GET", url: "/" },
  on_failure: "record",
};

function flow(steps: readonly Partial<Step>[], rest: Partial<Flow> = {}): Flow {
  return {
    ir: 1,
    flow: "x",
    profile: { mode: "integration", vus: 1 },
    steps: steps.map((step, index) => ({ ...CALL, id: `s${index}`, ...step })),
    ...rest,
  };
}

function messages(input: Flow): string[] {
  const found: string[] = [];
  validateFlow(
    input,
    registry,
    ({ at, code }) =>
      found.push(`${typeof at === "string" ? at : at.pointer} ${code}`),
  );
  return found;
}

const pool = (name: string) => ({
  name,
  path: "x.csv",
  format: "csv",
  distribution: "random",
  on_exhausted: "cycle",
} as const);

const call = (block: Step["block"]): Partial<Step> => ({
  block: { method: "GET", url: "/", ...block },
});

const CASES: readonly [why: string, flow: Flow, found: string[]][] = [
  ["takes a plain flow", flow([{}]), []],
  [
    "takes several named pools",
    flow(
      [call({ url: "/{{ cards.id }}/{{ users.id }}" })],
      { pools: [pool("cards"), pool("users")] },
    ),
    [],
  ],
  [
    "refuses a pool twice, and one called env",
    flow([{}], {
      pools: [pool("a"), pool("a"), pool("env")],
    }),
    ["/pools/1/name duplicate-pool", "/pools/2/name duplicate-pool"],
  ],
  [
    "refuses a variable with a pool's name",
    flow(
      [{ extract: { cards: { from: "status" } } }],
      { pools: [pool("cards")] },
    ),
    ["/steps/0/extract/cards reserved-name"],
  ],
  [
    "knows variables taken from headers and status",
    flow([
      {
        extract: {
          tag: { from: "header", name: "ETag" },
          code: { from: "status" },
        },
      },
      call({ headers: { "If-Match": "{{ tag }}", "X-Code": "{{ code }}" } }),
    ]),
    [],
  ],
  [
    "takes the same variable from two steps",
    flow([
      { extract: { t: { from: "status" } } },
      { extract: { t: { from: "status" } } },
      call({ url: "/{{ t }}" }),
    ]),
    [],
  ],
  ["refuses an empty flow", flow([]), ["/steps no-steps"]],
  [
    "refuses an unknown kind, and says no more about that step",
    flow([
      { kind: "soap", block: { url: "{{ nope }}" } },
    ]),
    ["/steps/0/kind unknown-kind"],
  ],
  [
    "says nothing about the empty kind, which was reported",
    flow([{ kind: "", block: {} }]),
    [],
  ],
  [
    "opens the block of a known kind strictly",
    flow([
      { block: { method: "GET", url: "/", extra: 1 } },
      { kind: "wait", block: {} },
    ]),
    ["/steps/0/block/extra unknown-key", "/steps/1/block missing-key"],
  ],
  [
    "refuses common keys where they do not go",
    flow([{
      kind: "wait",
      block: { duration_us: 1 },
      auth: { scheme: "bearer", token: "{{ env.T }}" },
      extract: { v: { from: "status" } },
      assert: [],
      retry: {
        on_status: [503],
        backoff: "fixed",
        max_attempts: 2,
        base_delay_us: 0,
      },
      throttle: {},
    }]),
    [
      "/steps/0/extract key-not-allowed",
      "/steps/0/assert key-not-allowed",
      "/steps/0/retry key-not-allowed",
      "/steps/0/throttle key-not-allowed",
      "/steps/0/auth auth-without-request",
    ],
  ],
  [
    "refuses an unknown scheme and a wrong block",
    flow([
      { auth: { scheme: "digest" } },
      { auth: { scheme: "basic", username: "x" } },
    ]),
    ["/steps/0/auth/scheme unknown-value", "/steps/1/auth missing-key"],
  ],
  [
    "refuses templates that cannot be read",
    flow([call({ body: ["{{ 1 }}"] })]),
    [
      "/steps/0/block/body/0 bad-template",
    ],
  ],
  [
    "refuses paths that cannot be read",
    flow([{
      extract: { v: { from: "body", path: "a" } },
      assert: [{ subject: { kind: "body", path: "b" }, op: "==", value: 1 }],
    }]),
    ["/steps/0/extract/v json-path", "/steps/0/assert/0 json-path"],
  ],
  [
    "refuses line breaks in header values",
    flow([call({ headers: { "X-A": "a\r\nX-B: b" } })]),
    [
      "/steps/0/block/headers/X-A bad-header",
    ],
  ],
  [
    "refuses a clash whatever the letter case",
    flow([{
      ...call({ headers: { "x-KEY": "1", Cookie: "a=b" } }),
      auth: {
        scheme: "api_key",
        name: "X-Key",
        value: "{{ env.K }}",
        in: "header",
      },
    }]),
    ["/steps/0/block/headers/x-KEY auth-header-clash"],
  ],
  [
    "lets a cookie join a declared Cookie header",
    flow([{
      ...call({ headers: { Cookie: "a=b" } }),
      auth: { scheme: "cookie", name: "sid", value: "{{ env.S }}" },
    }]),
    [],
  ],
  [
    "takes a ramp as the end of a run",
    flow([{}], {
      profile: { mode: "stress", vus: { from: 1, to: 9, over_us: 1_000_000 } },
    }),
    [],
  ],
  [
    "refuses a load that nothing ends",
    flow([{}], { profile: { mode: "soak", vus: 5 } }),
    ["/profile/mode unbounded-run"],
  ],
  [
    "refuses a load that is held for no time",
    flow([{}], {
      profile: { mode: "soak", vus: 5, iterations: 9, hold_us: 0 },
    }),
    ["/profile/hold_us no-time"],
  ],
];

for (const [why, input, found] of CASES) {
  Deno.test(`validateFlow() ${why}`, () => deepEqual(messages(input), found));
}
