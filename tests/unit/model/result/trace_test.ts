import { equal } from "node:assert/strict";
import { causingStep } from "../../../../lib/model/result/trace.ts";

const STEPS = {
  passed: { outcome: "passed", isError: false },
  throttled: { outcome: "throttled", isError: false },
  throttleThatFails: { outcome: "throttled", isError: true },
  failed: { outcome: "failed", isError: true },
  open: { isError: false },
} as const;
type Name = keyof typeof STEPS;

const CASES: readonly (readonly [names: Name[], cause: number | undefined])[] =
  [
    [["passed", "passed"], undefined],
    [["passed", "open"], undefined],
    [["passed", "throttled", "failed", "failed"], 2],
    [["throttled", "throttled"], 0],
    [["throttled", "throttleThatFails", "failed"], 1],
  ];

for (const [names, cause] of CASES) {
  Deno.test(`causingStep of ${names.join(", ")}`, () => {
    const steps = names.map((name, index) => ({ index, ...STEPS[name] }));
    equal(causingStep(steps, (step) => step)?.index, cause);
  });
}
