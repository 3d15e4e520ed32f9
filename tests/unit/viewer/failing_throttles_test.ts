import { doesNotMatch, match } from "node:assert/strict";
import type { RunMeta } from "../../../lib/model/result/run.ts";
import { groupOf, metaOf } from "../../support/viewer_fixture.ts";
import { META as EXPORTED, page } from "./exported_run.ts";

const THROTTLED = groupOf({
  step: "get",
  code: "throttled",
  outcome: "throttled",
  message: "Throttled by the target: status 429",
  count: 6,
});
const FAILED = groupOf({
  step: "put",
  code: "status",
  outcome: "failed",
  message: "the response had status 500",
  count: 2,
});

/** Six of twenty iterations were throttled, and failed by it. */
const META = metaOf({
  verdict: "fail",
  iterations: {
    started: 20,
    completed: 20,
    passed: 14,
    failed: 6,
    throttled: 6,
  },
  error_rate: 0.3,
  throttle_rate: 0.3,
  failures: [THROTTLED],
});

function flowOf(throttle?: { readonly as_error: boolean }) {
  return {
    ...{ ir: 1, flow: "checkout" },
    steps: [{ id: "get", ...(throttle && { throttle }) }, { id: "put" }],
  };
}

/** The words of a path of such a run. */
async function wordsOf(
  path: string,
  meta: RunMeta,
  flow: unknown,
): Promise<string> {
  const text = await page(
    `/runs/${meta.id}${path}`,
    { "flow.json": flow },
    meta,
  );
  return text.replaceAll(/<[^>]*>/g, " ").replaceAll(/\s+/g, " ");
}

const AS_ERROR = flowOf({ as_error: true });

for (const path of ["/failures", "/export/html"]) {
  Deno.test(`${path}: a throttle that counts as a failure is not called none`, async () => {
    const words = await wordsOf(path, META, AS_ERROR);
    doesNotMatch(words, /No failures/);
    match(
      words,
      /Failed \(6 of 20 iterations\) A throttle at get counts as a failure: its causes are under Throttled \./,
    );
    match(
      words,
      /In load, stress and soak runs it is no failure, but at get it counts as one/,
    );
  });
}

Deno.test("failures page: in integration and system runs a throttle is a failure", async () => {
  for (const mode of ["integration", "system"]) {
    const words = await wordsOf("/failures", { ...META, mode }, flowOf());
    match(words, /A throttle at get counts as a failure/);
    match(words, /In integration and system runs it counts as a failure;/);
  }
});

Deno.test("failures page: a throttle that a step does not count as one is none", async () => {
  const meta = {
    ...META,
    mode: "system",
    iterations: { ...META.iterations, failed: 0 },
  };
  const words = await wordsOf("/failures", meta, flowOf({ as_error: false }));
  match(words, /No failures in 20 iterations/);
  match(words, /it counts as a failure, but at get it is none/);
});

Deno.test("failures page: failures of both kinds are each where they belong", async () => {
  const meta = { ...META, failures: [THROTTLED, FAILED] };
  const words = await wordsOf("/failures", meta, AS_ERROR);
  match(
    words,
    /A throttle at get counts as a failure.* at put 2 .*Throttled \(/,
  );
  const one = await wordsOf("/failures?step=put", meta, AS_ERROR);
  doesNotMatch(one, /A throttle at/);
});

Deno.test("run page: a throttle that counts as a failure is among the top failures", async () => {
  match(await wordsOf("", META, AS_ERROR), /Top failures .*status 429/);
  doesNotMatch(await wordsOf("", META, flowOf()), /Top failures/);
});

Deno.test("failures page: of one step it counts that step, and not the failures of others", async () => {
  const [some] = EXPORTED.steps;
  const steps = [
    { ...some!, id: "look", executions: 8, failed: 0, throttled: 0 },
    { ...some!, id: "put", executions: 8, failed: 3, throttled: 1 },
  ];
  const meta = { ...META, steps, failures: [FAILED] };
  const look = await wordsOf("/failures?step=look", meta, flowOf());
  match(look, /Failed \(0 of 8 executions\) No failures in 8 executions\./);
  const put = await wordsOf("/failures?step=put", meta, flowOf());
  match(put, /Failed \(3 of 8 executions\) at put .*Throttled \(1 of 8 exec/);
  const all = await wordsOf("/failures", meta, flowOf());
  match(all, /Failed \(6 of 20 iterations\)/);
});
