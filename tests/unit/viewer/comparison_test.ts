import { createHash } from "node:crypto";
import { deepStrictEqual, equal, match } from "node:assert/strict";
import { NO_LATENCY, type RunMeta } from "../../../lib/model/result/run.ts";
import {
  type Comparison,
  differencesOf,
} from "../../../viewer/model/comparison.ts";
import { runBefore } from "../../../viewer/model/run_list.ts";
import { workspace } from "../../support/bench.ts";
import { asker, metaOf, putRun } from "../../support/viewer_fixture.ts";

/** The run of this minute, with this p95. */
function run(minute: number, p95: number, more: Partial<RunMeta> = {}) {
  const latency = { min: 1, avg: p95, p50: p95, p90: p95, p95, p99: p95 };
  const at = String(minute).padStart(2, "0");
  const own = { ...latency, max: p95 };
  return metaOf({
    id: `20261120T18${at}00Z-checkout-0000aa`,
    started_at: `2026-11-20T18:${at}:00.000Z`,
    latency: own,
    requests: 1_000,
    steps: [
      step("pay", 1_000, own),
      // A pause has attempts, and no latency.
      step("pause", 1_000, NO_LATENCY),
    ],
    ...more,
  });
}

function step(id: string, passed: number, latency: RunMeta["latency"]) {
  return {
    id,
    kind: "call",
    executions: passed,
    requests: passed,
    passed,
    throttled: 0,
    failed: 0,
    attempts: { passed, throttled: 0, failed: 0 },
    bytes_sent: 0,
    bytes_received: 0,
    checks: [],
    http_versions: ["1.1" as const],
    latency,
    throttled_latency: NO_LATENCY,
  };
}

const figure = (compared: Comparison, name: string) =>
  compared.figures.find((each) => each.name === name)!;

const sumOf = (text: string) => createHash("sha256").update(text).digest("hex");

/** The run of this minute, and this flow as it is stored with it. */
function withFlow(
  minute: number,
  more: Partial<RunMeta> = {},
  flow?: Readonly<Record<string, unknown>>,
) {
  const value = flow && JSON.stringify({ ir: 1, flow: "checkout", ...flow });
  const meta = run(minute, 100, { ir_sha256: sumOf(value ?? ""), ...more });
  return { meta, text: value, run: { flow: () => Promise.resolve({ value }) } };
}

const PROFILE = { mode: "load", vus: 10, hold_us: 60_000_000 };
const STEPS = [{ id: "pay" }];

Deno.test("differencesOf: load and thresholds of flags are settings, and no other flow", async () => {
  const a = withFlow(1, {}, { profile: PROFILE, steps: STEPS });
  const value = 0.01;
  const profile = {
    mode: "load",
    vus: { from: 1, to: 10, over_us: 1_500_000 },
    hold_us: 5_000_000,
    arrival: { count: 1, per_us: 12_000_000 },
    thresholds: [{ metric: "error_rate", op: "<", value }],
  };
  const options = { ramp: "1 -> 10 over 1.5s", hold: "5s", rate: "5/m" };
  const flow = { ir: 2, profile, steps: STEPS };
  const { settings, otherFlow } = await differencesOf(
    a,
    withFlow(2, { options }, flow),
  );
  equal(otherFlow, false);
  deepStrictEqual(settings, [
    { name: "vus", a: "10", b: "1 -> 10 over 1.5s" },
    { name: "hold", a: "1m", b: "5s" },
    { name: "arrival_cap", a: "not given", b: "5/m" },
    { name: "thresholds", a: "not given", b: "error_rate < 1%" },
  ]);
  const stages = [
    { arrival: { count: 1, per_us: 20_000 }, over_us: 30_000_000 },
    { over_us: 60_000_000 },
  ];
  const staged = { profile: { mode: "load", vus: 10, stages }, steps: STEPS };
  const other = await differencesOf(a, withFlow(2, {}, staged));
  deepStrictEqual(other.settings, [
    { name: "hold", a: "1m", b: "not given" },
    { name: "stages", a: "not given", b: "50/s over 30s, the same over 1m" },
  ]);
});

Deno.test("differencesOf: other options are settings, and other steps another flow", async () => {
  const flow = { profile: PROFILE, steps: STEPS };
  const options = { http: "2", arrivals: "poisson", until: "p99 within 5%" };
  const a = withFlow(1, {}, flow);
  const driven = await differencesOf(
    a,
    withFlow(2, { options: { ...options, traceparent: true } }, flow),
  );
  equal(driven.otherFlow, false);
  deepStrictEqual(driven.settings.map(({ name, a, b }) => [name, a, b]), [
    ["http", "not given", "2"],
    ["arrivals", "not given", "poisson"],
    ["until", "not given", "p99 within 5%"],
    ["traceparent", "not given", "given"],
  ]);
  const changed = withFlow(2, {}, { ...flow, steps: [{ id: "look" }] });
  const { settings, otherFlow } = await differencesOf(a, changed);
  deepStrictEqual([settings, otherFlow], [[], true]);
});

