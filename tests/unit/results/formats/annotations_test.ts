import { deepEqual, equal } from "node:assert/strict";
import { githubAnnotations } from "../../../../lib/base/text/render.ts";
import type { RunMeta } from "../../../../lib/model/result/run.ts";
import { annotationsOf } from "../../../../lib/results/formats/annotations.ts";
import { CASES } from "./summary_cases.ts";

const shown = (meta: RunMeta) =>
  githubAnnotations(annotationsOf(meta)).trimEnd().split("\n");

Deno.test("annotationsOf() has each breached threshold and failed step, at their lines", () => {
  const { meta } = CASES["throttled_load"]!;
  const at = { file: "flows/checkout.yaml", line: 4, column: 7 };
  const thresholds = meta.thresholds.map((each) => ({ ...each, ...at }));
  const [threshold, step, ...more] = shown({ ...meta, thresholds });
  equal(
    threshold,
    "::error file=flows/checkout.yaml,line=4,col=7::throttle_rate < 2%25 did not hold: it was 3.41%25 of 1,204 iterations",
  );
  equal(
    step!.slice(0, 67),
    "::error file=flows/checkout.yaml,line=10,col=9::1 × add_to_cart: re",
  );
  equal(step!.includes("%0APOST /cart HTTP/1.1%0AHTTP/1.1 200 OK%0A"), true);
  // A throttle is no failure of a load run.
  deepEqual(more, []);
});

Deno.test("annotationsOf() leaves out the threshold that the mode implies where steps say why", () => {
  const { meta } = CASES["fail_with_many_rows"]!;
  equal(annotationsOf(meta).every(({ code }) => code !== "threshold"), true);
  const alone = annotationsOf({ ...meta, failures: [] });
  deepEqual(alone.map(({ at, code }) => [at, code]), [
    [{ file: meta.flow_file }, "threshold"],
  ]);
});

Deno.test("annotationsOf() says why a run broke off, and nothing of one that passed or was stopped", () => {
  const { meta } = CASES["aborted"]!;
  deepEqual(
    annotationsOf({ ...meta, thresholds: [] }).map((each) => each.message),
    [
      "step `login` did not pass",
    ],
  );
  for (const name of ["pass", "interrupted"]) {
    deepEqual(annotationsOf(CASES[name]!.meta), []);
  }
});

Deno.test("annotationsOf() says of a load run that responses are not as described", () => {
  const { meta } = CASES["contract"]!;
  const said = annotationsOf({
    ...meta,
    verdict: "fail",
    thresholds: [],
    failures: [],
    contract: { ...meta.contract!, contract: "fail" },
  });
  deepEqual(said.map(({ code, at }) => [code, at]), [
    ["contract", { file: meta.flow_file }],
  ]);
  equal(said[0]!.message.startsWith("Responses are not as described: "), true);
});