Deno.test("differencesOf: without a flow that can be read, its sum and the options say what differs", async () => {
  const a = withFlow(1, {}, { profile: PROFILE, steps: STEPS });
  const b = withFlow(2, { options: { hold: "5s" } });
  const { settings, otherFlow } = await differencesOf(a, b);
  equal(otherFlow, true);
  deepStrictEqual(settings, [{ name: "hold", a: "not given", b: "5s" }]);
  const odd = withFlow(3, {}, { profile: { vus: "many" }, steps: STEPS });
  deepStrictEqual((await differencesOf(odd, a)).settings, [
    { name: "vus", a: '"many"', b: "10" },
    { name: "hold", a: "not given", b: "1m" },
  ]);
});

Deno.test("differencesOf: a flow.json that is not what ran has no settings to compare", async () => {
  const flow = { profile: PROFILE, steps: STEPS };
  const a = withFlow(1, {}, flow);
  const { run: stored } = withFlow(2, {}, { profile: { mode: "evil" } });
  const { meta } = withFlow(2, {}, flow);
  const { settings, otherFlow } = await differencesOf(a, { meta, run: stored });
  deepStrictEqual([settings, otherFlow], [[], false]);
});

Deno.test("configuration page: a flow.json that is not what ran is said to be none", async () => {
  using folder = workspace({});
  const { meta, text } = withFlow(1, {}, { profile: PROFILE, steps: STEPS });
  const ask = asker(folder.path);
  for (const stored of [text!, `${text}\n`]) {
    putRun(folder.path, meta, { "flow.json": stored });
    const page = await (await ask(`/runs/${meta.id}/config`)).text();
    equal(page.includes("flow.json is not what ran"), stored !== text);
  }
});

Deno.test("compare page and API: a run of the same file with another hold is of the same flow", async () => {
  using folder = workspace({});
  const [a, b] = [
    withFlow(1, {}, { steps: STEPS, profile: PROFILE }),
    withFlow(2, { options: { hold: "5s" } }, {
      steps: STEPS,
      profile: { ...PROFILE, hold_us: 5_000_000 },
    }),
  ].map(({ meta, text }) => {
    putRun(folder.path, meta, { "flow.json": text! });
    return meta;
  }) as [RunMeta, RunMeta];
  const ask = asker(folder.path);
  const page = await (await ask(`/compare?a=${a.id}&b=${b.id}`)).text();
  equal(page.includes("The flow was changed"), false);
  const api = await ask(`/api/v1/compare?a=${a.id}&b=${b.id}`);
  const { other_flow, settings } = await api.json();
  equal(other_flow, false);
  deepStrictEqual(settings, [{ name: "hold", a: "1m", b: "5s" }]);
});

Deno.test("differencesOf: figures rest on what they are made of", async () => {
  const [a, b] = [run(1, 100), run(2, 150)];
  const { run: stored } = withFlow(1);
  const compared = await differencesOf(
    { meta: a, run: stored },
    { meta: b, run: stored },
  );
  deepStrictEqual(
    ["error_rate", "p95", "requests a second"].map((name) => {
      const { samples, counted } = figure(compared, name);
      return [samples, counted];
    }),
    [[0, "iteration"], [1_000, "sample"], [1_000, "request"]],
  );
  equal(figure(compared, "max").worse, "neither");
});

Deno.test("compare page: rates change by points, and what is left is never `-100%`", async () => {
  using folder = workspace({});
  const counts = (completed: number, failed: number) => ({
    iterations: {
      ...{ started: completed, completed, passed: completed - failed },
      ...{ throttled: 0, failed },
    },
    error_rate: failed / completed,
  });
  const [a, b] = [
    run(1, 100, counts(5_000, 0)),
    run(2, 100, counts(1, 1)),
  ];
  for (const meta of [a, b]) putRun(folder.path, meta);
  const page = await asker(folder.path)(`/compare?a=${a.id}&b=${b.id}`);
  const rows = (await page.text()).split("<tr").map((row) =>
    row.replaceAll(/<[^>]*>/g, " ").replaceAll("&lt;", "<")
  );
  const changes = { error_rate: /\+100 points/, iterations: /-99\.9%/ };
  for (const [name, change] of Object.entries(changes)) {
    match(rows.find((row) => row.includes(` ${name} `))!, change);
  }
});

Deno.test("runBefore: of the same flow and mode, and over", () => {
  const own = run(30, 1);
  const all = [
    run(40, 1),
    own,
    run(20, 1, { mode: "soak" }),
    run(19, 1, { vus: 99 }),
    run(18, 1, { status: "interrupted" }),
    run(17, 1, { ir_sha256: "other" }),
    run(16, 1, { flow: "other", ir_sha256: "other" }),
    run(15, 1, { status: "running" }),
    run(14, 1),
  ];
  const minutes = (runs: readonly RunMeta[]) =>
    runs.map(({ started_at }) => started_at.slice(14, 16));
  deepStrictEqual(minutes([runBefore(all, own)!]), ["19"]);
  equal(runBefore([own], own), undefined);
});

Deno.test("compare page: a change is called better or worse only where bench compare knows what differs anyway", async () => {
  using folder = workspace({});
  const [a, b] = [run(1, 100), run(2, 130)];
  for (const each of [a, b]) putRun(folder.path, each);
  const textOf = async (path: string) =>
    (await (await asker(folder.path)(path)).text())
      .replaceAll(/<[^>]*>|\s+/g, " ");
  // Without what was measured over time nothing is known of chance.
  const page = await textOf(`/compare?a=${a.id}&b=${b.id}`);
  match(page, /cannot be said/);
  match(page, / p95 +100ms +130ms +\+30% +1,000 samples/);
  match(page, / pay +100ms +130ms +\+30% /);
  equal(/▲|▼/.test(page), false);
});

Deno.test("compare page: a flow with one run has nothing to be compared with", async () => {
  using folder = workspace({});
  const own = run(1, 1);
  putRun(folder.path, own);
  putRun(folder.path, run(2, 1, { flow: "other" }));
  const page = await (await asker(folder.path)(`/compare?b=${own.id}`)).text();
  match(page, /This is the only run of checkout/);
});

Deno.test("compare page: a run that the store has not is said, though no other was chosen", async () => {
  using folder = workspace({});
  for (const each of [run(1, 1), run(2, 1)]) putRun(folder.path, each);
  const ask = asker(folder.path);
  for (const query of ["b=gone", "a=gone", "run=gone"]) {
    const response = await ask(`/compare?${query}`);
    equal(response.status, 404, query);
    match(await response.text(), /The store has no run gone\./);
  }
});

Deno.test("compare page: of two ticked runs the later one is B, in whatever order the list has them", async () => {
  using folder = workspace({});
  const [a, b] = [run(1, 1), run(2, 1)];
  putRun(folder.path, a);
  putRun(folder.path, b);
  const sides = async (query: string) => {
    const page = await (await asker(folder.path)(`/compare?${query}`)).text();
    return [...page.matchAll(/<h2>([AB]): <a href="\/runs\/([^"]*)"/g)]
      .map(([, side, id]) => `${side} ${id}`);
  };
  const expected = [`A ${a.id}`, `B ${b.id}`];
  deepStrictEqual(await sides(`run=${b.id}&run=${a.id}`), expected);
  deepStrictEqual(await sides(`run=${a.id}&run=${b.id}`), expected);
  // An address that says which is which is kept.
  const turned = [`A ${b.id}`, `B ${a.id}`];
  deepStrictEqual(await sides(`a=${b.id}&b=${a.id}`), turned);
});

Deno.test("compare page: an old run that was chosen is a choice beside hundreds of later ones", async () => {
  using folder = workspace({});
  const runs = Array.from({ length: 503 }, (_, i) =>
    run(0, 1, {
      id: `20261120T180000Z-checkout-${String(i).padStart(6, "0")}`,
    }));
  for (const each of runs) putRun(folder.path, each);
  const [oldest] = runs;
  const address = `/compare?b=${oldest!.id}`;
  const page = await (await asker(folder.path)(address)).text();
  match(page, new RegExp(`<option value="${oldest!.id}" selected`));
});

Deno.test("run page: the run before is a link", async () => {
  using folder = workspace({});
  const [a, b] = [run(1, 1), run(2, 1)];
  putRun(folder.path, a);
  putRun(folder.path, b);
  const ask = asker(folder.path);
  const page = await (await ask(`/runs/${b.id}`)).text();
  match(page, new RegExp(`/compare\\?a=${a.id}&amp;b=${b.id}`));
  const first = await (await ask(`/runs/${a.id}`)).text();
  equal(first.includes("Compare with the run before"), false);
});
